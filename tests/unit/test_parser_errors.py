"""Texts that are not of the language: what is said, where, and what is tried next."""

from __future__ import annotations

import time

import pytest

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.syntax import nodes
from laycalc.grammar.syntax.limits import DEPTH, DIGITS, MISTAKES, NESTING, TEXT
from laycalc.grammar.syntax.parser import parse, statements
from laycalc.grammar.syntax.syntax_slips import LOOKALIKES, SLIPS


def fault(text: str) -> Diagnostic:
    with pytest.raises(Failure) as raised:
        parse(text)
    return raised.value.diagnostic


# The text with its label between « and »; what is said; the label; the repair.
SAID = [
    # brackets
    ("«(»4,8", "`(` is never closed", "its `)` is missing", "(4,8)"),
    ("f«(»(4,8):(1,4)", "`(` is never closed", "its `)` is missing", "f((4,8):(1,4))"),
    ("«[»4:1;8:2", "`[` is never closed", "its `]` is missing", "[4:1;8:2]"),
    ("A / «<»4,8", "`<` is never closed", "its `>` is missing", "A / <4,8>"),
    ("f«(»(4,8); x = 3", "`(` is never closed", "its `)` is missing", "f((4,8)); x = 3"),
    ("f(4)«)»", "this `)` closes nothing", "no bracket is open", "f(4)"),
    ("(4,8«]»", "`(` is closed by `]`", "expected `)`", "(4,8)"),
    ("(<4,8«)»", "`<` is closed by `)`", "expected `>`", "(<4,8>)"),
    # separators
    ("(4 «8»):(1,4)", "a comma is missing before `8`", "expected an operator, `,` or `)`", "(4, 8):(1,4)"),
    ("(4«;»8)", "`;` separates statements", "between items stands `,`", "(4,8)"),
    ("(4,8)«,»(1,4)", "`,` stands between shape and stride", "expected `:`", "(4,8):(1,4)"),
    (
        "4«,»8",
        "`,` stands outside of brackets",
        "a tuple is written (4,8), a layout shape:stride",
        "(4,8)",
    ),
    ("(4,«,»8)", "an item is missing before `,`", "expected an operand or `)`", "(4,8)"),
    ("L[«:»,3]", "`_` stands for a whole mode", "write `_`", "L[_,3]"),
    (
        "{4«,»8} o L",
        "`{ }` before ` o ` holds one offset",
        "an offset with several coordinates is written {(0,2)}",
        None,
    ),
    # operands and operators
    ("A o«»", "an operand is missing after `o`", "expected an operand", None),
    ("A +« »* B", "an operand is missing after `+`", "expected an operand", None),
    ("(4 +« »)", "an operand is missing after `+`", "expected an operand", None),
    ("«*» 4", "an operand is missing before `*`", "expected an operand", None),
    ("4 «8»", "an operator is missing between `4` and `8`", "expected an operator or the end of the statement", None),
    (
        "coalesce «L»",
        "an operator is missing between `coalesce` and `L`",
        "expected an operator or the end of the statement",
        "coalesce(L)",
    ),
    ("a «&&» b", "`&` is not an operator", "write `and`", "a and b"),
    ("a |«|» b", "`||` is not an operator", "write `or`", "a or b"),
    ("«!»a", "`!` is not an operator", "write `not`", "not a"),
    ("a *«*» 2", "there is no power", "a second `*`", None),
    ("A«^»2", "`^` is followed by `*`, `-1`, `R` or `L`", "as in A^* A^-1 A^R A^L", None),
    ("A -«-»> B", "an arrow carries its map", "as in (4,8) --(2,1)--> (8,4)", None),
    ("<4 «==» 8>", "a comparison inside `< >` needs round brackets", "`>` would be the end of the tiler", None),
    ("a «not» in {4}", "`not` stands before a whole relation", "as in not M in {64}", None),
    ("L[«]»", "an index is missing between `[` and `]`", "expected an operand", None),
    ("L.«»", "a name is missing after `.`", "expected a name", None),
    # numbers, texts, characters
    ("4.«5»", "there are no decimal numbers", "a fraction", None),
    ("«0x1F»", "numbers are written in decimal", "not a number of this language", None),
    ("A + «4o8»", "`4o8` is neither a number nor a name", "expected an operand", None),
    ('«"abc»', "the text is not closed", 'its second `"` is missing', '"abc"'),
    ("f(«'f16'»)", "a text stands in double quotes", 'write `"`', 'f("f16")'),
    ("4«−»2", "`−` (U+2212 MINUS SIGN) is not part of the language", "write `-`", "4-2"),
    ("«（»4，8）", "`（` (U+FF08 FULLWIDTH LEFT PARENTHESIS) is not part of the language", "write `(`", "(4,8)"),
    ("4«\u00a0»+ 2", "U+00A0 (NO-BREAK SPACE) is not part of the language", "write a blank", "4 + 2"),
    ("L «😀»", "`😀` (U+1F600 GRINNING FACE) is not part of the language", "not part of the language", None),
    ("4«\0»", "U+0000 (a control character) is not part of the language", "not part of the language", None),
    ("4«\x1b»[0m", "U+001B (a control character) is not part of the language", "not part of the language", None),
    ("«\udc80»", "U+DC80 (unnamed) is not part of the language", "not part of the language", None),
    ("4 «$» 8", "`$` is not part of the language", "expected an operator or the end of the statement", None),
    # statements
    ("assert size(L) «=» 4", "`=` binds a name; equality is `==`", "expected `==`", "assert size(L) == 4"),
    ("«o» = 4", "`o` is a reserved word", "it cannot be a name", None),
    ("let «in» = 4", "`in` is a reserved word", "it cannot be a name", None),
    ("assert«»", "an operand is missing after `assert`", "expected an operand", None),
    ("x =« »# later", "an operand is missing after `=`", "expected an operand", None),
    ("for M «{»64}: M", "`in` is missing", "expected `in`", None),
    ("for M in «(»64,96): M", "after `in` the values stand in braces: {64, 96}", "expected `{`", None),
    (
        "4 «assert» x",
        "`assert` begins a statement of its own",
        "expected an operator or the end of the statement",
        "4; assert x",
    ),
    (
        "include «tiles»",
        'the file to include stands in double quotes: include "tiles.layout"',
        "expected a text in double quotes",
        None,
    ),
    # other languages
    ("«Int<4>»", "this looks like C++", "not of this language", None),
    ("«Layout<Shape»<_4,_8>,Stride<_1,_4>>{}", "this looks like C++", "not of this language", None),
    ("cute«::»Layout", "this looks like C++", "not of this language", None),
    ("(«_4{}»,8)", "this looks like C++", "not of this language", None),
    ("Sw<3«,»4>", "a swizzle has three numbers", "written Sw<B,M,S>", None),
]


