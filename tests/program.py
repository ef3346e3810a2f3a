"""The program without the start of an interpreter: in this process, or in a fork of it that has limits of its own."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from laycalc.cli.main import main


class Answer(NamedTuple):
    """How a command ended and what it wrote; the names are those of `subprocess.CompletedProcess`."""

    returncode: int
    stdout: str
    stderr: str


def laycalc(
    *arguments: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None, cwd: Path | str | None = None
) -> Answer:
    """Run a command in this process; ``env`` adds to the environment."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = _stream(), _stream()
    with (
        _replaced(os.environ, env or {}),
        contextlib.chdir(cwd or "."),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        _input(_stream(given)),
    ):
        code = _code(arguments)
    return Answer(code, _text(out), _text(err))


def forked(*arguments: str, stdin: str = "", cpu: int = 0, memory: int = 0) -> Answer:
    """Run a command in a fork with files as its streams; ``cpu`` seconds, and ``memory`` bytes more than there are."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin.encode())
        given.seek(0)
        # What is buffered here must not be written there.
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            _child(arguments, (given.fileno(), out.fileno(), err.fileno()), cpu, memory)
        _, status = os.waitpid(pid, 0)
        out.seek(0)
        err.seek(0)
        return Answer(os.waitstatus_to_exitcode(status), out.read().decode(), err.read().decode())


def _child(arguments: tuple[str, ...], streams: tuple[int, int, int], cpu: int, memory: int) -> None:
    """Become the command; nothing of the tests goes on here."""
    code = 99
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout, sys.stderr = (os.fdopen(n, "w", encoding="utf-8", closefd=False) for n in (1, 2))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if cpu:
            used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
            resource.setrlimit(resource.RLIMIT_CPU, (used + cpu, used + cpu))
        if memory:
            limit = _size() + memory
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        code = _code(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _size() -> int:
    """The address space of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def _code(arguments: tuple[str, ...]) -> int:
    try:
        main(arguments)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


def _stream(data: bytes = b"") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    made = stream.buffer
    assert isinstance(made, io.BytesIO)
    return made.getvalue().decode()


@contextlib.contextmanager
def _input(stream: io.TextIOWrapper) -> Iterator[None]:
    before, sys.stdin = sys.stdin, stream
    try:
        yield
    finally:
        sys.stdin = before


@contextlib.contextmanager
def _replaced(mapping: os._Environ[str], changes: Mapping[str, str]) -> Iterator[None]:
    before = dict(mapping)
    mapping.update(changes)
    try:
        yield
    finally:
        mapping.clear()
        mapping.update(before)
