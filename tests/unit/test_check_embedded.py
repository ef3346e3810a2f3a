"""Where our lines stand in other languages: comments of C++ and Python, fences of Markdown."""

from __future__ import annotations

import io
import sysconfig
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from laycalc.cli.checks import cpp_comments, python_comments
from laycalc.cli.checks.checking import Job, check_file
from laycalc.cli.checks.embedded import Block, in_cpp, in_markdown, in_python
from laycalc.cli.checks.fences import fenced

ROOT = Path(__file__).parents[2]


def places(path: Path) -> list[tuple[str, int]]:
    return [(f.diagnostic.code, f.line) for r in check_file(str(path), Job()) for f in r.findings]


# -- Python ------------------------------------------------------------------------------------------------------


def tokenized(text: str) -> list[tuple[int, str]]:
    """Line and text of each comment, as Python itself sees them."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [(t.start[0], t.string.lstrip("#")) for t in tokens if t.type == tokenize.COMMENT]


def scanned(text: str) -> list[tuple[int, str]]:
    """The same, as our scanner sees them."""
    found = python_comments.comments(text)
    return [(text.count("\n", 0, c.start) + 1, text[c.start : c.end]) for c in found]


def sources() -> Iterator[Path]:
    """Files of the house, and some of the standard library."""
    for room in ("cli", "grammar", "algebra", "tests"):
        yield from sorted((ROOT / room).rglob("*.py"))[::4]
    yield from sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[::7]


def test_comments_of_python_are_those_that_tokenize_finds() -> None:
    files = [path.read_bytes() for path in sources()]
    texts = [data.decode("utf-8").replace("\r\n", "\n") for data in files if b"\f" not in data]
    assert len(texts) > 100
    for text in texts:
        assert scanned(text) == tokenized(text), text[:200]


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ('f"{a["b"]} # no" # yes', [" yes"]),
        ("f'{x:#x}' # yes", [" yes"]),
        ("f'{x:>{w}}}}' # yes", [" yes"]),
        ("f'{{ # no' # yes", [" yes"]),
        ("f'{(lambda: 1)()} # no' # yes", [" yes"]),
        ('f"{f"{f"{1}"}"} # no" # yes', [" yes"]),
        ("rf'\\{x} # no' # yes", [" yes"]),
        ("f'\\N{NUMBER SIGN}{x} # no' # yes", [" yes"]),
        ('f"""{\n  x # yes\n} # no""" # also', [" yes", " also"]),
        ('if"# no": x # yes', [" yes"]),
        ("'''# no\n'''# yes", [" yes"]),
        ("r'\\' # no' # yes", [" yes"]),
        ("'# no \\\n # no' # yes", [" yes"]),
        ("x = 'open # no\ny # yes", [" yes"]),
        ("{'a': b} # yes", [" yes"]),
    ],
)
def test_what_is_a_comment_of_python(text: str, comments: list[str]) -> None:
    assert [comment for _, comment in scanned(text)] == comments


def test_a_docstring_is_no_comment(tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    path.write_text('"""Write\n\n# laycalc: assert 1 == 2\n"""\nx = 1  # laycalc: assert 1 == 3\n')
    assert places(path) == [("LC501", 5)]


def test_a_string_without_an_end_is_told(tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    path.write_text('x = """\n# laycalc: assert 1 == 2\n')
    assert places(path) == [("LC101", 1)]
    path.write_text('x = """\n# nothing of ours\n')
    assert places(path) == []


@pytest.mark.parametrize("text", ["f'{" * 20_000, "f'{x:" * 20_000, "}" * 100_000, "f'" + "}a" * 50_000, "'" * 99_999])
def test_hostile_python_is_scanned(text: str) -> None:
    assert len(list(python_comments.comments(text))) <= 1


# -- C++ ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ('auto s = "// no"; // yes', [" yes"]),
        ('auto s = R"(\n// no )"; // yes', [" yes"]),
        ('auto s = u8R"x(// no )" )x"; // yes', [" yes"]),
        ("int n = 1'000'000; // yes", [" yes"]),
        ("char c = '\"'; // yes", [" yes"]),
        ("auto c = 'ab//'; // yes", [" yes"]),
        ("#include <a//b>\n// yes", [" yes"]),
        ("// yes \\\n and on\n// also", [" yes \\\n and on", " also"]),
        ("/\\\n/ yes", [" yes"]),
        ("/* yes *\\\n/ x // also", [" yes ", " also"]),
        ('auto s = "a \\\n// no"; // yes', [" yes"]),
        ('auto x = FOOR"(// no";', []),
        ("// don't\n// yes", [" don't", " yes"]),
        ("x = a / b; // yes", [" yes"]),
        ("/* open", [" open"]),
    ],
)
def test_what_is_a_comment_of_cpp(text: str, comments: list[str]) -> None:
    assert [text[c.start : c.end] for c in cpp_comments.comments(text)] == comments