@pytest.mark.parametrize(("marked", "message", "label", "repair"), SAID, ids=[row[0] for row in SAID])
def test_slip(marked: str, message: str, label: str, repair: str | None) -> None:
    text = marked.replace("«", "").replace("»", "")
    diagnostic = fault(text)
    (mark,) = diagnostic.labels
    if mark.start != mark.end or "«»" in marked:
        assert f"{text[: mark.start]}«{text[mark.start : mark.end]}»{text[mark.end :]}" == marked
    else:
        assert marked.startswith(text[: mark.start] + "«")
    assert (diagnostic.code, diagnostic.name, diagnostic.message) == ("LC101", "syntax", message)
    assert mark.text == label
    assert [suggestion.expr for suggestion in diagnostic.suggestions] == ([repair] if repair else [])
    assert diagnostic.source == text
    if repair:
        parse(repair)


@pytest.mark.parametrize("text", ["4//2", "f(128//8)", "128 // 8", "f(128 // 8)", "x = 4// rest"])
def test_a_comment_after_a_number(text: str) -> None:
    diagnostic = fault(text)
    assert (diagnostic.code, diagnostic.name) == ("LC105", "comment-after-number")
    assert text[diagnostic.labels[0].start : diagnostic.labels[0].end] == "//"


@pytest.mark.parametrize("text", ["4 // two", "// 8", "4\n// 8", "(4,8) // 32", "4 # 8", "x = 4 // 8 warps"])
def test_a_comment_all_the_same(text: str) -> None:
    assert len(parse(text).statements) <= 1


def test_cpp_that_is_not_known_is_called_cpp() -> None:
    assert fault("Int<4>").notes[0].startswith("C++ types and calls")


def test_long_tokens_are_cut_in_messages() -> None:
    assert len(fault("(4 " + "a" * 10_000).message) < 100


