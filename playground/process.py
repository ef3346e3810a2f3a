"""The process that answers: a question a line in, an answer a line out. It can be stopped, and a new one begins."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from threading import Lock

__all__ = ["Answering", "Stopped"]


class Stopped(Exception):
    """The process ended before it answered."""


class Answering:
    """A process that answers questions one after the other; it is started by the first question after a stop."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._change = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, question: bytes) -> bytes:
        """The answer to a question, both JSON on one line; `Stopped` if somebody did not want to wait for it."""
        with self._turn:
            process = self._running()
            assert process.stdin is not None and process.stdout is not None
            try:
                process.stdin.write(question.replace(b"\n", b" ").replace(b"\r", b" ") + b"\n")
                process.stdin.flush()
                answer = process.stdout.readline()
            except (OSError, ValueError):
                answer = b""
            if not answer.endswith(b"\n"):
                self.stop()
                _close(process)
                raise Stopped
            return answer.rstrip(b"\n")

    @property
    def busy(self) -> bool:
        """Is a question being worked on?"""
        return self._turn.locked() and self._process is not None

    @property
    def process(self) -> int | None:
        """The number of the process, None while there is none."""
        running = self._process
        return None if running is None else running.pid

    def _running(self) -> subprocess.Popen[bytes]:
        with self._change:
            if self._process is None:
                # -P: nothing of the folder where the server was started is imported.
                command = [sys.executable, "-P", "-m", __name__]
                self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            return self._process

    def stop(self) -> None:
        """End what is being worked on."""
        with self._change:
            process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        # Whoever waits for an answer sees that none comes, and closes the pipes himself.
        if self._turn.acquire(blocking=False):
            _close(process)
            self._turn.release()


def _close(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()


def main() -> None:
    """Answer until the input ends."""
    from .answers import answer_text

    for line in sys.stdin.buffer:
        answer = answer_text(line.decode("utf-8", "replace"))
        sys.stdout.buffer.write(answer.encode("utf-8", "backslashreplace") + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