def test_a_raw_string_without_an_end_is_told(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text('// laycalc: assert 1 == 3\nauto s = R"(\n// laycalc: assert 1 == 2\n')
    assert places(path) == [("LC501", 1), ("LC101", 2)]


@pytest.mark.parametrize(
    "text", ['R"a(' * 50_000, '"' * 99_999, "/* " * 50_000, "\\\n" * 50_000, "'" * 99_999, "1'" * 50_000]
)
def test_hostile_cpp_is_scanned(text: str) -> None:
    assert len(list(cpp_comments.comments(text))) <= 1


# -- Markdown ----------------------------------------------------------------------------------------------------

PIECES = (
    *("```layout", "```", "````", "~~~ layout", "~~~", "> ", "- ", "1. ", "2) ", "* ", "  ", "    ", "\t", " ", "x"),
    *(
        "# h",
        "===",
        "---",
        "<div>",
        "</div>",
        "<!--",
        "-->",
        "<b>",
        "`a`",
        "```a`b",
        "+",
        "1.",
        "<pre>",
        "</pre>",
        "***",
    ),
)
LINES = st.lists(st.lists(st.sampled_from(PIECES), max_size=4).map("".join), min_size=1, max_size=8)


@given(LINES)
def test_fences_are_those_that_commonmark_finds(lines: list[str]) -> None:
    markdown = pytest.importorskip("markdown_it")
    # markdown-it takes a deeply indented > for a block quote that goes on; the specification allows three blanks.
    assume(
        not any(line.lstrip().startswith(">") and len(line.expandtabs(4)) - len(line.lstrip()) > 3 for line in lines)
    )
    reader = markdown.MarkdownIt("commonmark")
    reader.core.ruler.enableOnly(["normalize", "block"])
    theirs = [
        (token.map[0] + 1 + k, token.info.strip())
        for token in reader.parse("\n".join(lines) + "\n")
        if token.type == "fence"
        for k, text in enumerate(token.content.split("\n")[:-1])
        if text.strip()
    ]
    assert [(n, info) for n, at, info, _ in fenced(lines) if lines[n][at:].strip()] == theirs


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("> ```layout\n> 4:1\n> ```\n", ["  4:1"]),
        ("- a\n\n  ```layout\n  4:1\n  ```\n", ["  4:1"]),
        ("    ```layout\n    4:1\n    ```\n", []),
        ("<!--\n```layout\n4:1\n```\n-->\n", []),
        ("```layout\n4:1\n", ["4:1", ""]),
        ("~~~~layout\n4:1\n~~~\n8:1\n~~~~\n", ["4:1", "~~~", "8:1"]),
        ("````\n```layout\n4:1\n```\n````\n", []),
        ("```layouts\n4:1\n```\n", []),
    ],
)
def test_blocks_of_markdown(text: str, lines: list[str]) -> None:
    found = [line for block in in_markdown(text.split("\n")) if isinstance(block, Block) for line in block.texts]
    assert found == lines


# -- each block is read alone ------------------------------------------------------------------------------------


def test_an_open_bracket_does_not_swallow_the_next_comment(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("// laycalc: 4:1 == (4\nint x;\n// laycalc: 1:1)\nint y;\n// laycalc: assert 1 == 2\n")
    assert places(path) == [("LC101", 1), ("LC101", 3), ("LC501", 5)]


def test_an_open_bracket_does_not_swallow_the_next_fence(tmp_path: Path) -> None:
    path = tmp_path / "d.md"
    path.write_text("```layout\n(4,8\n```\nText\n```layout\n2):(1,4)\n```\n")
    assert places(path) == [("LC101", 2), ("LC101", 6)]


@pytest.mark.parametrize(("finder", "mark"), [(in_cpp, "//"), (in_python, "#")])
def test_neighbouring_comments_are_one_block(finder: object, mark: str) -> None:
    lines = [f"{mark} laycalc: size(", f"  {mark} laycalc: (4,8))", "x", f"{mark} laycalc: 4:1"]
    blocks = list(finder(lines))  # type: ignore[operator]
    assert [(block.first, len(block.texts)) for block in blocks] == [(0, 2), (3, 1)]


def test_our_own_files_are_read_as_python() -> None:
    found = [f for path in (ROOT / "cli").rglob("*.py") for r in check_file(str(path), Job()) for f in r.findings]
    assert found == []
