"""What the documents show is what the program does: every fenced block of the documents is run.

The first word behind the fence says how:

``console``
    A line ``$ command`` is run by a shell, lines ``> ...`` directly below go on with it. The lines that follow are what
    a terminal shows: first standard error, then standard output, all of it. A line ``...`` stands for any lines,
    ``...`` within a line for any text. The blocks of a page run in order in one shell and one empty folder.
``layout``
    Statements of the language, in one scope for the page, without errors and warnings. A comment behind an expression
    is its value, and so are comment lines directly below it.
``python``
    A doctest session; names live to the end of the page.
``sh``
    The README's commands to install and to test, compared with ``run-tests`` and ``.ci/run``.
``text``, ``toml``, ``yaml``, ``cpp``
    Shown, not run.
"""

from __future__ import annotations

import ast
import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from program import laycalc

from laycalc.diagnostics.model import Diagnostic
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import Outcome, execute, run
from laycalc.grammar.syntax import nodes
from laycalc.grammar.syntax.parser import statements

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "gallery" / "README.md"], key=lambda p: p.as_posix()
)
SHOWN = {"text", "toml", "yaml", "cpp"}
KINDS = {"console", "layout", "python", "sh"} | SHOWN


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its text, and the line of the page where the text begins."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a console block and what it should show."""

    text: str
    expected: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for found in re.finditer(r"^```(.*)\n((?:(?!```).*\n)*)```$", page, re.MULTILINE):
        kind = found[1].split()[0] if found[1].split() else ""
        yield Block(kind, found[2], page.count("\n", 0, found.start(2)) + 1)


def of_kind(page: str, kind: str) -> list[Block]:
    return [block for block in blocks(page) if block.kind == kind]


# -- console -----------------------------------------------------------------------------------------------------


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block."""
    lines = block.text.splitlines()
    assert lines and lines[0].startswith("$ "), f"line {block.line}: a console block begins with `$ command`"
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        body = start + 1
        while body < end and (lines[body].startswith("> ") or lines[body] == ">"):
            body += 1
        text = "\n".join([lines[start][2:], *(line[2:] for line in lines[start + 1 : body])])
        yield Command(text, "\n".join(lines[body:end]), block.line + start)


def environment() -> dict[str, str]:
    """A terminal's environment with laycalc and python on the path, and no colours."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LAYCALC", "FORCE_COLOR", "CI"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", "")])
    return kept | {"PATH": path, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "COLUMNS": "120"}


_WORD = r"""(?:'[^']*'|"[^"$`\\!]*"|[\w./:,@%+^=-])+"""
_PLAIN = re.compile(rf"laycalc(?:[ ]+{_WORD})*")
"""A command that no shell changes: words and quoted texts, without variables, patterns, pipes and redirections."""


class Shell:
    """One shell in an empty folder. What only laycalc itself has to read is run in this process, in its place."""

    def __init__(self, folder: Path) -> None:
        self.cwd, self.out = folder / "work", folder / "out"
        self.cwd.mkdir()
        self.out.mkdir()
        self.status = 0
        (self.out / "state").write_text("")

    def run(self, command: str) -> str:
        """What a command shows: standard error, then standard output."""
        if _PLAIN.fullmatch(command):
            return self._here(shlex.split(command)[1:])
        return self._in_bash(command)

    def _here(self, arguments: list[str]) -> str:
        kept = {key: "" for key in os.environ if key.startswith(("LAYCALC", "FORCE_COLOR", "CI"))}
        done = laycalc(*arguments, env=kept | {"NO_COLOR": "1", "COLUMNS": "120"}, cwd=self.cwd)
        self.status = done.returncode
        return done.stderr + done.stdout

    def _in_bash(self, command: str) -> str:
        (self.out / "command").write_text(f"{command}\n", encoding="utf-8")
        # `$?` is that of the command before, as it would be at a prompt, and so are the variables.
        script = f"""
            . "$OUT/state"; set -a
            (exit {self.status}); . "$OUT/command" >"$OUT/out" 2>"$OUT/err" </dev/null; status=$?
            pwd >"$OUT/cwd"; export -p >"$OUT/state"; exit $status"""
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self.cwd, env=environment() | {"OUT": str(self.out)},
            capture_output=True, text=True, timeout=110, check=False,
        )  # fmt: skip
        assert not done.stderr, done.stderr
        self.status = done.returncode
        self.cwd = Path((self.out / "cwd").read_text("utf-8").removesuffix("\n"))
        return "".join((self.out / stream).read_text("utf-8") for stream in ("err", "out"))


def shown(given: list[Command], folder: Path) -> list[str]:
    """What each command shows, run one after the other by one shell in an empty folder."""
    shell = Shell(folder)
    return [shell.run(command.text) for command in given]


def matches(expected: str, found: str) -> bool:
    """Is the text the expected one? ``...`` stands for any lines, or within a line for any text."""

    def one(line: str) -> str:
        line = line.rstrip()
        return r"(?:.*\n)*" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n"

    pattern = "".join(map(one, expected.splitlines()))
    text = "".join(f"{line.rstrip()}\n" for line in found.splitlines())
    return re.fullmatch(pattern, text) is not None


