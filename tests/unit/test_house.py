"""The house: imports run down and in no circle, a folder holds a few files."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]

FLOORS = (
    *("algebra.base", "algebra.values", "algebra.finding", "algebra.operations", "algebra.questions"),
    *("algebra.symbolic", "algebra.categories", "algebra.equations", "algebra"),
    "diagnostics",
    *("atoms.instructions", "atoms.tiling", "atoms.memory", "atoms.accesses", "atoms"),
    *("design.base", "design.smem", "design.copy", "design.mma", "design.gemm", "design.tasks", "design"),
    *("grammar.syntax", "grammar.language", "grammar.advice"),
    *("grammar.forms.reading", "grammar.forms.dialects", "grammar.forms.cute", "grammar.forms.arrays"),
    *("grammar.forms.triton", "grammar.forms.compilers", "grammar.forms.documents", "grammar.forms.hardware"),
    "grammar.forms",
    *("grammar.run", "grammar.explain", "grammar.source", "grammar"),
    *("render.scene", "render.formats", "render.kinds", "render.diagrams", "render.reports", "render"),
    "playground",
    *("cli.streams", "cli.checks", "cli.designs"),
    "lsp",
    *("cli.commands", "cli"),
    "laycalc",
)
"""The folders, lowest first; what is in a folder and in none of the others stands above those that it holds."""

MODULES = 25
"""What a folder holds at most."""


@cache
def modules() -> Mapping[str, ast.Module]:
    """The syntax trees of the package by dotted name below laycalc; a folder's name is its ``__init__``."""
    rooms = sorted({floor.partition(".")[0] for floor in FLOORS})
    files = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(path.read_bytes())
        for path in files
        if path.relative_to(ROOT).parts[0] != "laycalc" or path.parent.name == "laycalc"
    }


def folder(module: str) -> str:
    """The folder that a module lies in; that of a package is itself."""
    return module if any(other.startswith(f"{module}.") for other in modules()) else module.rpartition(".")[0]


def height(module: str) -> int:
    """The floor that a module stands on, counted from the ground."""
    return max((len(floor), i) for i, floor in enumerate(FLOORS) if f"{module}.".startswith(f"{floor}."))[1]


def imports(module: str) -> set[str]:
    """What a module imports of the package: at its top, inside a function or for its types alike."""
    found: set[str] = set()
    for node in ast.walk(modules()[module]):
        if isinstance(node, ast.Import):
            found.update(alias.name.removeprefix("laycalc.") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            steps = folder(module).split(".")
            above = steps[: len(steps) - node.level + 1] if node.level else []
            source = ".".join([*above, *filter(None, [node.module])]).removeprefix("laycalc.")
            inside = [f"{source}.{alias.name}" for alias in node.names]
            found.update(name if name in modules() else source for name in inside)
    return found & modules().keys() - {module}


def test_every_floor_is_there() -> None:
    assert set(FLOORS) <= set(map(folder, modules()))


def test_no_circle() -> None:
    try:
        TopologicalSorter({module: imports(module) for module in modules()}).prepare()
    except CycleError as error:
        raise AssertionError("a circle of imports: " + " <- ".join(error.args[1])) from None


def test_no_arrow_up() -> None:
    arrows = [(module, other) for module in modules() for other in imports(module)]
    assert not [f"{a} -> {b}" for a, b in arrows if height(a) < height(b)]


def test_folders_are_small() -> None:
    sizes = Counter(map(folder, modules()))
    assert not {name: count for name, count in sizes.items() if count > MODULES}


LINES, COMPLEXITY = 60, 15

EXCEPTIONS: Mapping[str, str] = {}
"""Functions that are longer or more complex, each with its reason; there is none."""

_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.Assert, ast.With, ast.match_case)


def complexity(function: ast.FunctionDef) -> int:
    """1, and 1 for each branch, loop, handler, comprehension with its conditions, and each further and/or operand."""
    found = 1
    for node in ast.walk(function):
        found += isinstance(node, _BRANCHES)
        found += 1 + len(node.ifs) if isinstance(node, ast.comprehension) else 0
        found += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
    return found


def test_functions_are_short_and_simple() -> None:
    large = {
        f"{module}.{node.name}"
        for module, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and ((node.end_lineno or 0) - node.lineno >= LINES or complexity(node) > COMPLEXITY)
    }
    assert large == set(EXCEPTIONS)