def test_every_slip_is_complete() -> None:
    for slip in SLIPS:
        assert slip.message and slip.label and slip.at in {"found", "before", "gap", "open", "anywhere"}
    assert not any(" " < character < "\x7f" for character in LOOKALIKES)


# ---- reading on ----


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("4 8\n5", ["5"]),
        ("4 8; 5", ["5"]),
        ("(4 8,\n 2)\n5", ["5"]),
        ("(4 8\nx = 2", ["x = 2"]),
        ("x = f((4,8)\nassert y\nz = 3", ["assert y", "z = 3"]),
        ("x = (4,\n8\nlet y = 2", ["let y = 2"]),
        ("4 )\n5", ["5"]),
        ('"abc\n5', ["5"]),
        ("4 +\n5", ["5"]),
        ("4 (\n", []),
    ],
)
def test_reading_goes_on(text: str, good: list[str]) -> None:
    items = list(statements(text))
    assert sum(isinstance(item, Diagnostic) for item in items) == 1
    assert [text[i.span.start : i.span.end] for i in items if isinstance(i, nodes.Statement)] == good


def test_reading_ends_after_many_mistakes() -> None:
    items = list(statements("4 8\n" * (MISTAKES + 5)))
    assert len(items) == MISTAKES + 1
    assert isinstance(items[-1], Diagnostic) and items[-1].code == "LC104"
    assert items[-1].labels[0].start == 4 * MISTAKES


# ---- limits ----


def nested(opening: str, inner: str, closing: str, times: int = NESTING) -> str:
    return opening * times + inner + closing * times


@pytest.mark.parametrize(
    "text",
    [
        nested("(", "4", ")"),
        nested("(", "4", ",)"),
        nested("<", "4", ">"),
        nested("[", "4", "]"),
        nested("f(", "4", ")"),
        nested("-(", "4", ")"),
        nested("(1,", "4", ")") + ":" + nested("(1,", "4", ")"),
        "L" + "[0]" * (DEPTH - 3),
        "1" + "+1" * (DEPTH - 3),
        "(" + "1," * 5_000 + ")",
        "9" * DIGITS,
        "e0" + ".0" * (NESTING - 1),
    ],
    ids=lambda text: text[:6],
)
def test_large_but_legal(text: str) -> None:
    assert len(parse(text).statements) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (nested("(", "4", ")", NESTING + 1), "brackets are nested more than 200 deep"),
        (nested("(", "4", ")", 10_000), "brackets are nested more than 200 deep"),
        ("(" * (TEXT - 1), "brackets are nested more than 200 deep"),
        (nested("<", "4", ">", NESTING + 1), "brackets are nested more than 200 deep"),
        ("1" + "+1" * 100_000, "operators and brackets make more than 500 levels"),
        ("L" + "[0]" * 100_000, "operators and brackets make more than 500 levels"),
        ("-" * 10_000 + "1", "operators and brackets make more than 500 levels"),
        ("9" * (DIGITS + 1), "an integer has more than 2,000 digits"),
        ("4:-" + "9" * 100_000, "an integer has more than 2,000 digits"),
        ("f" + "9" * 100_000, "an integer has more than 2,000 digits"),
        ("e" + "9" * 100_000, "an integer has more than 2,000 digits"),
        ("?{div=" + "9" * 100_000 + "}", "an integer has more than 2,000 digits"),
        ("Sw<3,4," + "9" * 100_000 + ">", "an integer has more than 2,000 digits"),
        ("4 --(" + "9" * 100_000 + ")--> 4", "an integer has more than 2,000 digits"),
        ("e0" + ".0" * NESTING, "a path has more than 200 indices"),
        ("4" * (TEXT + 1), "the text has more than 1,048,576 characters"),
    ],
    ids=lambda text: text[:12],
)
def test_limit(text: str, message: str) -> None:
    start = time.process_time()
    diagnostic = fault(text)
    assert (diagnostic.code, diagnostic.name, diagnostic.message) == ("LC104", "limit", message)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "((4 8\n",
        '"\\',
        "4 // 8",
        "1@",
        "e0-",
        "0e0",
        "S<1,",
        "?{",
        "--(1,",
        "x=(4 8\n",
        "f(\nx=1,\n",
        "\0",
        "'",
        "<",
        ">",
    ],
)
def test_no_text_takes_long(piece: str) -> None:
    """Quadratic time would show at this length."""
    start = time.process_time()
    list(statements(piece * (60_000 // len(piece))))
    assert time.process_time() - start < 3
