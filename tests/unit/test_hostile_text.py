"""Names and values from people who wish the reader ill: no control character of theirs is written, in any format."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest
from program import laycalc

SIGNS = ["\x1b", "\x07", "\r", "\u202e", "\x9b", "\x7f", "\u2066", "\x08", "\x0c", "\u200b"]
"""Escape, bell, carriage return, right-to-left, C1, delete, isolate, backspace, form feed, a mark without width."""
FORMS = [
    "{0}", "a{0}b", "{0}[31m", "{0}]0;title\x07", "{0}[2J{0}[H", "<{0}>&", "'{0}\"", "{0}\u0430{1}", "{1}{0}",
]  # fmt: skip
PAIRS = itertools.pairwise([*SIGNS, SIGNS[0]])
HOSTILE = sorted({form.format(a, b) for (a, b), form in itertools.product(PAIRS, FORMS)})
HOSTILE += [f"{a}{b}x{c}" for a, b, c in itertools.permutations(SIGNS[:6], 3)]
FORMATS = ["text", "json", "sarif", "junit", "github"]
LEAK = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")
COMMANDS = [
    ["eval", "4:1", "-D", "{}"],
    ["eval", "M:1", "--sweep", "{}"],
    ["eval", "M:1", "--assume", "{}"],
    ["eval", "{}"],
    ["eval", "-f", "{}"],
    ["eval", '"{}"'],
    ["{}", "4:1"],
    ["help", "{}"],
    ["explain", "{}"],
    ["fit", "{}"],
    ["diff", "{}", "4:1"],
    ["draw", "4:1", "--kind", "{}"],
    ["draw", "4:1", "--theme", "{}"],
    ["draw", "4:1", "--format", "{}"],
    ["draw", "4:1", "--format", "txt", "--title", "{}"],
    ["draw", "4:1", "--format", "svg", "--title", "{}"],
    ["draw", "4:1", "--format", "html", "--title", "{}"],
    ["draw", "4:1", "--format", "tex", "--title", "{}"],
    ["draw", "4:1", "-o", "{}/x.svg"],
    ["atom", "{}"],
    ["to", "{}", "4:1"],
    ["from", "{}"],
    ["banks", "4:1", "--access", "{}"],
    ["check", "--deny", "{}"],
    ["check", "{}.layout"],
    ["info", "4:1", "--{}"],
    ["table", "4:1", "--cells", "{}"],
]


def test_there_are_enough_of_them() -> None:
    assert len(HOSTILE) >= 200


def leaks(text: str, *, coloured: bool = False) -> list[str]:
    """The hidden characters of an output; tones are ours where there are colours."""
    if coloured:
        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return LEAK.findall(text)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_option_leaks_nothing(command: list[str], tmp_path: Path) -> None:
    # Each command sees a share of them; together they see all, several times over.
    start = COMMANDS.index(command)
    for value in HOSTILE[start % 9 :: 9]:
        given = [part.replace("{}", value) for part in command]
        done = laycalc(*given, cwd=tmp_path)
        assert not leaks(done.stdout + done.stderr), given
        assert done.returncode != 3, done.stderr


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_name_leaks_nothing(form: str, tmp_path: Path) -> None:
    names = [f"{value.replace('/', '_')}.layout" for value in HOSTILE]
    for name in names:
        (tmp_path / name).write_text(f'assert 1 == 2 # {name}\n"{name}"\nlet {name}\n', "utf-8")
    done = laycalc("check", ".", "--format", form, cwd=tmp_path)
    assert done.returncode in (1, 2)
    assert not leaks(done.stdout + done.stderr)
    laycalc("check", ".", "--format", form, "--output", "report", cwd=tmp_path)
    assert not leaks((tmp_path / "report").read_text("utf-8"))
    if form in ("json", "sarif"):
        # The names themselves are what they are.
        assert all(json.dumps(name)[1:-1] in done.stdout or form == "sarif" for name in names if name.isascii())


def test_a_name_in_colours_leaks_no_tone_of_its_own(tmp_path: Path) -> None:
    name = "a\x1b[32mok\x1b[0m.layout"
    (tmp_path / name).write_text("assert 1 == 2\n", "utf-8")
    done = laycalc("check", name, cwd=tmp_path, env={"FORCE_COLOR": "1"})
    assert "\x1b[32mok" not in done.stdout + done.stderr
    assert "\x1b[1;31merror" in done.stdout + done.stderr
    assert not leaks(done.stdout + done.stderr, coloured=True)
