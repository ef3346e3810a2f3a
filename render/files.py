"""Files that are whole or not there: the one place that writes what a command or a picture was told to write.

It stands in the lowest room that writes files, so that pictures and the reports of the command line share it.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

__all__ = ["whole_file", "write_whole"]

_DESCRIPTOR = re.compile(r"/dev/std(in|out|err)|/(?:dev|proc/self)/fd/(\d+)")


def write_whole(path: str | Path, data: bytes) -> None:
    """Write a file's bytes; see `whole_file`."""
    with whole_file(path) as out:
        out.write(data)


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """A stream to a file that appears, or is replaced, when the block ends without an exception.

    A file that is replaced keeps its mode and owner, a symbolic link is followed. A device, a FIFO, a socket and an
    open descriptor (``/dev/stdout``) are written to as they are. OSError for a directory, and where writing fails;
    a process killed meanwhile leaves nothing behind, where the system can hide a file until it has a name.
    """
    target = os.fspath(path)
    if (found := _DESCRIPTOR.fullmatch(target)) is not None:
        number = int(found[2]) if found[2] else ("in", "out", "err").index(found[1])
        with os.fdopen(os.dup(number), "wb") as out:
            yield out
        return
    target = os.path.realpath(target)
    before = os.stat(target) if os.path.exists(target) else None
    if before is None or stat.S_ISREG(before.st_mode):
        yield from _replaced(target, before)
    elif stat.S_ISSOCK(before.st_mode):
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(target)
            with peer.makefile("wb") as out:
                yield out
    else:
        # A directory is refused by the system. Nothing is cut or made: the name stands for something else.
        with os.fdopen(os.open(target, os.O_WRONLY), "wb") as out:
            yield out


def _replaced(target: str, before: os.stat_result | None) -> Iterator[BinaryIO]:
    """A new file beside the target that takes its name at the end."""
    folder, name = os.path.split(target)
    beside = os.path.join(folder, f".{name[:200]}.{os.getpid()}")
    hidden = _hidden(folder)
    with _terminated(), _removed(beside):
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666) if hidden is None else hidden
        with os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            if before is not None:
                _like(out.fileno(), before)
            os.fsync(out.fileno())
            if hidden is not None:
                _named(hidden, beside)
        os.replace(beside, target)


def _hidden(folder: str) -> int | None:
    """A file without a name in a folder, which vanishes with its process; None where there is no such thing."""
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError:  # not on every file system
        return None


def _named(handle: int, path: str) -> None:
    """Give a hidden file its name; a copy of it where the system cannot."""
    source = f"/proc/self/fd/{handle}"
    try:
        os.link(source, path, src_dir_fd=handle, follow_symlinks=True)
    except OSError:
        shutil.copyfile(source, path)


def _like(handle: int, before: os.stat_result) -> None:
    """Give an open file the owner and the mode of the one that it replaces."""
    if not hasattr(os, "fchown"):
        return
    made = os.fstat(handle)
    if (made.st_uid, made.st_gid) != (before.st_uid, before.st_gid):
        with suppress(OSError):
            os.fchown(handle, before.st_uid, before.st_gid)
    os.fchmod(handle, stat.S_IMODE(before.st_mode))


@contextmanager
def _removed(path: str) -> Iterator[None]:
    """Remove a file that is still there when the block ends."""
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(path)


@contextmanager
def _terminated() -> Iterator[None]:
    """SIGTERM ends the block like an interrupt, so that what it leaves is tidied up."""

    def stop(number: int, frame: Any) -> None:
        raise SystemExit(128 + number)

    try:
        handler = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, handler)


def text_of(stream: BinaryIO) -> io.TextIOWrapper:
    """UTF-8 text with plain line ends, written to a stream of bytes."""
    return io.TextIOWrapper(stream, encoding="utf-8", newline="\n", write_through=True)
