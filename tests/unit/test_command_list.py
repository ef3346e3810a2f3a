"""The list of commands: a file in cli/commands is a command, and says everything about itself."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from program import laycalc

from laycalc.cli.main import COMMANDS, command_of

SERVING = {"lsp", "serve"}
"""Commands that go on until somebody ends them; they have tests of their own."""
EXAMPLES = [(name, example) for name in COMMANDS if name not in SERVING for example in command_of(name).examples]


def test_a_file_is_a_command() -> None:
    folder = Path(__file__).parents[2] / "cli" / "commands"
    assert set(COMMANDS) == {path.stem.rstrip("_") for path in folder.glob("[a-z]*.py")}
    assert len({command_of(name).place for name in COMMANDS}) == len(COMMANDS)


def test_help_lists_every_command_in_its_place() -> None:
    shown = laycalc("--help").stdout
    lines = [line.split(maxsplit=1)[0] for line in shown.partition("Commands:\n")[2].splitlines() if line[2:3].strip()]
    in_order = sorted(COMMANDS, key=lambda name: command_of(name).place)
    assert [word for word in lines if word in COMMANDS] == in_order


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_help_and_an_example(name: str) -> None:
    found = command_of(name)
    assert found.help.endswith(".") and found.work.__doc__ and found.examples
    shown = laycalc(name, "--help").stdout
    assert all(example in shown for example in found.examples)


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[example for _, example in EXAMPLES])
def test_an_example_works(name: str, example: str, tmp_path: Path) -> None:
    for folder in ("layouts", "include"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.layout").write_text("assert size((4,8)) == 32\n")
    (tmp_path / "flash_traits.h").write_text("using SmemLayout = Layout<Shape<Int<kBlockM>,Int<kHeadDim>>>;\n")
    (tmp_path / "gemm.py").write_text("layout = cute.make_layout((4, 8))\n")
    (tmp_path / "tasks.jsonl").write_text('{"kind": "left", "A": "8:1", "C": "4:2"}\n')
    program, first, *rest = shlex.split(example)
    assert (program, first) == ("laycalc", name)
    done = laycalc(first, *rest, cwd=tmp_path, stdin=":quit\n")
    # 1 says that a layout differs, that an access conflicts: an answer, too.
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout or list(tmp_path.glob("*.svg")) or list(tmp_path.glob("*.sarif"))
