"""`laycalc check`: what it reads, what it counts, how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from program import Answer, forked, laycalc

from laycalc.cli.checks.checking import Job, check_file
from laycalc.cli.checks.sources import WINDOW, files_of, windows
from laycalc.diagnostics.report import Policy, Result

CASES = Path(__file__).parents[1] / "cases"
BAD = "assert admissible((4,6,8):(2,3,5) o 6:3)\n"
GOOD = "assert admissible((128,64):(64,1) / <32,16>)\n"


def check(*arguments: str, stdin: str = "", cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Answer:
    return laycalc("check", *arguments, stdin=stdin, cwd=cwd, env=env)


def results(path: Path, job: Job | None = None) -> list[Result]:
    return list(check_file(str(path), job or Job(listing=True)))


def places(path: Path) -> list[tuple[str, int, int]]:
    """Code, line and column of every finding."""
    return [(f.diagnostic.code, f.line, f.column) for result in results(path) for f in result.findings]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


# -- counts and exit codes ---------------------------------------------------------------------------------------


def test_a_clean_file() -> None:
    done = check(str(CASES / "clean.layout"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 file: 14 passed, 0 failed\n", "")


def test_the_example_of_the_task(tmp_path: Path) -> None:
    done = check(str(write(tmp_path / "examples.layout", BAD)))
    assert done.returncode == 1
    assert "error[LC301]" in done.stdout
    assert re.search(r"stride 3 .* prefix product 4", done.stdout)
    assert f"{tmp_path}/examples.layout:1:20" in done.stdout
    assert done.stdout.endswith("1 file: 0 passed, 1 failed\n")


def test_every_line_of_the_cases_draws_what_it_says() -> None:
    path = CASES / "findings.layout"
    expected = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        _, mark, codes = line.partition("# expect ")
        if mark:
            expected[number] = codes.split()
    found: dict[int, list[str]] = {}
    for code, line_, _ in places(path):
        found.setdefault(line_, []).append(code)
    assert found == expected


@pytest.mark.parametrize(
    ("text", "code", "summary"),
    [
        ("", 0, "0 passed, 0 failed"),
        ("A = 4:1\n", 0, "0 passed, 0 failed"),
        (GOOD + BAD, 1, "1 passed, 1 failed"),
        ("x = (\n", 2, "0 passed, 1 failed"),
        (BAD + "x = (\n", 2, "0 passed, 2 failed"),
        ("10:1 / 4\n", 0, "1 passed, 0 failed"),
    ],
)
def test_exit_codes(text: str, code: int, summary: str) -> None:
    done = check("-", stdin=text)
    assert done.returncode == code
    assert done.stdout.endswith(f"{summary}\n")


def test_the_last_line_of_many_fails(tmp_path: Path) -> None:
    path = write(tmp_path / "many.layout", GOOD * 1600 + BAD)
    assert places(path) == [("LC301", 1601, 20)]
    done = check(str(path))
    assert done.returncode == 1
    assert done.stdout.endswith("1 file: 1600 passed, 1 failed\n")
    assert f"{path}:1601:20" in done.stdout


def test_several_files_and_standard_input(tmp_path: Path) -> None:
    good, bad = write(tmp_path / "a.layout", GOOD), write(tmp_path / "b.layout", BAD)
    done = check(str(good), str(bad), "-", stdin=GOOD)
    assert done.returncode == 1
    assert done.stdout.endswith("3 files: 2 passed, 1 failed\n")


# -- loops and definitions ---------------------------------------------------------------------------------------


def test_each_failing_combination_has_a_line(tmp_path: Path) -> None:
    path = write(tmp_path / "t.layout", "for M in {7,8,11}, N in {3,5}: assert admissible((M,3):(1,100) o 4:N)\n")
    done = check(str(path))
    lines = [line for line in done.stdout.splitlines() if "error[" in line]
    assert len(lines) == 5
    cases = ["M = 7, N = 3", "M = 7, N = 5", "M = 8, N = 3", "M = 8, N = 5", "M = 11, N = 5"]
    assert [next(case for case in cases if f"{case}:" in line) for line in lines] == cases
    assert done.stdout.endswith("1 passed, 5 failed\n")


def test_a_loop_without_an_end_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laycalc.cli.checks.checking.COMBINATIONS", 100)
    names = ", ".join(f"x{k} in {{0, 1}}" for k in range(8))
    path = write(tmp_path / "a.layout", f"for {names}: assert x0 < 2\n{GOOD}")
    assert [code for code, _, _ in places(path)] == ["LC104"]
    assert sum(r.counted for r in results(path)) == 101


def test_a_loop_over_millions_is_refused_before_it_begins(tmp_path: Path) -> None:
    bindings = [f"x{k} in {{0, 1}}" for k in range(22)]
    for text in (f"for {', '.join(bindings)}: ", "".join(f"for {binding}: " for binding in bindings)):
        path = write(tmp_path / "a.layout", f"{text}assert x0 < 2\n{GOOD}")
        found = {code for code, _, _ in places(path)}
        assert found == {"LC104"}
    assert laycalc("eval", "-f", str(path)).stderr.startswith("error[LC104]: a loop over more than 100,000 ")


def test_our_own_failure_is_one_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from laycalc.grammar.run.statements import execute

    def broken(statement: Any, source: str, scope: Any) -> Any:
        if statement.span.start == 0:
            raise ZeroDivisionError
        yield from execute(statement, source, scope)

    monkeypatch.delenv("LAYCALC_DEBUG", raising=False)
    monkeypatch.setattr("laycalc.cli.checks.checking.execute", broken)
    path = write(tmp_path / "a.layout", GOOD * 2)
    assert [code for code, _, _ in places(path)] == ["LC901"]
    assert sum(r.counted for r in results(path)) == 2


def test_definitions() -> None:
    text = "assert admissible((M,64):(64,1) / <32,16>)\nassert M == 96\n"
    assert check("-", "-D", "M=96", stdin=text).returncode == 0
    done = check("-", "-D", "M=97", "--deny", "LC401", stdin=text)
    assert done.returncode == 1
    assert done.stdout.endswith("0 passed, 2 failed\n")
    assert check("-", "-D", "M", stdin=text).returncode == 2


# -- where the language stands -----------------------------------------------------------------------------------


ENDINGS = ["cu", "cuh", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "ipp", "CU"]


@pytest.mark.parametrize("name", [f"k.{ending}" for ending in ENDINGS])
def test_comments_of_cpp(tmp_path: Path, name: str) -> None:
    path = write(
        tmp_path / name,
        "#define N 3  // laycalc says nothing\n"
        "  // laycalc: T = 6:3\n"
        "auto t = tile(); // laycalc: assert admissible((4,6,8):(2,3,5) o T)\r\n"
        "\t/// laycalc: assert size((4,8)) == 31\n"
        'auto s = "//laycalc: assert 1 == 2";\n'
        'auto s = "a \\" // laycalc: assert 1 == 2";\n'
        "# laycalc: assert 1 == 2\n"
        "// laycalc: assert admissible(composition(\n"
        "// laycalc:   (4,8):(1,4), 8))\n",
    )
    assert places(path) == [("LC301", 3, 49), ("LC501", 4, 22)]
    assert sum(r.counted for r in results(path)) == 3


def test_block_comments_of_cpp(tmp_path: Path) -> None:
    path = write(
        tmp_path / "k.cu",
        "/* laycalc: assert 1 == 2 */\n"
        "/**\n"
        " * laycalc: assert 1 == 3\n"
        "// laycalc: assert 1 == 4\n"
        " * prose about laycalc\n"
        " * laycalc: assert 1 == 5 */ int x; // laycalc: assert 1 == 6\n"
        "/**/ int y; /***/ // laycalc: assert 1 == 7\n"
        "int z; /* laycalc: assert admissible(composition( */\n"
        "/* laycalc: (4,8):(1,4), 8)) */\n",
    )
    ends = [(1, 20), (3, 20), (4, 20), (6, 20), (7, 38)]
    false = [("LC501", *end) for end in ends]
    # A line is one statement for the language, so the second comment of line 6 cannot be one.
    assert sorted(places(path)) == [("LC101", 6, 48), *false]


def test_strings_of_cpp_are_no_comments(tmp_path: Path) -> None:
    path = write(
        tmp_path / "k.cu",
        'auto s = R"x(\n'
        '// laycalc: assert 1 == 2 )"\n'
        "/* laycalc: assert 1 == 3\n"
        ')x"; // laycalc: assert 1 == 4\n'
        'auto t = "abc \\\n'
        "// laycalc: assert 1 == 5 \\\n"
        '/*"; // laycalc: assert 1 == 6\n'
        "char c = '\"'; // laycalc: assert 1 == 7\n"
        'auto u = u8R"(\n"// laycalc: assert 1 == 8\n)";\n'
        "// laycalc: assert 1 == 1 // a comment \\\n"
        "/* goes on\n"
        "// laycalc: assert 1 == 9\n",
    )
    assert [(code, line) for code, line, _ in places(path)] == [("LC501", n) for n in (4, 7, 8, 14)]


@pytest.mark.parametrize(
    ("comment", "code"),
    [
        ("// Laycalc: assert 1==6", "LC501"),
        ("//! LAYCALC : assert 1==6", "LC501"),
        ("int x; // foo // laycalc: assert 1 == 2", "LC501"),
        ("// laycalc assert 1 == 2", "LC101"),
        ("// laycalc; assume K % 8 == 0", "LC101"),
        ("// laycalc let A = 4:1", "LC101"),
        ("// laycalc A = 4:1", "LC101"),
        ("// laycalc for M in {1, 2}: assert M == 1", "LC101"),
        ("// see laycalc: assert 1 == 2", "LC101"),
        ("// [laycalc] 4:1 o 2", "LC101"),
        ("/* laycalc (4,8):(1,4) == (4,8):(8,1) */", "LC101"),
        ("/* laycalc: A = 4:1\n assert A == 4:2 */", "LC101"),
        ("// laycalc", ""),
        ("// laycalc: ", ""),
        ("// see laycalc for details in the docs, laycalc 2", ""),
        ("// run laycalc check k.cu; laycalc(4:1) and laycalc/cli: fine", ""),
        ('int x = f("laycalc assert 1 == 2");', ""),
    ],
)
def test_a_comment_that_looks_like_ours_is_never_skipped_silently(tmp_path: Path, comment: str, code: str) -> None:
    path = write(tmp_path / "k.cu", f"{comment}\n")
    found = [f.diagnostic for r in results(path) for f in r.findings]
    assert [d.code for d in found] == [code] * bool(code)
    assert all(d.severity == ("warning" if d.code == "LC101" else "error") for d in found)


def test_a_wrong_mark_in_python_is_a_warning(tmp_path: Path) -> None:
    path = write(tmp_path / "p.py", "x = 1\nx = 'a'  # don't; laycalc assert 1 == 2\ny = '# laycalc assert 1 == 2'\n")
    assert places(path) == [("LC101", 2, 19)]
    done = check(str(path))
    assert done.returncode == 0 and "`# laycalc: ...`" in done.stdout
    assert "2 | x = 'a'  # don't; laycalc assert 1 == 2" in done.stdout
    assert check(str(path), "--deny", "LC101").returncode == 2


def test_long_lines_of_quotes_take_no_time(tmp_path: Path) -> None:
    start = time.monotonic()
    for name, text in (("p.py", "\\'" * 400_000), ("k.cu", "// " * 300_000), ("k.cu", "// " + "laycalc " * 100_000)):
        assert places(write(tmp_path / name, f"{text} laycalc\n")) == []
    assert time.monotonic() - start < 20


def test_no_checks_found(tmp_path: Path) -> None:
    empty, good = write(tmp_path / "k.cu", "int x;\n"), write(tmp_path / "a.layout", GOOD)
    done = check(str(empty))
    assert (done.returncode, done.stdout) == (0, "1 file, no checks found: 0 passed, 0 failed\n")
    assert check(str(empty), "--strict").returncode == 1
    done = check(str(empty), "--strict", "--quiet", "--format", "json")
    assert done.returncode == json.loads(done.stdout)["summary"]["exit_code"] == 1
    assert "no checks found" in done.stderr
    assert check(str(empty), str(good), "--strict").stdout == "2 files: 1 passed, 0 failed\n"
    good.unlink()
    assert check(str(tmp_path), "--strict").stdout == "1 file: 0 passed, 0 failed\n"


@pytest.mark.parametrize(
    "line", ["(4,8):(1,4) == (4,8):(8,1)", "for M in {3}: M > 4", "admissible((4,6,8):(2,3,5) o 6:3)"]
)
def test_a_plain_line_that_is_false_is_a_warning(line: str) -> None:
    done = check("-", stdin=f"{line}\n")
    assert done.returncode == 0
    assert "warning[LC501]" in done.stdout and "false and not asserted; write assert" in done.stdout
    for option in (["--strict"], ["--deny", "LC501"]):
        done = check("-", *option, stdin=f"{line}\n")
        assert done.returncode == 1 and done.stdout.endswith("0 passed, 1 failed\n")


def test_plain_lines_that_are_no_claims() -> None:
    assert check("-", stdin="false\n4:1 == 4:1\nA = 4:1 == 4:2\n4:1 o 2\n").stdout == "1 file: 3 passed, 0 failed\n"


def test_an_unknown_ending_is_told_once(tmp_path: Path) -> None:
    path = write(tmp_path / "main.rs", "fn main() {}\nlet mut x\n")
    first, *others = [f.diagnostic.message for r in results(path) for f in r.findings]
    assert ".rs is read as layout text, known endings are .layout, .cu, " in first
    assert others and not any("endings" in message for message in others)
    path.write_bytes(b"\0")
    assert ["endings" in f.diagnostic.message for r in results(path) for f in r.findings] == [True]
    assert places(write(tmp_path / "notes.txt", GOOD)) == []


def test_comments_of_python(tmp_path: Path) -> None:
    path = write(tmp_path / "p.py", "x = 1\n# laycalc: assert 2 == 3\ny = 2  # laycalc: 4:1 o 2\n// laycalc: x\n")
    assert places(path) == [("LC501", 2, 19)]


def test_blocks_of_markdown(tmp_path: Path) -> None:
    path = write(
        tmp_path / "d.md",
        "# Text\n\nassert 1 == 2\n\n```layout\nA = 4:1\nassert A == 4:2\n```\n\n"
        "```python\nassert 1 == 2\n```\n\n"
        "- a list\n  ~~~ layout\n  assert A == 4:3\n  ~~~\n"
        "````markdown\n```layout\nassert 1 == 2\n```\n````\n",
    )
    assert places(path) == [("LC501", 7, 8), ("LC501", 16, 10)]


def test_the_excerpt_shows_the_line_as_it_stands(tmp_path: Path) -> None:
    path = write(tmp_path / "k.cu", "int x;\nint y;  // laycalc: assert size((4,8)) == 31\n")
    done = check(str(path))
    assert "2 | int y;  // laycalc: assert size((4,8)) == 31" in done.stdout
    assert " -->" in done.stdout and f"{path}:2:28" in done.stdout


def test_directories(tmp_path: Path) -> None:
    for name in ("b.layout", "a.cu", "notes.txt", "sub/c.md", ".hidden/d.layout", "node_modules/e.layout", "venv/f.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(tmp_path / name, "")
    write(tmp_path / "venv/pyvenv.cfg", "")
    found = [os.path.relpath(f, tmp_path) for f in files_of([str(tmp_path)])]
    assert found == ["a.cu", "b.layout", os.path.join("sub", "c.md")]
    found = [os.path.relpath(f, tmp_path) for f in files_of([str(tmp_path)], ["sub", "*.cu"])]
    assert found == ["b.layout"]
    assert check(str(tmp_path / "sub")).returncode == 0
    (tmp_path / "empty").mkdir()
    done = check(str(tmp_path / "empty"))
    assert done.returncode == 2 and "no files" in done.stderr


# -- windows -----------------------------------------------------------------------------------------------------


def test_windows_cut_between_statements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laycalc.cli.checks.sources.WINDOW", 1 << 12)
    text = "\n".join(
        f"assert admissible(composition(\n  (4,8):(1,4),  # ( [ {{\n  4))\nL{n} = <4,\n 8>" for n in range(400)
    )
    path = write(tmp_path / "w.layout", text)
    parts = list(windows(str(path)))
    assert len(parts) > 2
    assert "\n".join(parts) == text
    assert parts[1].before == parts[0].count("\n") + 1
    assert all(len(part) < 1 << 13 for part in parts)
    assert places(path) == []
    assert sum(r.counted for r in results(path)) == 400


def test_expressions_without_keywords_are_cut_too(tmp_path: Path) -> None:
    path = write(tmp_path / "w.layout", "(4,8):(1,4)\n" * (WINDOW // 11))
    assert len(list(windows(str(path)))) > 1
    assert places(path) == []


def test_memory_does_not_grow_with_the_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tracemalloc

    monkeypatch.setattr("laycalc.cli.checks.sources.WINDOW", 1 << 12)

    def peak(lines: int) -> int:
        path = write(tmp_path / f"{lines}.layout", GOOD * lines)
        tracemalloc.start()
        try:
            assert sum(r.counted for r in check_file(str(path), Job())) == lines
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(2500)  # fills the caches of the interpreter and of the algebra
    assert peak(900) < 1.5 * peak(200)


# -- include -----------------------------------------------------------------------------------------------------


def test_include(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    write(tmp_path / "lib/base.layout", 'include "deeper.layout"\nassert A == 4:2\n')
    write(tmp_path / "lib/deeper.layout", "A = 4:1\nassume K % 8 == 0\n")
    path = write(tmp_path / "main.layout", 'include "lib/base.layout"\nassert A == 4:1\nassert K % 4 == 0\n')
    (found,) = [f for r in results(path) for f in r.findings]
    assert (os.path.relpath(found.file, tmp_path), found.line) == (os.path.join("lib", "base.layout"), 2)
    done = check(str(path))
    assert done.stdout.endswith("1 file: 2 passed, 1 failed\n")


def test_include_in_a_loop(tmp_path: Path) -> None:
    write(tmp_path / "tile.layout", "assert M % 32 == 0\n")
    path = write(tmp_path / "main.layout", 'for M in {32, 40}: include "tile.layout"\n')
    (found,) = [f for r in results(path) for f in r.findings]
    assert (os.path.basename(found.file), found.line, found.case) == ("tile.layout", 1, "M = 40")


@pytest.mark.parametrize("chain", [["a"], ["a", "b"], ["a", "b", "c"]])
def test_a_file_that_includes_itself_is_one_finding(tmp_path: Path, chain: list[str]) -> None:
    for name, following in zip(chain, [*chain[1:], chain[0]], strict=True):
        write(tmp_path / f"{name}.layout", f'include "{following}.layout"\n')
    (found,) = [f for r in results(tmp_path / "a.layout") for f in r.findings]
    assert found.diagnostic.code == "LC103"
    assert "includes itself" in found.diagnostic.message
    assert found.line == 1


def test_an_include_that_is_not_there(tmp_path: Path) -> None:
    path = write(tmp_path / "a.layout", f'{GOOD}include "b.layout"\n{GOOD}')
    assert places(path) == [("LC103", 2, 1)]
    assert sum(r.counted for r in results(path)) == 2


# -- files that are no files -------------------------------------------------------------------------------------


def test_a_missing_file() -> None:
    done = check("not/there.layout")
    assert done.returncode == 2
    assert "cannot read not/there.layout" in done.stdout
    assert done.stdout.endswith("0 passed, 1 failed\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.layout", GOOD)
    path.chmod(0)
    assert [code for code, _, _ in places(path)] == ["LC103"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x7fELF\x02\x00\x00\x00" * 100, "LC101"),
        ("assert 1 == 1\n".encode("utf-16"), "LC101"),
        (b"assert 1 == 1\n\xff\xfe\xfd\n", "LC101"),
        (b"4" * (1 << 21), "LC104"),
        ((b"(" * 60 + b"\n") * 18_000, "LC104"),
    ],
)
def test_files_that_are_no_text_are_one_finding(tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "a.layout"
    path.write_bytes(data)
    found = [f.diagnostic.code for r in results(path) for f in r.findings]
    assert found == [code]
    assert check(str(path)).returncode == 2


def test_a_huge_file_is_one_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laycalc.cli.checks.sources.FILE_LIMIT", 1000)
    path = write(tmp_path / "a.layout", "\n" * 2000)
    assert [code for code, _, _ in places(path)] == ["LC104"]


def test_latin_1_in_other_languages_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.cpp"
    path.write_bytes(b"// \xe4\xf6\xfc\n// laycalc: assert 1 == 2\n")
    assert places(path) == [("LC501", 2, 20)]


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such device")
def test_a_device_without_an_end() -> None:
    assert check("/dev/zero").returncode == 2


# -- policy and configuration ------------------------------------------------------------------------------------

RAGGED = "10:1 / 4\ncomplement((4,8):(20,2))\n"


@pytest.mark.parametrize(
    ("options", "code", "failed", "warnings"),
    [
        ([], 0, 0, 2),
        (["--deny", "LC401"], 1, 1, 1),
        (["--deny", "ragged"], 1, 1, 1),
        (["--strict"], 1, 2, 0),
        (["--strict", "--allow", "lc401"], 1, 1, 0),
        (["--allow", "LC401", "--allow", "LC404"], 0, 0, 0),
    ],
)
def test_policy(options: list[str], code: int, failed: int, warnings: int) -> None:
    done = check("-", "--format", "json", *options, stdin=RAGGED)
    assert done.returncode == code
    summary = json.loads(done.stdout)["summary"]
    assert (summary["failed"], summary["warnings"], summary["exit_code"]) == (failed, warnings, code)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--deny", "LC4100"], "did you mean LC410?"),
        (["--allow", "LC301"], "is an error"),
        (["--deny", "LC401", "--allow", "LC401"], "both denies and allows"),
        (["--format", "xml"], "there are text, json, github, sarif, junit"),
        (["--jobs", "-2"], "jobs"),
    ],
)
def test_options_that_make_no_sense(options: list[str], words: str) -> None:
    done = check("-", *options)
    assert done.returncode == 2
    assert words in done.stderr


def test_configuration(tmp_path: Path) -> None:
    write(
        tmp_path / "pyproject.toml",
        '[tool.laycalc]\nfiles = ["layouts"]\ndeny = ["LC401"]\nallow = ["LC404"]\nexclude = ["old"]\n'
        'format = "json"\njobs = 2\nverify = 16\n[tool.laycalc.define]\nM = 10\nfull = true\n',
    )
    (tmp_path / "layouts/old").mkdir(parents=True)
    write(tmp_path / "layouts/a.layout", "M:1 / 4\ncomplement((4,8):(20,2))\nassert full\n")
    write(tmp_path / "layouts/old/b.layout", "assert false\n")
    done = check(cwd=tmp_path)
    found = json.loads(done.stdout)
    assert [f["code"] for f in found["findings"]] == ["LC401"]
    assert found["summary"]["files"] == 1
    done = check("--allow", "LC401", "-D", "M=11", "--format", "text", cwd=tmp_path / "layouts")
    assert (done.returncode, done.stdout) == (0, "1 file: 3 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.laycalc]\ndenny = []\n", "did you mean deny?"),
        ('[tool.laycalc]\ndeny = "LC401"\n', "a list of strings"),
        ("[tool.laycalc\n", "pyproject.toml"),
        ('[tool.laycalc]\nallow = ["LC999"]\n', "no code"),
    ],
)
def test_bad_configuration(tmp_path: Path, text: str, words: str) -> None:
    write(tmp_path / "pyproject.toml", text)
    done = check("-", cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr


def test_jobs_change_nothing_but_time(tmp_path: Path) -> None:
    for n in range(6):
        write(tmp_path / f"{n}.layout", GOOD * 20 + (BAD if n % 2 else RAGGED))
    one, three = check(str(tmp_path)), check(str(tmp_path), "--jobs", "3")
    assert one.stdout == three.stdout
    assert one.returncode == three.returncode == 1
    data = check(str(tmp_path), "--jobs", "3", "--format", "sarif")
    assert json.loads(data.stdout) == json.loads(check(str(tmp_path), "--format", "sarif").stdout)


# -- reports that are whole or not there -------------------------------------------------------------------------


def test_output_is_written_beside_and_renamed(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text("old")
    done = check("-", "--format", "json", "--output", str(report), stdin=BAD)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.endswith("0 passed, 1 failed\n")
    assert json.loads(report.read_text())["summary"]["failed"] == 1
    assert os.listdir(tmp_path) == ["report.json"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_killed_check_leaves_no_half_report(tmp_path: Path, number: signal.Signals) -> None:
    report = tmp_path / "report.json"
    report.write_text("old")
    # The report is open while the check waits for somebody to write to its standard input.
    with subprocess.Popen(
        [sys.executable, "-m", "laycalc", "check", "-", "--format", "json", "-o", str(report)],
        stdin=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(BAD.encode() * 2000)
        process.stdin.flush()
        process.send_signal(number)
        assert process.wait(20) != 0
    assert report.read_text() == "old"
    if number != signal.SIGKILL or hasattr(os, "O_TMPFILE"):
        assert sorted(os.listdir(tmp_path)) == ["report.json"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
def test_a_full_disk(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "laycalc", "check", "-"],
            input=BAD, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode != 0
    assert "No space left" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
def test_devices_and_links_are_written_to(tmp_path: Path) -> None:
    done = check("-", "--format", "json", "-o", "/dev/full", stdin=BAD)
    assert done.returncode == 2
    assert "cannot write /dev/full: No space left" in done.stderr
    assert not Path("/dev/full").is_file()
    done = forked("check", "-", "--format", "json", "-o", "/dev/stdout", stdin=BAD)
    assert json.loads(done.stdout)["summary"]["failed"] == 1
    (tmp_path / "link.json").symlink_to(tmp_path / "report.json")
    assert check("-", "--format", "json", "-o", str(tmp_path / "link.json"), stdin=BAD).returncode == 1
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "report.json").read_text())["schema"] == 1


def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    done = check("-", "-o", str(tmp_path / "not/there.json"), stdin=GOOD)
    assert done.returncode == 2
    assert "cannot write" in done.stderr


def test_no_progress_off_a_terminal(tmp_path: Path) -> None:
    done = check(str(write(tmp_path / "a.layout", GOOD)), env={"FORCE_COLOR": "1"})
    assert done.stderr == ""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("laycalc.cli.streams.progress.PATIENCE", 0.0)
    yield


@pytest.mark.usefixtures("quick")
def test_the_bar_appears_at_a_terminal_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from laycalc.cli.streams.progress import progress_of

    path = write(tmp_path / "a.layout", GOOD * 10)
    with progress_of([str(path)]) as bar:
        bar.advance(10)
        assert bar.bar is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("TERM", raising=False)
    with progress_of([str(path)]) as bar:
        bar.advance(10)
        assert bar.bar is not None
        bar.pause()
        assert bar.bar is None


# -- the policy as data ------------------------------------------------------------------------------------------


def test_allowed_is_not_reported(tmp_path: Path) -> None:
    path = write(tmp_path / "a.layout", RAGGED)
    job = Job(policy=Policy(allow=frozenset({"LC401"})))
    assert [f.diagnostic.code for r in results(path, job) for f in r.findings] == ["LC404"]


def test_an_include_stays_in_the_tree(tmp_path: Path) -> None:
    """Nothing outside is read, so nothing of it can be quoted; a link and a hidden file are no way round."""
    tree = tmp_path / "tree"
    (tree / "sub").mkdir(parents=True)
    (tree / ".git").mkdir()
    write(tmp_path / "outside.layout", "the secret words\n")
    write(tree / ".git/config", "the secret words\n")
    (tree / "sub/link.layout").symlink_to(tmp_path / "outside.layout")
    write(tree / "inside.layout", "A = 4:1\n")
    wrong = ["../../outside.layout", "link.layout", str(tmp_path / "outside.layout"), "../.git/config", "../sub"]
    lines = [f'include "{path}"\n' for path in (*wrong, "../inside.layout")]
    path = write(tree / "sub/a.layout", "".join(lines))
    done = check(str(path))
    assert [found[0] for found in places(path)] == ["LC103"] * len(wrong)
    assert "secret" not in done.stdout + done.stderr
    assert "secret" not in (found := check(str(tree))).stdout + found.stderr


# -- what is installed -------------------------------------------------------------------------------------------

HOUSE = Path(__file__).parents[2]


def test_this_repository_is_clean() -> None:
    done = check(".", cwd=HOUSE)
    assert done.returncode == 0
    assert re.fullmatch(r"\d+ files: \d+ passed, 0 failed\n", done.stdout + done.stderr)


def test_the_action_installs_no_more_than_a_check_imports() -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (HOUSE / "check-requirements.txt").read_text("utf-8").splitlines()
    wanted = [line for line in lines if not line.startswith("#")]
    assert set(wanted) < set(project["dependencies"])
    code = (
        "import sys; from laycalc.cli.main import main\n"
        "try: main(['check', sys.argv[1]])\n"
        "except SystemExit: print({'matplotlib', 'numpy', 'PIL', 'tree_sitter'} & set(sys.modules))"
    )
    path = HOUSE / "tests" / "cases"
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
    assert done.stdout.endswith("set()\n")


def test_what_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    done = laycalc("draw", "4:1", "--format", "png")
    assert done.returncode == 2
    assert done.stderr == "error: this needs PIL, which is not installed; pip install laycalc brings it\n"
