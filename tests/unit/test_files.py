"""Files that are written: whole or not there, and nothing else is replaced."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from laycalc.render.files import whole_file, write_whole

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and modes of POSIX")


def test_a_new_name_and_an_old_file_are_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_whole(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@posix
def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "a.svg", tmp_path / "l.svg"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@posix
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    write_whole(path, b"through")
    reader.join()
    assert read == [b"through"]
    assert stat.S_ISFIFO(path.stat().st_mode)


@posix
def test_a_device_stays_a_device() -> None:
    write_whole("/dev/null", b"away")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        write_whole(tmp_path, b"no")
    assert tmp_path.is_dir()


def test_a_block_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), whole_file(path) as out:
        out.write(b"half")
        raise ZeroDivisionError
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="only a file without a name goes with its process")
def test_a_killed_process_leaves_nothing(tmp_path: Path) -> None:
    program = (
        "import os, signal\n"
        "from laycalc.render.files import whole_file\n"
        f"with whole_file({str(tmp_path / 'a.svg')!r}) as out:\n"
        "    out.write(b'half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []
