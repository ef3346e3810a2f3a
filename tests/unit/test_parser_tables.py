"""The tables of the grammar: lark's, and the file that keeps them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from laycalc.grammar.syntax import compile_grammar, lalr_tables, parser
from laycalc.grammar.syntax.builders import BUILDERS
from laycalc.grammar.syntax.lalr_tables import Tables
from laycalc.grammar.syntax.lexer import END

GRAMMAR = lalr_tables.read(lalr_tables.GRAMMAR)


@pytest.fixture(scope="module")
def built() -> Tables:
    """What lark computes from the grammar."""
    return compile_grammar.compiled(GRAMMAR)


def test_a_grammar_that_was_edited_is_compiled_on_the_spot(
    built: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited = tmp_path / "layout.lark"
    edited.write_text(GRAMMAR + "\n// edited\n", encoding="utf-8")
    assert lalr_tables.load(GRAMMAR) == built
    assert lalr_tables.load(edited.read_text("utf-8")) is None
    monkeypatch.setattr(parser, "GRAMMAR", str(edited))
    asked: list[str] = []
    monkeypatch.setattr(compile_grammar, "compiled", lambda grammar: asked.append(grammar) or built)
    parser._machine.__wrapped__()
    assert asked == [edited.read_text("utf-8")]


def test_every_rule_has_its_builder(built: Tables) -> None:
    for rule in built.rules:
        assert rule.builder in BUILDERS if rule.builder else rule.size == 1
        assert rule.size != 1 or rule.kept == (-1,)


def test_lark_is_not_imported() -> None:
    program = "import sys; from laycalc import parse; parse('(4,8):(1,4)'); print('lark' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize("lexer", ["basic", "contextual"])
def test_lark_accepts_the_grammar_in_strict_mode(lexer: str) -> None:
    pytest.importorskip("interegular")
    lark = pytest.importorskip("lark")
    lark.Lark(GRAMMAR, parser="lalr", lexer=lexer, start="statement", strict=True)


def test_lark_sees_the_same_tokens() -> None:
    lark = pytest.importorskip("lark").Lark(GRAMMAR, parser="lalr", lexer="basic", start="statement")
    for text in (
        "assert admissible((128,64):(64,1) / <32,16>)",
        "x = Sw<3,4,3> o 0 o ((8,2),8):((8,64),f1)",
        "for M in {64,96,}, N in {8}: assert L[0](_, 3)^* <= {(0,2)} o [4:1;8:2] given 4 | M, 1 <= N <= 8",
        '((4,2),(3,7)) --(2,4,1,*)--> f("x", key=-?{div=8}) # done',
        "4:-2e0+3e1 === not_a_word.A",
    ):
        ours = [token[:3] for token in parser._machine().lexer(text) if token[0] != END]
        assert ours == [(token.type, str(token), token.start_pos) for token in lark.lex(text)]
