"""The function table against the program: help, examples, names; and the exports of the library against its pages."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import laycalc
from laycalc.algebra.base.errors import LayoutError
from laycalc.generate import generated
from laycalc.grammar.language.coerce import coerce
from laycalc.grammar.language.functions import Function, find, functions
from laycalc.grammar.language.values import kind_of, text_of
from laycalc.grammar.run.statements import evaluate

ROOT = Path(__file__).parents[2]
ROWS = list(functions())
TEXT_FORM = {
    "integer", "boolean", "tuple", "layout", "composed layout", "tensor", "tiler", "swizzle", "coordinate stride",
    "XOR stride", "string", "atom", "tiled MMA", "tiled copy", "morphism", "symbolic integer",
}  # fmt: skip
"""Kinds whose text is an expression of the language; lists, tables and reports are shown only."""
RESERVED = {"o", "not", "and", "or", "assert", "assume", "given", "let", "for", "in", "include", "true", "false"}


@pytest.fixture(params=ROWS, ids=lambda row: row.name)
def row(request: pytest.FixtureRequest) -> Function:
    found = request.param
    assert isinstance(found, Function)
    return found


# -- the table ---------------------------------------------------------------------------------------------------


def test_names_and_aliases_are_unique() -> None:
    names = [name for row in ROWS for name in (row.name, *row.aliases)]
    assert len(names) == len(set(names)), sorted({name for name in names if names.count(name) > 1})
    assert not RESERVED & set(names)
    assert all(name.isidentifier() for name in names)


@pytest.mark.parametrize(("path", "text"), list(generated()), ids=lambda x: getattr(x, "name", ""))
def test_what_is_generated_is_not_stale(path: Path, text: Callable[[], str]) -> None:
    assert path.read_text("utf-8") == text(), "stale: python -m laycalc.generate"


def test_every_name_is_found(row: Function) -> None:
    assert all(find(name) is row for name in (row.name, *row.aliases))


def test_help_is_one_line(row: Function) -> None:
    assert row.help
    assert row.help == row.help.strip()
    assert row.help.endswith("...") or not row.help.endswith(".")
    assert "\n" not in row.help
    assert len(row.help) <= 110
    assert row.family


def test_signature_can_be_called(row: Function) -> None:
    """Arguments that may be left out follow those that may not; only the last one repeats; every kind is known."""
    parameters = row.parameters
    assert [p.optional for p in parameters] == sorted(p.optional for p in parameters)
    assert not any(p.many for p in parameters[:-1])
    assert len({p.name for p in parameters}) == len(parameters)
    assert all(p.name.isidentifier() for p in parameters)
    for p in parameters:
        try:
            coerce(object(), p.kind, row.name, p.name)
        except LayoutError as error:
            assert error.code == "LC103"


def test_target_takes_these_arguments(row: Function) -> None:
    target = row.load()
    try:
        signature = inspect.signature(target)
    except ValueError:
        return
    least = [object() for p in row.parameters if not (p.optional or p.many)]
    most = [object() for _ in row.parameters]
    signature.bind(*least)
    signature.bind(*most)


def test_example_calls_the_function(row: Function) -> None:
    assert row.example.startswith(f"{row.name}(")
    value = evaluate(row.example)
    assert value is not None


def test_value_of_the_example_reads_back(row: Function) -> None:
    value = evaluate(row.example)
    text = text_of(value)
    assert text == text.strip()
    assert text
    if kind_of(value) in TEXT_FORM:
        again = evaluate(text)
        assert kind_of(again) == kind_of(value)
        assert text_of(again) == text
        assert again == value


# -- the library -------------------------------------------------------------------------------------------------


@pytest.fixture(params=laycalc.__all__)
def exported(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_exports_are_unique_and_sorted() -> None:
    assert laycalc.names() == sorted(set(laycalc.names()))
    assert laycalc.__all__ == sorted(set(laycalc.__all__))


def test_a_star_import_brings_the_vocabulary_and_leaves_python_alone() -> None:
    space: dict[str, Any] = {}
    exec("from laycalc import *", space)
    assert not set(laycalc.__all__) - set(space)
    assert not {"eval", "sum", "slice", "print", "type"} & set(space)


def test_export_has_a_docstring(exported: str) -> None:
    found: Any = getattr(laycalc, exported)
    assert found.__doc__
    assert found.__doc__.strip().splitlines()[0].rstrip().endswith((".", ":", ";")) or "\n" in found.__doc__.strip()
    assert exported in dir(laycalc)


def test_types_see_the_same_names() -> None:
    """What the stub imports or defines is what there is."""
    tree = ast.parse((ROOT / "laycalc" / "__init__.pyi").read_text("utf-8"))
    imported = {a.asname for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names if a.asname}
    defined = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
    assert not set(laycalc.names()) - imported - defined
    assert defined <= set(laycalc.names()) | {"names"}


def test_every_function_of_the_language_is_a_name(row: Function) -> None:
    for name in (row.name, *row.aliases):
        assert getattr(laycalc, name).__doc__


def test_what_is_no_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match="did you mean zipped_divide"):
        _ = laycalc.ziped_divide  # type: ignore[attr-defined]
    assert not hasattr(laycalc, "__wrapped__")


def test_the_library_page_lists_what_is_no_function_of_the_language() -> None:
    page = (ROOT / "docs" / "library.md").read_text("utf-8")
    assert not [name for name in laycalc._HOME if not re.search(rf"\b{name}\b", page)]


def test_pages_use_only_exports() -> None:
    """``lc.name`` in the pages is a name of the library."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        used = set(re.findall(r"\blc\.(\w+)", path.read_text("utf-8")))
        assert not used - {*laycalc.names(), "__version__"}, path.name
