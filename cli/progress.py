"""A progress bar on a terminal, for work that takes long enough to wonder."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

__all__ = ["progress", "progress_of"]

PATIENCE = 1.0
"""Seconds before a bar appears."""


def progress_of(files: Sequence[str], quiet: bool = False) -> AbstractContextManager[Callable[[int], None]]:
    """The progress of reading files, in bytes."""
    return progress("checking", sum(os.path.getsize(f) for f in files if os.path.isfile(f)), quiet)


@contextmanager
def progress(what: str, total: int, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """A function to tell how much more is done; it draws nothing unless standard error is a terminal."""
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda count: None
        return
    bar = _Bar(what, total)
    try:
        yield bar.advance
    finally:
        bar.stop()


class _Bar:
    """Imports rich only once the work turns out to be long."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self.read = 0
        self.start = time.monotonic()
        self.bar: Any = None
        self.task: Any = None

    def advance(self, count: int) -> None:
        self.read += count
        if self.bar is not None:
            self.bar.update(self.task, completed=self.read)
        elif time.monotonic() - self.start > PATIENCE and self.read < self.total:
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task(self.what, total=self.total, completed=self.read)
            self.bar.start()

    def stop(self) -> None:
        if self.bar is not None:
            self.bar.stop()