def console_faults(page: str, folder: Path) -> list[str]:
    """The commands that show something else."""
    given = [command for block in of_kind(page, "console") for command in commands(block)]
    return [
        f"line {command.line}: $ {command.text}\n--- expected\n{command.expected}\n--- found\n{found}"
        for command, found in zip(given, shown(given, folder), strict=True)
        if not matches(command.expected, found)
    ]


# -- layout ------------------------------------------------------------------------------------------------------


def annotation(text: str, end: int) -> str | None:
    """The value that the comment behind position ``end``, or the comment lines below it, claim."""
    behind, _, below = text[end:].partition("\n")
    if found := re.match(r"\s*#\s*(.*\S)", behind):
        return found[1]
    claimed = re.match(r"(?:#.*\n)*", below)
    lines = [line[1:].removeprefix(" ").rstrip() for line in claimed[0].splitlines()] if claimed else []
    return "\n".join(lines) if lines and not behind.strip() else None


def outcomes(text: str, scope: Scope) -> Iterator[Outcome]:
    """What each statement comes to, as `laycalc check` sees it: pasted texts of other systems are not read."""
    for item in statements(text):
        if isinstance(item, Diagnostic):
            yield Outcome(None, error=item, source=text)
        else:
            yield from execute(item, text, scope)


def layout_faults(page: str) -> list[str]:
    """The statements that fail, warn, or have another value than their comment claims."""
    scope, faults = Scope(), []
    for block in of_kind(page, "layout"):
        values: dict[tuple[int, int], list[str]] = {}
        for outcome in outcomes(block.text, scope):
            for problem in [*outcome.warnings, *([outcome.error] if outcome.error else [])]:
                faults.append(f"below line {block.line}: {problem.code}: {problem.message}")
            if isinstance(outcome.statement, nodes.Evaluate) and outcome.error is None:
                span = outcome.statement.span
                values.setdefault((span.start, span.end), []).append(text_of(outcome.value))
        for (start, end), found in values.items():
            claimed = annotation(block.text, end)
            if claimed is not None and claimed != "; ".join(found):
                line = block.line + block.text.count("\n", 0, start)
                faults.append(f"line {line}: {block.text[start:end]}\n  is     {'; '.join(found)}\n  not    {claimed}")
    return faults


# -- python ------------------------------------------------------------------------------------------------------


def python_faults(page: str, name: str) -> list[str]:
    """The doctest failures of the python blocks, which share their names."""
    names: dict[str, object] = {}
    faults: list[str] = []
    for block in of_kind(page, "python"):
        test = doctest.DocTestParser().get_doctest(block.text, names, name, name, block.line - 1)
        if not test.examples:
            faults.append(f"line {block.line}: a python block is a session with >>>")
        report: list[str] = []
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append, clear_globs=False)
        names.update(test.globs)
        faults += ["".join(report)] if report else []
    return faults


# -- the pages ---------------------------------------------------------------------------------------------------


