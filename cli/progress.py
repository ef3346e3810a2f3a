"""A progress bar on a terminal, for work that takes long enough to wonder."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

__all__ = ["progress", "progress_of"]

PATIENCE = 1.0
"""Seconds before a bar appears."""


def progress_of(files: Sequence[str], quiet: bool = False) -> AbstractContextManager[Callable[[int], None]]:
    """The progress of reading files, in bytes."""
    return progress("checking", sum(os.path.getsize(f) for f in files if os.path.isfile(f)), quiet)


@contextmanager
def progress_of(files: Sequence[str], quiet: bool = False) -> Iterator[Bar]:
    """A bar to tell how many bytes were read; it draws nothing unless standard error is a terminal."""
    shown = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    bar = Bar(sum(os.path.getsize(f) for f in files if os.path.isfile(f)) if shown else 0)
    try:
        yield bar
    finally:
        bar.pause()


class Bar:
    """Imports rich only once a check turns out to be long; a total of 0 is a bar that never shows."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.read = 0
        self.start = time.monotonic()
        self.bar: Any = None
        self.task: Any = None

    def advance(self, count: int) -> None:
        """So many more bytes were read."""
        self.read += count
        if self.bar is not None:
            self.bar.update(self.task, completed=self.read)
        elif self.read < self.total and time.monotonic() - self.start > PATIENCE:
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("checking", total=self.total, completed=self.read)
            self.bar.start()

    def pause(self) -> None:
        """Make room for other lines; the bar comes back if there is still much to read."""
        if self.bar is not None:
            self.bar.stop()
            self.bar = None
            self.start = time.monotonic()
