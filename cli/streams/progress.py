"""A progress bar on a terminal, for work that takes long enough to wonder."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

__all__ = ["Bar", "progress", "progress_of"]

PATIENCE = 1.0
"""Seconds before a bar appears."""


@contextmanager
def progress(title: str, total: int, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """A function to tell how much more is done; it draws nothing unless standard error is a terminal."""
    with _bar(title, total, quiet) as bar:
        yield bar.advance


@contextmanager
def progress_of(files: Sequence[str], quiet: bool = False) -> Iterator[Bar]:
    """The bar of reading files, in bytes."""
    with _bar("checking", sum(os.path.getsize(f) for f in files if os.path.isfile(f)), quiet) as bar:
        yield bar


@contextmanager
def _bar(title: str, total: int, quiet: bool) -> Iterator[Bar]:
    shown = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    bar = Bar(title, total if shown else 0)
    try:
        yield bar
    finally:
        bar.pause()


class Bar:
    """Imports rich only once the work turns out to be long; a total of 0 is a bar that never shows."""

    def __init__(self, title: str, total: int) -> None:
        self.title = title
        self.total = total
        self.done = 0
        self.start = time.monotonic()
        self.bar: Any = None
        self.task: Any = None

    def advance(self, count: int) -> None:
        """So much more is done."""
        self.done += count
        if self.bar is not None:
            self.bar.update(self.task, completed=self.done)
        elif self.done < self.total and time.monotonic() - self.start > PATIENCE:
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(file=getattr(sys.stderr, "unguarded", sys.stderr)), transient=True)
            self.task = self.bar.add_task(self.title, total=self.total, completed=self.done)
            self.bar.start()

    def pause(self) -> None:
        """Make room for other lines; the bar comes back if there is still much to do."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None
            self.start = time.monotonic()
