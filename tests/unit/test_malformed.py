"""A hundred malformed inputs: each is one diagnostic with a code and the right exit code, in little time and memory."""

from __future__ import annotations

import re

import pytest
from program import Answer, forked

TEXT, VALUE, LIMIT = 2, 1, 2

BRACKETS = """
( ((  (4,8  (4,8:(1,4)  [4:1  <4:1  {5 o 4:1  (4,(2,3):(1,(4,8))
)  (4,8))  4:1]  4:1>  }  <4:1,8:2>>  (4,8)):(1,4)
"""
OPERATORS = """
o  4:1 o  o 4:1  4:1 /  / 4:1  *  4:1 **  4:  :1  ==  not  and 1  4 8  (4 8)  4:1 8:1  (4,,8)  (,4)  <4 8>
4:1 ==  let  let = 4  assert
"""
CHARACTERS = ["4:1 \U0001f600", "\U0001f600", "$", "4:1 @ 8:1", "`4", "4\\1", "'4:1", "é:1", "\u202e4:1", "4:1\x01"]
CHARACTERS += ["\x7f", "\u200b4:1", "\ufeff\ufeff4:1", "4:1\x1b]31m", '"unterminated', "'", '"a" o 4:1']
WORDS = """
foo  coalese(4:1)  coalesce  foo(4:1)  L[0]  e  Sw  in  for  Sw<1>  Sw<1,2>  E<>  f  4@  @4  ?{div=0}:1
coalesce()  coalesce(4:1, 1, 2)  size()  4:1 + 8:1  coalesce(<4>)  1/0  7/2  1 % 0
"""
VALUES = """
(4,8):(1,4,5)  4:(1,2)  (4,0):(1,4)  0:1  -4:1  (4,-8):(1,4)  (4,8):1  ():1  4:1:2  true:1
(4,4):(2,e0)  (4,4):(e0,f1)  (2,2):(e0,e0.1)  Sw<3,0,1>(4)  Sw<2,0,-1>(4)
(4,8):(1,4)(1,2,3)  (4,8):(1,4)(1,(2,3))  4:1(1,2)  (4,8):(1,4)((1,2),3,4)
(4,6,8):(2,3,5) o 6:3  (4,6,8):(2,3,5) o 6:1  (8,8):(1,8) / <4,4,4>  (2,2):(1,1)^*
"""
LIMITS = [
    "(" * 10_000 + "4" + ")" * 10_000,
    "[" * 10_000 + "4:1" + "]" * 10_000,
    "9" * 3000 + ":1",
    "values((1000000,1000000):(1,1000000))",
    "4:" + "-" * 50_000 + "1",
    "-" * 50_000 + "1",
    "not " * 20_000 + "true",
]

# Two blanks or a line end stand between the inputs of a block.
CASES: list[tuple[str, int]] = [
    *((text, TEXT) for block in (BRACKETS, OPERATORS, WORDS) for text in re.split(r"  +|\n", block) if text),
    *((text, TEXT) for text in CHARACTERS),
    *((text, VALUE) for text in re.split(r"  +|\n", VALUES) if text),
    *((text, LIMIT) for text in LIMITS),
]


def laycalc(*arguments: str) -> Answer:
    """A second is the aim, a loaded machine gets four; little memory is the aim, and address space is more."""
    return forked(*arguments, cpu=4, memory=300 << 20)


def test_there_are_a_hundred() -> None:
    assert len({text for text, _ in CASES}) >= 100


@pytest.mark.parametrize(("text", "code"), CASES, ids=range(len(CASES)))
def test_one_diagnostic(text: str, code: int) -> None:
    done = laycalc("eval", "--", text)
    assert done.returncode == code, done.stderr[-500:]
    assert done.stdout == ""
    assert len(re.findall(r"^error\[LC\d\d\d\]", done.stderr, re.M)) == 1, done.stderr[-500:]
    assert "Traceback" not in done.stderr


def test_nul_bytes_in_a_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "nul.layout"
    path.write_bytes(b"4:1\x00")
    done = laycalc("eval", "-f", str(path))
    assert done.returncode == TEXT
    assert "LC101" in done.stderr


def test_a_table_of_a_trillion_cells() -> None:
    done = laycalc("table", "(1000000,1000000):(1,1000000)")
    assert done.returncode == 0
    assert "1000000" in done.stdout or "corner" in done.stdout + done.stderr


def test_a_picture_of_a_trillion_cells() -> None:
    done = laycalc("draw", "(1000000,1000000):(1,1000000)")
    assert done.returncode == LIMIT
    assert "LC104" in done.stderr
