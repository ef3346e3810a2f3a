"""Output that is either whole or not there: written beside, then renamed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from laycalc.diagnostics.model import Diagnostic, Failure

__all__ = ["whole_file"]


@contextmanager
def whole_file(path: str | None) -> Iterator[TextIO]:
    """A text stream to a file that appears when the block ends without an exception; standard output for None or ``-``.

    `Failure` with LC103 if it cannot be written, for a full disk too. SIGTERM ends the block like an interrupt.
    """
    if path is None or path == "-":
        yield sys.stdout
        return
    # A pipe or a device is written to as it is, and so is a file that a shell has opened as /dev/stdout.
    special = path.startswith("/dev/") or (os.path.exists(path) and not os.path.isfile(path))
    target = path if special else os.path.realpath(path)
    folder, name = os.path.split(target)
    beside = target if special else os.path.join(folder, f".{name}.{os.getpid()}")
    before = _on_terminate()
    try:
        with open(beside, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            if not special:
                os.fsync(stream.fileno())
        if not special:
            os.replace(beside, target)
    except OSError as error:
        raise Failure(Diagnostic("LC103", f"cannot write {path}: {error.strerror or error}")) from None
    finally:
        _restore(before)
        if not special:
            with suppress(OSError):
                os.unlink(beside)


def _on_terminate() -> Any:
    def stop(number: int, frame: Any) -> None:
        raise SystemExit(128 + number)

    try:
        return signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not in the main thread
        return None


def _restore(handler: Any) -> None:
    if handler is not None:
        signal.signal(signal.SIGTERM, handler)
