"""The tables of the grammar: lark's, ours, and the file that keeps them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from laycalc.grammar.syntax import lalr_tables, parser
from laycalc.grammar.syntax.builders import BUILDERS
from laycalc.grammar.syntax.lalr_tables import Rule, Tables
from laycalc.grammar.syntax.lexer import END

GRAMMAR = Path(parser.__file__).with_name("layout.lark").read_text(encoding="utf-8")
SMALL = Tables("(?P<END>)", {"o": "O"}, [{"INTEGER": 1, "atom": ~0}], [Rule("atom", 1, "integer", (-1,))], 0)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache directory of our own."""
    monkeypatch.setenv("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "laycalc"


@pytest.fixture(scope="module")
def built() -> Tables:
    """What lark computes from the grammar."""
    return parser._build(GRAMMAR)


class Build:
    """Stands for lark; counts how often it is asked."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, grammar: str) -> Tables:
        self.calls += 1
        return SMALL


def test_built_once(home: Path) -> None:
    build = Build()
    assert lalr_tables.load("grammar", build) == lalr_tables.load("grammar", build) == SMALL
    assert build.calls == 1
    assert len(list(home.iterdir())) == 1


def test_another_grammar_is_built_again(home: Path) -> None:
    build = Build()
    lalr_tables.load("grammar", build)
    lalr_tables.load("grammar!", build)
    assert build.calls == 2


def test_a_file_of_another_grammar_is_refused(home: Path) -> None:
    build = Build()
    lalr_tables.load("grammar", build)
    (file,) = home.iterdir()
    file.rename(lalr_tables._path("grammar!"))
    lalr_tables.load("grammar!", build)
    assert build.calls == 2


@pytest.mark.parametrize("damage", [b"", b"xyz", b"\0\0\0\0", None], ids=["empty", "short", "zero", "one bit"])
def test_a_damaged_file_is_replaced(home: Path, damage: bytes | None) -> None:
    build = Build()
    lalr_tables.load("grammar", build)
    (file,) = home.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]) if damage is None else damage)
    assert lalr_tables.load("grammar", build) == SMALL
    assert build.calls == 2
    assert file.read_bytes() == whole


def test_a_place_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "file"))
    build = Build()
    assert lalr_tables.load("grammar", build) == SMALL
    assert build.calls == 1


@pytest.mark.skipif(sys.platform == "win32", reason="owners and modes of POSIX")
class TestPosix:
    def test_only_the_user_may_read_it(self, home: Path) -> None:
        lalr_tables.load("grammar", Build())
        (file,) = home.iterdir()
        assert (home.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)

    @pytest.mark.parametrize("mode", [0o620, 0o602])
    def test_a_file_that_others_may_write_is_refused(self, home: Path, mode: int) -> None:
        build = Build()
        lalr_tables.load("grammar", build)
        (file,) = home.iterdir()
        file.chmod(mode)
        lalr_tables.load("grammar", build)
        assert build.calls == 2
        assert file.stat().st_mode & 0o777 == 0o600

    def test_a_file_of_somebody_else_is_refused(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        build = Build()
        lalr_tables.load("grammar", build)
        monkeypatch.setattr(os, "getuid", lambda: 12345)
        lalr_tables.load("grammar", build)
        assert build.calls == 2

    def test_a_pipe_is_refused(self, home: Path) -> None:
        home.mkdir()
        os.mkfifo(lalr_tables._path("grammar"))
        build = Build()
        assert lalr_tables.load("grammar", build) == SMALL
        assert build.calls == 1

    def test_a_relative_directory_is_ignored(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", "here")
        monkeypatch.setenv("HOME", str(tmp_path))
        assert lalr_tables._path("grammar").startswith(str(tmp_path / ".cache" / "laycalc"))


def test_what_is_kept_is_what_lark_computes(home: Path, built: Tables) -> None:
    assert lalr_tables.load(GRAMMAR, lambda grammar: built) == built
    assert lalr_tables.load(GRAMMAR, Build()) == built


def test_every_rule_has_its_builder(built: Tables) -> None:
    for rule in built.rules:
        assert rule.builder in BUILDERS if rule.builder else rule.size == 1
        assert rule.size != 1 or rule.kept == (-1,)


def test_lark_is_not_imported_when_the_tables_are_kept(home: Path) -> None:
    program = "import sys; from laycalc import parse; parse('(4,8):(1,4)'); print('lark' in sys.modules)"
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True) for _ in "12"]
    assert [run.stdout.strip() for run in runs] == ["True", "False"]


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