def ident(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture(params=PAGES, ids=ident)
def page(request: pytest.FixtureRequest) -> Path:
    found = request.param
    assert isinstance(found, Path)
    return found


def test_blocks_name_their_language(page: Path) -> None:
    text = page.read_text("utf-8")
    assert text.count("\n```") == 2 * len(list(blocks(text))), "a fence is not closed, or stands in the first line"
    allowed = KINDS | {""} if page.parent.name == "gallery" else KINDS
    assert {block.kind for block in blocks(text)} <= allowed


def test_console(page: Path, tmp_path: Path) -> None:
    faults = console_faults(page.read_text("utf-8"), tmp_path)
    assert not faults, "\n\n".join(faults)


def test_layout(page: Path) -> None:
    faults = layout_faults(page.read_text("utf-8"))
    assert not faults, "\n".join(faults)


def test_python(page: Path) -> None:
    faults = python_faults(page.read_text("utf-8"), ident(page))
    assert not faults, "\n".join(faults)


def anchor(heading: str) -> str:
    """The fragment that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$|`[^`\n]+`", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, fragment = target.partition("#")
        found = page.parent / file if file else page
        assert found.exists(), f"{target} does not exist"
        assert ROOT in found.resolve().parents, f"{target} leaves the repository"
        if fragment:
            headings = re.findall(r"^#+ (.*)$", found.read_text("utf-8"), re.MULTILINE)
            assert fragment in map(anchor, headings), f"{target}: no such heading"


def test_the_map_shows_rooms_that_exist() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    paths = re.findall(r"`((?:\w+/)+[\w.]*)`", page)
    assert not [path for path in paths if "nnn" not in path and not (ROOT / path).exists()]
    for names, path in re.findall(r"`(_?[A-Z]+)`\s+(?:in|of)\s+`(\w+/[\w/]+\.py)`", page):
        assert re.search(rf"^{names}\b", (ROOT / path).read_text("utf-8"), re.MULTILINE), f"{path} has no {names}"


def imported(room: str) -> set[str]:
    """The rooms that a room imports when it runs."""
    found: set[str] = set()
    for path in (ROOT / room).rglob("*.py"):
        pending: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                continue
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("laycalc."):
                found.add(node.module.split(".")[1])
            pending += ast.iter_child_nodes(node)
    return found - {room}


def test_imports_go_the_way_that_the_map_shows() -> None:
    block, *_ = of_kind((ROOT / "CONTRIBUTING.md").read_text("utf-8"), "text")
    lines = [line.split("->") for line in block.text.splitlines()]
    arrows = {room.strip(): set(allowed.strip().split(", ")) for room, allowed in lines}
    assert not [room for room, allowed in arrows.items() if imported(room) - allowed]
    assert not imported("algebra")


def test_figures_of_the_gallery_are_drawn_from_expressions() -> None:
    page = (ROOT / "gallery" / "README.md").read_text("utf-8")
    for block in of_kind(page, ""):
        for outcome in run(block.text):
            assert outcome.error is None, f"line {block.line}: {outcome.error}"


# -- what the README promises ------------------------------------------------------------------------------------


def test_the_two_commands_are_those_of_ci() -> None:
    (block,) = of_kind((ROOT / "README.md").read_text("utf-8"), "sh")
    install, test = block.text.splitlines()
    tests, ci = ((ROOT / name).read_text("utf-8") for name in ("run-tests", ".ci/run"))
    make, put, use = (shlex.split(part) for part in install.split("&&"))
    assert make == ["python3", "-m", "venv", ".venv"]
    assert "venv=${LAYCALC_VENV:-.venv}" in tests and 'python3 -m venv "$venv"' in tests
    assert put == [".venv/bin/pip", "install", "."]
    assert re.search(r"pip install .*'\.\[test\]'", tests)
    command, expression = use
    assert command == ".venv/bin/laycalc"
    (outcome,) = run(expression)
    assert text_of(outcome.value) == "((4,2),(8,2)):((20,80),(2,1))"
    assert not outcome.warnings
    assert test == "./run-tests"
    assert re.search(r"^exec ./run-tests$", ci, re.MULTILINE)
    assert all(os.access(ROOT / name, os.X_OK) for name in ("run-tests", ".ci/run"))


def test_the_tour_has_every_command() -> None:
    from laycalc.cli.main import COMMANDS

    text = (ROOT / "README.md").read_text("utf-8")
    assert not [name for name in COMMANDS if not re.search(rf"laycalc {name}\b", text)]


def build() -> ModuleType:
    """The script that writes the reference."""
    spec = spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_that_of_the_function_table() -> None:
    stale = (ROOT / "docs" / "reference.md").read_text("utf-8") != build().reference()
    assert not stale, "python docs/build.py writes docs/reference.md"


def test_the_page_of_names_is_that_of_the_tables() -> None:
    stale = (ROOT / "docs" / "names.md").read_text("utf-8") != build().names()
    assert not stale, "python docs/build.py writes docs/names.md"


# -- this test itself --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "found", "good"),
    [
        ("4:1", "4:1\n", True),
        ("4:1", "4:2\n", False),
        ("4:1", "4:1\n8:2\n", False),
        ("", "", True),
        ("", "warning\n", False),
        ("...\n4:1", "warning\n  works\n4:1\n", True),
        ("...\n4:1", "4:1\n", True),
        ("...\n4:1", "4:1\n8:2\n", False),
        ("error[LC301]: ...", "error[LC301]: stride 3\n", True),
        ("error[LC301]: ...", "error[LC302]: stride 3\n", False),
        ("a ... z", "a z\n", False),
    ],
)
def test_matching(expected: str, found: str, good: bool) -> None:
    assert matches(expected, found) is good


def test_wrong_console_blocks_are_found(tmp_path: Path) -> None:
    page = (
        "```console\n$ echo one\n> echo two\none\ntwo\n$ false\n$ echo $?\n0\n```\n\n```console\n$ echo x >&2\ny\n```\n"
    )
    first, second = console_faults(page, tmp_path)
    assert first.startswith("line 7: $ echo $?")
    assert second.startswith("line 12: $ echo x >&2")


def test_wrong_layout_blocks_are_found() -> None:
    page = """
```layout
A = (4,8):(1,4)
A(22)             # 22
size(A)           # 31
```

```layout
rank(A)
# 3

for n in {2,4}: 8 / n   # 4; 2
assert compact(A)
assert size(A) == 31
```
"""
    false, size, rank = sorted(layout_faults(page))
    assert "LC501" in false
    assert "31" in size and "line 5" in size
    assert "rank(A)" in rank and "line 9" in rank


def test_wrong_python_blocks_are_found() -> None:
    page = "```python\n>>> x = 2\n```\n\n```python\n>>> x + 2\n4\n>>> x + 3\n4\n```\n\n```python\nx = 3\n```\n"
    wrong, no_session = python_faults(page, "page")
    assert "x + 3" in wrong and "Got" in wrong
    assert "line 13" in no_session
