"""The prompt, driven through a real terminal."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest
from program import laycalc


class Terminal:
    """A laycalc repl on a pseudo terminal."""

    def __init__(self, home: Path) -> None:
        self.history = home / "history"
        pid, self.fd = pty.fork()
        if pid == 0:
            os.environ |= {"TERM": "dumb", "NO_COLOR": "1", "XDG_CACHE_HOME": str(home), "COLUMNS": "200"}
            command = [sys.executable, "-m", "laycalc", "repl", "--history", str(self.history)]
            os.execv(sys.executable, command)
        self.pid = pid
        self.text = ""

    def send(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def wait_for(self, pattern: str, seconds: float = 20) -> str:
        """Read until the pattern appears; what came since the last call."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)):
            if time.monotonic() > end:
                raise AssertionError(f"no {pattern!r} in {self.text!r}")
            ready, _, _ = select.select([self.fd], [], [], 0.2)
            if ready:
                try:
                    self.text += os.read(self.fd, 65536).decode(errors="replace").replace("\r", "")
                except OSError:
                    break
        seen, self.text = self.text[: found.end()] if found else self.text, self.text[found.end() if found else 0 :]
        return seen

    def interrupt(self) -> None:
        """Ctrl-C until a prompt comes: Python's readline may miss one that arrives between two of its looks."""
        for _ in range(9):
            self.send("\x03")
            with contextlib.suppress(AssertionError):
                self.wait_for("> ", 2)
                return
        self.wait_for("> ")

    def leave(self, farewell: str = ":quit\n", seconds: float = 20) -> int:
        """The exit code after a farewell; a session that stays is killed and fails."""
        self.send(farewell)
        end = time.monotonic() + seconds
        while (done := os.waitpid(self.pid, os.WNOHANG))[0] == 0 and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                with contextlib.suppress(OSError):
                    os.read(self.fd, 65536)
        if done[0] == 0:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            raise AssertionError("the session did not end")
        os.close(self.fd)
        return os.waitstatus_to_exitcode(done[1])


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    made = Terminal(tmp_path)
    made.wait_for("> ")
    return made


def test_values_bindings_and_ans(terminal: Terminal) -> None:
    terminal.send("L = (8,16):(20,1)\n")
    terminal.wait_for(r"\(8,16\):\(20,1\)\n")
    terminal.send("L / <4:1,8:2>\n")
    terminal.wait_for(r"\(\(4,2\),\(8,2\)\):\(\(20,80\),\(2,1\)\)")
    terminal.send("size(ans)\n")
    terminal.wait_for("\n128\n")
    assert terminal.leave() == 0


def test_an_open_bracket_continues(terminal: Terminal) -> None:
    terminal.send("(4,\n")
    terminal.wait_for(r"\. ")
    terminal.send("8):(1,4)\n")
    terminal.wait_for(r"\n\(4,8\):\(1,4\)\n")
    assert terminal.leave() == 0


def test_an_error_does_not_end_the_session(terminal: Terminal) -> None:
    terminal.send("(4,6,8):(2,3,5) o 6:3\n")
    terminal.wait_for("LC301")
    terminal.send("4:1\n")
    terminal.wait_for("\n4:1\n")
    assert terminal.leave() == 0


def test_interrupt_cancels_the_line(terminal: Terminal) -> None:
    terminal.send("(4,6,8")
    terminal.wait_for(r"\(4,6,8")
    terminal.interrupt()
    terminal.send("5:1\n")
    terminal.wait_for("\n5:1\n")
    assert terminal.leave() == 0


def test_interrupt_cancels_a_continued_statement(terminal: Terminal) -> None:
    terminal.send("(4,\n")
    terminal.wait_for(r"\. ")
    terminal.interrupt()
    terminal.send("6:1\n")
    terminal.wait_for("\n6:1\n")
    assert terminal.leave() == 0


def test_help_and_commands(terminal: Terminal, tmp_path: Path) -> None:
    terminal.send("?zipped_divide\n")
    terminal.wait_for(r"zipped_divide\(A, B\): .*\n")
    terminal.send(":nonsense\n")
    terminal.wait_for("LC102")
    terminal.send(":table (2,2):(1,2)\n")
    terminal.wait_for(r"0 \|\s+0\s+2")
    figure = tmp_path / "figure.svg"
    terminal.send(f":draw (2,2):(1,2) {figure}\n")
    terminal.wait_for("wrote")
    assert figure.read_text().startswith("<svg") or "<svg" in figure.read_text()
    assert terminal.leave() == 0


def test_completion_and_history(terminal: Terminal) -> None:
    terminal.send("zipped_d\t")
    terminal.wait_for("zipped_divide")
    terminal.send("((8,16):(20,1), (4,8))\n")
    terminal.wait_for(r"\(\(4,8\),\(2,2\)\):\(\(20,1\),\(80,8\)\)")
    assert terminal.leave() == 0
    assert "zipped_divide" in terminal.history.read_text()


def test_end_of_file_leaves(terminal: Terminal) -> None:
    terminal.send("4:1\n")
    terminal.wait_for("\n4:1\n.*\n> ")
    time.sleep(0.3)  # a ^D before the terminal is raw again would be lost
    assert terminal.leave("\x04") == 0


def test_a_statement_goes_on_where_a_bracket_an_operator_or_a_comma_ends_a_line() -> None:
    done = laycalc(
        "repl", stdin="A = (4,\n8):(1,4)\nassert size(\nA) == 32\nlet C = <4:1,\n8:2>\nA / # half\n4\n(4:2)^*\n"
    )
    shown = [line for line in done.stdout.replace("> ", "").replace(". ", "").splitlines() if ", rank" not in line]
    assert shown[1:6] == ["(4,8):(1,4)", "true", "<4:1,8:2>", "(4,8):(1,4)", "(2,1):(1,8)"]
    assert not done.stderr


def test_explain_and_info_see_the_session_and_go_on_too() -> None:
    typed = "A = (4,8):(1,4)\n:explain A o 8:2\n:info (4,\n8):(1,4)\n:explain LC301\n"
    done = laycalc("repl", stdin=typed)
    assert "A o 8:2 = 8:2" in done.stdout
    assert "strides over    integers" in done.stdout
    assert "Stride Divisibility Condition" in done.stdout
    assert not done.stderr
