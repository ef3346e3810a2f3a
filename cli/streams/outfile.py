"""The file that a report goes to, as text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO, cast

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.render.files import text_of, whole_file
from laycalc.render.reports.visible import Guarded

__all__ = ["report_file", "writing"]


@contextmanager
def report_file(path: str | None) -> Iterator[TextIO]:
    """A text stream to a file that is whole or not there; standard output for None or ``-``."""
    if path is None or path == "-":
        yield sys.stdout
        return
    with writing(path), whole_file(path) as out:
        stream = text_of(out)
        yield cast(TextIO, Guarded(stream))
        stream.flush()
        stream.detach()


@contextmanager
def writing(path: str) -> Iterator[None]:
    """LC103 for a file that cannot be written, for a full disk too."""
    try:
        yield
    except OSError as error:
        raise Failure(Diagnostic("LC103", f"cannot write {path}: {error.strerror or error}")) from None
