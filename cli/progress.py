"""A progress bar on a terminal, for checks that take long enough to wonder."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

__all__ = ["progress_of"]

PATIENCE = 1.0
"""Seconds before a bar appears."""


@contextmanager
def progress_of(files: Sequence[str], quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """A function to tell how many bytes were read; it draws nothing unless standard error is a terminal."""
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda count: None
        return
    bar = _Bar(sum(os.path.getsize(f) for f in files if os.path.isfile(f)))
    try:
        yield bar.advance
    finally:
        bar.stop()


class _Bar:
    """Imports rich only once a check turns out to be long."""

    def __init__(self, total: int) -> None:
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
            self.task = self.bar.add_task("checking", total=self.total, completed=self.read)
            self.bar.start()

    def stop(self) -> None:
        if self.bar is not None:
            self.bar.stop()
