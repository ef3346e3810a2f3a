"""The command line: results on standard output, diagnostics on standard error, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from program import laycalc

from laycalc.cli.main import main

FIGURE_6 = "((4,8),2):((16,1),8)"
ATOM = "SM80_16x8x16_F32F16F16F32_TN"


def test_the_main_job() -> None:
    done = laycalc("((2,2),(4,2)):((1,8),(2,16)) / <4:1,8:2>")
    assert done.returncode == 0
    assert done.stdout == "(((2,2),1),((2,4),2)):(((1,8),0),((4,16),2))\n"
    assert "LC402" in done.stderr
    assert "8:2" in done.stderr
    assert "8 elements" in done.stderr
    assert "16 elements" in done.stderr


def test_several_expressions_give_one_result_each() -> None:
    done = laycalc("4:1", "foo", "8:2")
    assert done.stdout == "4:1\n8:2\n"
    assert "LC102" in done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize("expression", ["-4", "-(4)", "-2e0"])
def test_an_expression_may_begin_with_a_minus(expression: str) -> None:
    done = laycalc("--", expression) if expression.startswith("-2e") else laycalc(expression)
    assert "No such option" not in done.stderr


def test_standard_input_and_definitions() -> None:
    done = laycalc("-", "-D", "M=8", stdin="(M,4):(1,M)")
    assert done.stdout == "(8,4):(1,8)\n"


def test_json() -> None:
    done = laycalc("--json", "(8,16):(20,1) / <4:1,8:2>")
    found = json.loads(done.stdout)
    assert found["schema"] == 1
    assert found["kind"] == "layout"
    assert found["value"] == "((4,2),(8,2)):((20,80),(2,1))"
    bad = json.loads(laycalc("--json", "(4,6,8):(2,3,5) o 6:3").stdout)
    assert bad["ok"] is False
    assert bad["error"]["code"] == "LC301"
    assert bad["error"]["facts"]["stride"] == 3
    assert bad["error"]["facts"]["prefix"] == 4


def test_jsonl_goes_on_after_a_bad_line() -> None:
    lines = '4:1\n{"id":"a","expr":"(4,6,8):(2,3,5) o 6:3"}\n{"expr":\n\n8:2\n'
    done = laycalc("eval", "--jsonl", "-", stdin=lines)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [f["ok"] for f in found] == [True, False, False, True]
    assert found[1]["id"] == "a"
    assert found[1]["error"]["labels"][0]["start"] == 1
    assert done.returncode == 2


def test_pasted_text_is_read_and_said() -> None:
    done = laycalc("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)")
    assert done.stdout == "Sw<3,3,3> o 0 o (8,64):(64,1)\n"
    assert "counts bytes" in done.stderr


def test_no_escape_codes_off_a_terminal() -> None:
    done = laycalc("(4,6,8):(2,3,5) o 6:3")
    assert "\x1b" not in done.stdout + done.stderr
    forced = laycalc("(4,6,8):(2,3,5) o 6:3", env={"FORCE_COLOR": "1"})
    assert "\x1b" in forced.stderr
    both = laycalc("(4,6,8):(2,3,5) o 6:3", env={"FORCE_COLOR": "1", "NO_COLOR": "1"})
    assert "\x1b" not in both.stderr


def test_a_closed_pipe_ends_quietly() -> None:
    command = f"{sys.executable} -m laycalc atom | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert done.stderr == ""


def test_the_first_start_needs_no_picture_library() -> None:
    code = (
        "import sys; sys.argv = ['laycalc', '(8,16):(20,1) / <4:1,8:2>']\n"
        "from laycalc.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('rich', 'numpy', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.splitlines()[-1] == "[]"


def test_table_formats() -> None:
    assert "0  4  8" in laycalc("table", "(4,8):(1,4)").stdout
    assert laycalc("table", "(2,2):(1,2)", "--format", "csv").stdout.count("\n") >= 2
    assert json.loads(laycalc("table", "(2,2):(1,2)", "--format", "json").stdout)
    assert "|" in laycalc("table", "(2,2):(1,2)", "--format", "markdown").stdout


@pytest.mark.parametrize(
    ("ending", "magic"), [("svg", b"<"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("tex", b"\\"), ("html", b"<!")]
)
def test_draw_takes_the_format_from_the_ending(tmp_path: Path, ending: str, magic: bytes) -> None:
    path = tmp_path / f"figure.{ending}"
    done = laycalc("draw", FIGURE_6, "--tile", "8x8", "-o", str(path))
    assert done.returncode == 0, done.stderr
    assert path.read_bytes().lstrip()[: len(magic)].lower() == magic.lower()


def test_draw_names_every_owner(tmp_path: Path) -> None:
    path = tmp_path / "tv.svg"
    laycalc("draw", FIGURE_6, "--tile", "8x8", "-o", str(path))
    text = path.read_text()
    assert "T31" in text
    assert "V1" in text


def test_draw_into_a_folder_that_is_not_there() -> None:
    done = laycalc("draw", "4:1", "-o", "/nowhere/figure.svg")
    assert done.returncode == 2
    assert "LC103" in done.stderr


def test_check(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.layout", tmp_path / "good.layout"
    bad.write_text("assert admissible((4,6,8):(2,3,5) o 6:3)\n")
    good.write_text("A = (8,16):(20,1)\nassert admissible(A / <4,8>)\nassert size(A) == 128\n")
    done = laycalc("check", str(bad))
    assert done.returncode == 1
    report = done.stdout + done.stderr
    assert "LC301" in report
    assert "stride 3" in report
    assert "prefix product 4" in report
    assert laycalc("check", str(good)).returncode == 0


def test_info() -> None:
    lines = {line[:16].strip(): line[16:] for line in laycalc("info", FIGURE_6).stdout.splitlines()}
    assert lines["size"] == "64"
    assert lines["compact"] == "yes"
    assert lines["as thread-value"].startswith("32 threads of 2 values")
    found = json.loads(laycalc("info", "--json", "(4,8):(1,5)").stdout)
    assert found["gaps"]["count"] == 7
    assert found["tractable"] is False


def test_why() -> None:
    done = laycalc("why", "(4,3):(1,5)", "3:2")
    assert done.returncode == 1
    assert "level 5" in done.stdout
    assert json.loads(laycalc("why", "(4,8):(1,4)", "4:1", "--json").stdout)["level"] <= 3


def test_atom() -> None:
    assert "16x8x16" in laycalc("atom", ATOM).stdout
    assert laycalc("atom", ATOM, "--owner", "C 5,3").stdout == "T21V1\n"
    assert laycalc("atom", ATOM, "--csv", "C").stdout.splitlines()[1] == "C,0,0,v0,0,0"
    assert len(laycalc("atom", "--arch", "SM75", "--kind", "copy").stdout.splitlines()) == 7
    assert "T28 V1" in laycalc("atom", ATOM, "--picture").stdout
    missing = laycalc("atom", "SM80_16x8x16_F32F16F16F33")
    assert missing.returncode == 2
    assert ATOM in missing.stderr
    assert json.loads(laycalc("atom", ATOM, "--json").stdout)["threads"] == 32


def test_banks() -> None:
    done = laycalc("banks", "(32,64):(64,1)", "--bits", "16", "--vector", "8", "--lanes", "column", "--suggest")
    assert done.returncode == 1
    assert "8-way" in done.stdout
    assert "Sw<3,3,3>" in done.stdout
    assert "Sw<3,4,3>" in done.stdout
    assert "in global memory" in done.stdout
    free = laycalc("banks", "Sw<3,3,3> o 0 o (32,64):(64,1)", "--bits", "16", "--vector", "8", "--lanes", "column")
    assert free.returncode == 0
    raw = laycalc(
        "banks", "--jsonl", "-", stdin=json.dumps({"op": "ld4", "offsets": [128 * t for t in range(32)]}) + "\nx\n"
    )
    first, second = map(json.loads, raw.stdout.splitlines())
    assert first["wavefronts"] == 32
    assert second["ok"] is False


def test_vector() -> None:
    done = laycalc("vector", "(4,8):(1,4)", "(4,8):(1,6)", "--bits", "16")
    assert done.returncode == 1
    assert done.stdout.startswith("32 bits")


def test_to_and_from() -> None:
    assert laycalc("to", "cpp", "(4,8):(8,1)").stdout == "Layout<Shape<_4,_8>,Stride<_8,_1>>{}\n"
    assert laycalc("from", "Layout<Shape<_4,_8>,Stride<_8,_1>>{}").stdout == "(4,8):(8,1)\n"
    encoding = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>"
    done = laycalc("from", encoding, "--shape", "128x64")
    assert done.stdout == "((4,32),(4,4,4)):((4e1,e0),(e1,16e1,32e0))\n"


def test_diff(tmp_path: Path) -> None:
    assert laycalc("diff", "8:1", "(2,4):(1,2)").returncode == 0
    done = laycalc("diff", "(4,8):(8,1)", "(4,8):(8,2)")
    assert done.returncode == 1
    assert "28 of 32" in done.stdout
    path = tmp_path / "difference.svg"
    assert laycalc("diff", "(4,8):(8,1)", "(4,8):(8,2)", "-o", str(path)).returncode == 1
    assert path.exists()


@pytest.mark.parametrize("operand", ["<4:1,2:1>", "7", "(4,2)", "Sw<3,4,3>"])
def test_diff_of_something_else_is_an_argument_that_does_not_fit(operand: str) -> None:
    done = laycalc("diff", operand, "8:1")
    assert done.returncode == 2
    assert done.stderr == f"error[LC103]: {operand} is no layout\n"


def test_draw_takes_several_values(tmp_path: Path) -> None:
    path = tmp_path / "tiler.svg"
    assert laycalc("draw", "(8,16):(e0,e1)", "<4:1,8:2>", "--kind", "tiler", "-o", str(path)).returncode == 0
    assert "tilers over" in path.read_text()
    text = laycalc("draw", "morphism((4,8):(8,1))", "--format", "txt")
    assert text.stdout.splitlines()[-1] == "(4,8) --(2,1)--> (8,4)"


def test_fit() -> None:
    assert laycalc("fit", "--shape", "2x4", stdin="0 4 1 5 2 6 3 7").stdout == "(2,4):(4,1)\n"
    assert laycalc("fit", stdin="0 1 2 3\n4 5 6 7\n").stdout == "(2,4):(4,1)\n"
    assert laycalc("fit", "--shape", "2x4", "--row-major", stdin="0 1 2 3 4 5 6 7").stdout == "(2,4):(4,1)\n"
    assert laycalc("fit", stdin="[[0,1,2],[5,6,7],[10,11]]").stdout == "(3,3):(5,1)\n"
    swizzled = "\n".join(",".join(str(8 * r + (c ^ r)) for c in range(8)) for r in range(8))
    assert laycalc("fit", stdin=swizzled).stdout == "Sw<3,0,3> o 0 o (8,8):(8,1)\n"
    none = laycalc("fit", stdin="0 8 5")
    assert none.returncode == 1
    assert none.stdout == ""
    assert laycalc("fit", stdin="a b").returncode == 2
    assert laycalc("fit", stdin="").returncode == 2


@pytest.mark.parametrize("style", ["plain", "rich", "csv", "markdown", "json"])
@pytest.mark.parametrize("layout", ["4:2", "4:1", "(2,3):(8,1)", "((2,2),3):((1,8),2)", "(2,3,(2,2)):(1,2,(40,100))"])
def test_fit_reads_what_table_prints(layout: str, style: str) -> None:
    table = laycalc("table", layout, "--format", style).stdout
    assert laycalc("fit", stdin=table).stdout == f"{layout}\n"


def test_a_fault_of_ours_in_a_line_leaves_the_other_lines_their_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    from laycalc.cli.commands import eval as evaluate
    from laycalc.grammar.run.scope import Scope

    def broken(text: str, scope: Scope) -> object:
        raise KeyError(text)

    answers: list[dict[str, object]] = []
    monkeypatch.setattr(evaluate, "run_text", broken)
    monkeypatch.setattr(evaluate, "write_json", answers.append)
    assert evaluate._lines(["4:1", "8:1"], Scope()) == 3
    assert [(a["id"], a["error"]["code"]) for a in answers] == [(1, "LC901"), (2, "LC901")]  # type: ignore[index]


def test_fit_reads_what_cutlass_prints() -> None:
    ruler = "    +----+----+----+"
    rows = ["(2,3):(8,1)", "      0    1    2 ", ruler, " 0  |  0 |  1 |  2 |", ruler, " 1  |  8 |  9 | 10 |", ruler]
    assert laycalc("fit", stdin="\n".join(rows)).stdout == "(2,3):(8,1)\n"


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"slices": []}',
        '{"slices": [{"cells": [1, 2]}]}',
        '{"slices": [1]}',
        "----",
        "[" * 3000,
        "[" * 400 + "]" * 400,
        '{"slices": [1, {"cells": [[1]]}]}',
        "(_,_,0)\n--\n1 2\n\n(_,_,1)\n--\n3",
        "--\n0 (1,0)",
    ],
)
def test_fit_names_a_table_that_it_cannot_read(text: str) -> None:
    done = laycalc("fit", stdin=text)
    assert done.returncode == 2
    assert done.stderr.startswith("error[LC101]")


def test_unknown_extents() -> None:
    done = laycalc("(M,K):(K,1) / <128,64>")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "((128,M/128),(64,K/64)):((K,128*K),(1,64))"
    assert "128 | M" in done.stdout
    proven = laycalc("--assume", "M % 128 == 0", "--assume", "64 | K", "(M,K):(K,1) / <128,64>")
    assert proven.stdout == "((128,M/128),(64,K/64)):((K,128*K),(1,64))\n"
    found = json.loads(laycalc("--json", "(M,K):(K,1) / <128,64>").stdout)
    assert found["verdict"] == "valid-iff"
    assert found["counterexample"]["at"] == {"K": 1, "M": 1}
    swept = laycalc("--sweep", "M=128..512:128", "--sweep", "K=64,96", "(M,K):(K,1) / <128,64>")
    assert swept.returncode == 1
    assert swept.stdout.startswith("8 values: 4 clean, 4 with warnings, 0 refused")
    assert laycalc("--assume", "M % 32 == 1", "--assume", "64 | M", "M:1 / 32:1").returncode == 1


def test_check_of_unknown_extents(tmp_path: Path) -> None:
    path = tmp_path / "sizes.layout"
    path.write_text("assume M % 128 == 0\nassert admissible((M,K):(K,1) / <128,64>)\n")
    done = laycalc("check", str(path))
    assert done.returncode == 1
    assert "valid iff 64 | K" in done.stdout + done.stderr
    path.write_text("assume M % 128 == 0, K % 64 == 0\nassert admissible((M,K):(K,1) / <128,64>)\n")
    assert laycalc("check", str(path)).returncode == 0


def test_help_and_usage() -> None:
    from laycalc.cli.main import COMMANDS

    for command in COMMANDS:
        done = laycalc(command, "--help")
        assert done.returncode == 0, done.stderr
        assert "Usage" in done.stdout
    assert laycalc("eval", "--nonsense", "4:1").returncode == 2
    assert laycalc("version").stdout.startswith("laycalc ")


@pytest.mark.parametrize(
    ("argv", "key"),
    [
        (["eval", "--jsonl", "(M,N):(ldm,1) / <4,16>"], "obligations"),
        (["eval", "--jsonl", 'tiled_mma("SM80_16x8x16_F32F16F16F32_TN")'], "value"),
        (["eval", "--jsonl", "why((4,3):(1,5), 3:2)"], "data"),
        (["eval", "--jsonl", "ptr[32b]((nil)) o ((_1,_8),_1,_2):((_0,_1),_0,_2048)"], "notes"),
    ],
)
def test_a_line_has_all_that_json_has(argv: list[str], key: str, capfd: pytest.CaptureFixture[str]) -> None:
    lines = []
    for form in ("--jsonl", "--json"):
        with pytest.raises(SystemExit):
            main([argv[0], form, *argv[2:]])
        lines.append(json.loads(capfd.readouterr().out))
    assert lines[0].pop("id") == 1
    assert lines[0] == lines[1]
    assert key in lines[0]


def test_a_fault_of_ours_keeps_the_id(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("laycalc.cli.commands.eval.run_text", lambda *_: 1 / 0)
    with pytest.raises(SystemExit):
        main(["eval", "--jsonl", '{"id": "mine", "expr": "4:1"}'])
    found = json.loads(capfd.readouterr().out)
    assert (found["id"], found["error"]["code"]) == ("mine", "LC901")


@pytest.mark.parametrize("command", [["info"], ["diff", "4:1"], ["banks"], ["vector", "4:1"], ["why", "4:1"], ["from"]])
def test_an_error_is_one_json_object_too(command: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command, "4:", "--json"])
    said = capfd.readouterr()
    assert json.loads(said.out)["ok"] is False
    assert said.err == ""
    assert stop.value.code == 2


# -- atoms by PTX, and the owners of tiles -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "name           SM80_16x8x16_F32F16F16F32_TN"),
        ("MMA.sync.aligned.m16n8k16...", "SM80_16x8x16_F16F16F16F16_TN"),
        ("m16n8k16", "SM80_16x8x16_F16F16F16F16_TN"),
        ("ldmatrix.sync.aligned.x4.m8n8.shared.b16", "name           SM75_U32x4_LDSM_N"),
        ("ldmatrix", "SM75_U32x1_LDSM_N"),
    ],
)
def test_names_of_ptx_find_atoms(name: str, first: str) -> None:
    assert laycalc("atom", name).stdout.splitlines()[0] == first


def test_a_name_of_ptx_is_an_atom() -> None:
    text = 'atom("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")'
    assert laycalc("eval", text).stdout == 'atom("SM80_16x8x16_F32F16F16F32_TN")\n'


@pytest.mark.parametrize(
    ("text", "operand"),
    [
        ('tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))', "C"),
        ('tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))', "A"),
        ('tiled_copy("SM75_U32x4_LDSM_N", (8,4):(4,1), (2,4):(4,1), 16)', "S"),
    ],
)
def test_the_owner_in_a_tile(text: str, operand: str) -> None:
    told = laycalc("atom", text, "--owner", f"{operand} 5,3").stdout
    assert told == laycalc("eval", f'owner({text}, "{operand}", (5,3))').stdout
    assert told.startswith("T")
