"""`laycalc check` reads what `eval -f` reads: C++ types, Python calls, prints and types of MLIR."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from laycalc.cli.checks.checking import Job, check_file
from laycalc.grammar.run.statements import run

GOLDEN = Path(__file__).parents[1] / "golden" / "pasted_forms.jsonl"
TEXTS = [json.loads(line)["literal"] for line in GOLDEN.read_text(encoding="utf-8").splitlines()]

LINES = """
assert size(Layout<Shape<_4,_8>,Stride<_8,_1>>{}) == 32
assert Layout<Shape<_4,_8>,Stride<_8,_1>>{} == (4,8):(8,1)
A = cute.make_layout((4, 8), stride=(8, 1))
assert A == (4,8):(8,1)
assert (_4,_8):(_8,_1) == A
B = make_layout(make_shape(Int<4>{}, Int<8>{}), LayoutRight{})
assert B == A
assert !cute.layout<"(4,8):(8,1)"> == A
assert Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1) == Sw<3,3,3> o 0 o (8,64):(64,1)
"""


def found(path: Path, text: str) -> list[tuple[str, int]]:
    path.write_text(text, encoding="utf-8", newline="")
    return [(f.diagnostic.code, f.line) for r in check_file(str(path), Job(listing=True)) for f in r.findings]


@pytest.mark.parametrize("name", ["a.layout", "a.cu", "a.py", "a.md"])
def test_every_line_is_read(name: str, tmp_path: Path) -> None:
    marks = {"a.cu": "// laycalc: ", "a.py": "# laycalc: "}
    lines = [f"{marks.get(name, '')}{line}" for line in LINES.strip().splitlines()]
    text = "\n".join(["```layout", *lines, "```"] if name == "a.md" else lines)
    assert found(tmp_path / name, f"{text}\n") == []


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_what_eval_reads_is_read(text: str, tmp_path: Path) -> None:
    codes = [code for code, _ in found(tmp_path / "a.layout", text)]
    assert [code for code in codes if not code.startswith("LC4")] == [o.error.code for o in run(text) if o.error]


def test_a_finding_in_a_foreign_text_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    text = "int x;\n\n// laycalc: assert 1 == 1\n// laycalc: assert size(Layout<Shape<_4,_8>>{}) == 31\n"
    path.write_text(text)
    (finding,) = [f for r in check_file(str(path), Job()) for f in r.findings]
    assert (finding.diagnostic.code, finding.line, finding.column, finding.end_column) == ("LC501", 4, 20, 48)
    assert "32 == 31" in finding.diagnostic.message
    assert "read as assert size((4,8):(1,4)) == 31" in finding.diagnostic.notes


def test_a_piece_that_cannot_be_read_leaves_the_others_their_answers(tmp_path: Path) -> None:
    text = "assert 1 == 1\nA = Layout<Shape<_4,_8>,Stride<_8\nassert Layout<_4,_2>{} == 4:3\nassert 1 == 2\n"
    assert [code for code, line in found(tmp_path / "a.layout", text)] == ["LC101", "LC501", "LC501"]


def test_a_form_that_cannot_be_read_leaves_the_others_their_answers(tmp_path: Path) -> None:
    text = "assert 1 == 2\n<< {sizePerThread = [1, 4]}>\n#ttg.blocked<{}>\nassert 1 == 3\n"
    assert ("LC501", 4) in found(tmp_path / "a.layout", text)


def test_a_comment_that_looks_foreign_is_a_comment(tmp_path: Path) -> None:
    text = "assert 1 == 2\n#ttg.blocked<{sizePerThread = [1, 4]}>\nassert 1 == 3\n"
    assert found(tmp_path / "a.layout", text) == [("LC501", 1), ("LC501", 3)]
