"""The library as its users call it: texts and integers of any type, every export on every kind of operand."""

from __future__ import annotations

import inspect
import json
import pickle
import re
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from program import laycalc as run

import laycalc as lc
from laycalc.algebra.values.swizzle import Composed

A = lc.Layout((8, 8), (8, 1))
SWIZZLED = lc.Swizzle(3, 0, 3), 0, A

OPERANDS: dict[str, Any] = {
    "plain": A,
    "swizzled": Composed(*SWIZZLED),
    "tensor": lc.Tensor(3, A),
    "coordinates": lc.Layout("(8,8):(e0,e1)"),
    "xor": lc.Layout("(4,4):(f1,f5)"),
    "symbolic": lc.Layout((lc.symbols("M")[0], 8)),
}

VALUES: list[Any] = [
    *OPERANDS.values(),
    lc.Tiler("<4,_,8:2>"),
    lc.Swizzle("Sw<3,4,3>"),
    lc.Coordinate("2e0+3e1"),
    lc.Xor(5),
    lc.Tensor("{(0,2)} o (4,2):(e0,e1)"),
    lc.Tensor(7),
    lc.Morphism((4, 2), (2, 4), (2, 1)),
]
READ = (
    'atom("SM80_16x8x16_F32F16F16F32_TN")',
    'tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2))',
    'copy_atom("SM75_U32x4_LDSM_N", 16)',
    'tiled_copy("SM75_U32x4_LDSM_N", (32,4), (1,8))',
)
"""Values that are read and have no constructor for users."""


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_a_repr_is_the_value(value: Any) -> None:
    names = {type(v).__name__: type(v) for v in VALUES}
    if "M" in str(value):
        pytest.skip("an unknown has no text as a number")
    assert eval(repr(value), names) == value
    assert type(value)(str(value)) == value


@pytest.mark.parametrize("text", READ)
def test_a_repr_without_a_constructor_reads_the_value(text: str) -> None:
    value = lc.eval(text)
    assert eval(repr(value), {"read": lc.read}) == value


def test_no_name_is_that_of_a_room() -> None:
    """A room that is imported becomes an attribute of the package, and would hide the name."""
    rooms = {path.stem for path in Path(str(lc.__file__)).parent.iterdir()}
    assert not rooms & set(lc.names())


Pair = namedtuple("Pair", "m n")


@pytest.mark.parametrize(
    "shape",
    [
        [4, 8],
        (np.int64(4), 8),
        (np.uint8(4), np.int32(8)),
        np.array([4, 8]),
        Pair(4, 8),
        np.zeros((4, 8)).shape,
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_shapes_of_any_type(shape: Any) -> None:
    made = lc.Layout(shape)
    assert made == lc.Layout((4, 8))
    assert type(made.shape) is tuple and {type(n) for n in made.shape} == {int}
    assert lc.size(shape) == 32
    assert lc.Layout((4, 8), shape).stride == (4, 8)


@pytest.mark.parametrize("given", [1.5, (4, 2.0), True, None, {4: 1}, object(), np.float64(2), b"4", "4:"])
def test_what_makes_no_layout_is_refused_by_code(given: Any) -> None:
    with pytest.raises((lc.LayoutError, lc.Failure)):
        lc.Layout(given)
    with pytest.raises((lc.LayoutError, lc.Failure)):
        lc.Swizzle(given, 0, 3)
    with pytest.raises((lc.LayoutError, lc.Failure)):
        lc.Tensor(1, given) if given is not None else lc.Tensor(None)  # type: ignore[arg-type]


def test_functions_are_those_of_the_language() -> None:
    swizzled = lc.eval("Sw<3,0,3> o 0 o (8,8):(8,1)")
    assert str(lc.coalesce(lc.Composed("Sw<3,0,3> o 0 o (8,8):(1,8)"))) == "Sw<3,0,3> o 0 o 64:1"
    assert lc.size(A) == 64
    assert lc.cosize(swizzled) == 64
    assert lc.idx2crd(5, A) == (5, 0)
    assert lc.idx2crd(5, (4, 8)) == (1, 1)
    assert lc.composition(swizzled, lc.Layout(4, 2)) == lc.Composed(lc.Swizzle(3, 0, 3), 0, lc.Layout(4, 16))


def _binds(function: Any, given: tuple[Any, ...]) -> bool:
    """Does a call with so many arguments make sense to Python? Its own TypeError about that is the right one."""
    try:
        inspect.signature(function).bind(*given)
    except TypeError:
        return False
    return True


RECORDS = {"Diagnostic", "Report"}
"""Made by the program and read by its users."""


@pytest.mark.parametrize("name", sorted({*lc.__all__} - RECORDS))
@pytest.mark.parametrize("kind", OPERANDS)
def test_every_export_answers_or_refuses_by_code(name: str, kind: str) -> None:
    function = getattr(lc, name)
    operand = OPERANDS[kind]
    if isinstance(function, type) and issubclass(function, Exception):
        return
    for others in ((), (4,), (operand,), ((2, 2),), ("x",), (None, 3.5), (0, 1)):
        if not _binds(function, (operand, *others)):
            continue
        try:
            function(operand, *others)
        except (lc.LayoutError, lc.Failure) as error:
            assert str(error)


ODD: list[Any] = [
    *(None, True, 1.5, -1, 2**70, "x", "4:", b"x", [], (), {}, object(), float("nan"), ("a", 1), 1j, ..., range(3)),
    *(np.arange(3), np.float64(1), [1, [2]], lc.Xor(3), lc.Coordinate("e0"), lc.Layout((2**30, 2**30))),
]


@pytest.mark.parametrize("name", sorted({*lc.__all__} - RECORDS - {"check", "save"}))
def test_an_odd_argument_is_refused_by_code(name: str) -> None:
    function = getattr(lc, name)
    if isinstance(function, type) and issubclass(function, Exception):
        return
    for odd in ODD:
        for given in ((odd,), (A, odd), (odd, A)):
            if _binds(function, given):
                try:
                    function(*given)
                except (lc.LayoutError, lc.Failure) as error:
                    assert str(error)


@pytest.mark.parametrize("text", ["2^40:1", "(2^30,2^30):(1,2^30)", "Sw<3,4,3> o 0 o 2^40:1", "2^40:e1", "2^40:f1"])
def test_more_values_than_a_machine_holds_are_refused(text: str) -> None:
    value = lc.eval(re.sub(r"2\^(\d+)", lambda found: str(1 << int(found[1])), text))
    for listing in (value.values, value.elements, value.offsets, value.__array__):
        with pytest.raises(lc.LayoutError, match="limit"):
            listing()


# -- operators, slices, arrays -----------------------------------------------------------------------------------


def test_operators_are_the_functions() -> None:
    B = lc.Layout(4, 2)
    assert lc.composition(A, B) == A @ B
    assert lc.logical_divide(A, (2, 4)) == A / (2, 4)
    assert B * lc.Layout(2) == lc.logical_product(B, lc.Layout(2))
    assert lc.Swizzle(3, 0, 3) @ A == Composed(*SWIZZLED)
    assert lc.Tensor(3, A) @ B == lc.Tensor(3, A @ B)
    assert (lc.Layout((64,), (1,)) == A) is False
    assert lc.Layout((4, 8)).equivalent(lc.Layout(32)) and not A.equivalent(lc.Layout(64))


def test_brackets_are_modes_and_slices() -> None:
    L = lc.Layout((4, (2, 3)), (1, (4, 8)))
    assert (L[0], L[-1], L[1, 0], L[1, -1]) == (L.modes()[0], L.modes()[1], lc.Layout(2, 4), lc.Layout(3, 8))
    assert L[np.int64(0)] == L[0]
    assert L(2, None) == L[2, None] == L[2, :] == lc.Tensor(2, lc.Layout((2, 3), (4, 8)))
    swizzled = Composed(lc.Swizzle(1, 0, 2), 0, L)
    assert swizzled[0] == Composed(lc.Swizzle(1, 0, 2), 0, L[0])
    assert lc.Tensor(5, L)[1] == lc.Tensor(5, L[1])
    for index in (2, -3, (1, 2), (0, 1), "x", 1.5, True, slice(0, 1)):
        with pytest.raises(lc.LayoutError):
            L[index]


ARRAYS: list[Any] = [
    A,
    Composed(*SWIZZLED),
    Composed(lc.Swizzle(2, 0, -2), 5, lc.Layout((4, 8), (8, 1))),
    lc.Tensor(3, Composed(*SWIZZLED)),
    lc.Tensor(7),
    lc.Layout("(4,4):(f1,f5)"),
    lc.Layout("(3,4):(f2,f8)"),
    lc.Layout("((2,2),4):((1,8),-2)"),
    lc.Layout("(4,2):(e0,e1)"),
    lc.Tensor("{(0,2)} o (4,2):(e0,e1)"),
    lc.Layout((4, 2), (-8, 10**30)),
    lc.Layout(5, 0),
    lc.Layout(()),
]


@pytest.mark.parametrize("layout", ARRAYS, ids=str)
def test_arrays_hold_the_values(layout: Any) -> None:
    listed = [tuple(v) if isinstance(v, list) else v for v in layout.offsets().tolist()]
    assert listed == layout.values()
    assert (layout(np.arange(layout.size)) == layout.offsets()).all()
    extents = tuple(map(lc.size, layout.shape)) if isinstance(layout.shape, tuple) else (layout.shape,)
    shaped = np.asarray(layout)
    for c in np.ndindex(extents):
        value = layout(c) if isinstance(layout.shape, tuple) else layout(*c)
        assert np.array_equal(shaped[c], value)


def test_arrays_of_coordinates_are_broadcast() -> None:
    rows, columns = np.arange(8)[:, None], np.arange(8)
    assert (A(rows, columns) == np.asarray(A)).all()
    assert (A(3, columns) == np.asarray(A)[3]).all()
    assert A(np.array([[1, 2], [3, 64 * 10**17]])).tolist() == [[8, 16], [24, A(64 * 10**17)]]
    nested = lc.Layout("((2,2),4):((1,8),2)")
    assert (nested((np.arange(2), 1), 3) == [14, 15]).all()
    for wrong in ((rows, columns, columns), (np.array([0.5]), 0), ((rows, 1), 0), (np.array(["a"]), 0)):
        with pytest.raises(lc.LayoutError):
            A(*wrong)


def test_offsets_of_another_type_are_read() -> None:
    assert np.asarray(A, dtype=np.int32).dtype == np.int32
    assert type(A(np.int64(3))) is int
    assert A([1, 2]) == A(1, 2) == 10


# -- notebooks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "(4,8):(8,1)",
        "(128,64):(64,1)",
        "Sw<3,3,3> o 0 o (128,64):(64,1)",
        "{3} o (4,8):(8,1)",
        "Sw<3,0,3>",
        "<4,8:2>",
        "(4,2) --(2,1)--> (2,4)",
        'atom("SM80_16x8x16_F32F16F16F32_TN")',
        'atom("SM90_64x256x16_F32F16F16_SS")',
        'tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2))',
        'tiled_copy("SM75_U32x4_LDSM_N", (32,4), (1,8))',
    ],
)
def test_a_notebook_draws_a_value_once_and_small(text: str) -> None:
    value = lc.eval(text)
    svg = value._repr_svg_()
    assert svg.startswith("<svg") and len(svg.encode()) < 200_000
    assert not hasattr(value, "_repr_html_")


def test_a_value_without_a_picture_is_shown_as_text() -> None:
    assert lc.Layout((lc.symbols("M")[0], 8))._repr_svg_() is None


# -- what the commands answer ------------------------------------------------------------------------------------

ANSWERS: list[tuple[Any, list[str]]] = [
    (lambda: lc.info("((4,8),2):((16,1),8)"), ["info", "((4,8),2):((16,1),8)"]),
    (lambda: lc.why("(4,3):(1,5)", lc.Layout(3, 2)), ["why", "(4,3):(1,5)", "3:2"]),
    (
        lambda: lc.banks("(32,64):(64,1)", bits=16, vector=8, lanes="column", suggest=True),
        ["banks", "(32,64):(64,1)", "--bits", "16", "--vector", "8", "--access", "column", "--suggest"],
    ),
    (
        lambda: lc.vector("(4,8):(1,4)", "(4,8):(1,6)", bits=16),
        ["vector", "(4,8):(1,4)", "(4,8):(1,6)", "--bits", "16"],
    ),
    (lambda: lc.fit([0, 4, 1, 5, 2, 6, 3, 7], (2, 4)), ["fit", "0 4 1 5 2 6 3 7", "--shape", "2x4"]),
    (lambda: lc.fit([0, 5, 1, 9]), ["fit", "0 5 1 9"]),
    (lambda: lc.diff(A, "(8,8):(8,2)"), ["diff", "(8,8):(8,1)", "(8,8):(8,2)"]),
]


@pytest.mark.parametrize(("answer", "command"), ANSWERS, ids=lambda x: x[0] if isinstance(x, list) else "")
def test_an_answer_is_what_the_command_says(answer: Any, command: list[str]) -> None:
    found = answer()
    assert json.loads(json.dumps(found.to_dict())) == json.loads(run(*command, "--json").stdout)
    if command[0] not in ("fit", "diff"):
        assert str(found) == run(*command).stdout.rstrip("\n")
    assert found._repr_html_().startswith("<pre>")
    assert repr(found) == str(found)
    assert not hasattr(found, "nothing_such")


def test_a_derivation_and_a_check_are_data(tmp_path: Path) -> None:
    found = lc.explain("(4,6,8):(2,3,5) o 6:1")
    (derivation,) = found.data
    assert derivation.error is not None and derivation.error.code == "LC302" and "LC302" in str(found)
    assert found.to_dict()["schema"] == 1 and len(found.to_dict()["derivations"]) == 1
    file = tmp_path / "two.layout"
    file.write_text("assert size((4,8):(1,4)) == 33\nassert 1 == 1\n")
    checked = lc.check(str(file))
    assert [f.diagnostic.code for f in checked.data] == ["LC501"]
    assert checked.to_dict() == json.loads(run("check", str(file), "--format", "json").stdout)
    assert str(checked).endswith("1 file: 1 passed, 1 failed")


def test_sources_are_scanned_and_tasks_designed(tmp_path: Path) -> None:
    file = tmp_path / "kernel.py"
    file.write_text("import cutlass.cute as cute\nA = cute.make_layout((4, kN), stride=(kN, 1))\n")
    found = lc.scan(str(file), kN=8)
    assert "(4,8):(8,1)" in str(found)
    assert json.loads(json.dumps(found.to_dict())) == json.loads(run("scan", "--json", str(file), "-D", "kN=8").stdout)
    task = {"A": "(4,8):(1,8)", "C": "(2,2):(1,16)"}
    told = run("design", "--jsonl", "-", stdin=json.dumps({"id": 7, "kind": "left", **task})).stdout
    assert json.loads(told) == {"id": 7, **lc.design_task("left", **task)}
    assert lc.design_task("left", A=lc.Layout(task["A"]), C=lc.Layout(task["C"])) == {"X": "(2,2):(1,8)"}
    with pytest.raises(lc.LayoutError, match="needs"):
        lc.design_task("left")


def test_a_value_as_data_is_what_json_writes() -> None:
    name = "SM80_16x8x16_F32F16F16F32_TN"
    assert json.loads(json.dumps(lc.atom(name).to_dict())) == json.loads(run("atom", name, "--json").stdout)
    assert A.to_dict() == {
        "schema": 1, "expr": "(8,8):(8,1)", "ok": True, "kind": "layout", "value": "(8,8):(8,1)", "warnings": []
    }  # fmt: skip


def test_other_notations_are_read_and_written() -> None:
    assert lc.read("Layout<Shape<_4,_8>,Stride<_8,_1>>{}") == lc.Layout((4, 8), (8, 1))
    assert lc.read("torch.empty_strided((4, 8), (8, 1))", form="torch") == lc.Layout((4, 8), (8, 1))
    assert lc.write(A, "pycute") == A.to("pycute") == "Layout((8, 8),(8, 1))"
    assert lc.read(A.to("cpp")) == A
    for wrong in ("", "4:", "Layout<"):
        with pytest.raises(lc.LayoutError):
            lc.read(wrong)
    with pytest.raises(lc.LayoutError):
        A.to("no such form")


def test_arrays_are_fitted() -> None:
    assert lc.fit(np.asarray(A)).value == A
    assert lc.fit(np.asarray(Composed(*SWIZZLED))).value == Composed(*SWIZZLED)
    for wrong in ([[1, 2], [3]], [1.5], "abc", [True, "x"]):
        with pytest.raises(lc.LayoutError):
            lc.fit(wrong)


# -- errors ------------------------------------------------------------------------------------------------------


def test_an_error_says_all_and_has_its_diagnostic() -> None:
    with pytest.raises(lc.AdmissibilityError) as raised:
        lc.composition(lc.Layout((4, 6, 8), (2, 3, 5)), lc.Layout(6, 3))
    error = raised.value
    assert (error.code, error.facts["stride"], error.facts["prefix"]) == ("LC301", 3, 4)
    assert error.diagnostic.suggestions[0].expr == "composition((4,6,8):(2,3,5), 6:2)"
    assert "works: composition((4,6,8):(2,3,5), 6:2)" in error._repr_html_()


def test_a_failure_is_a_layout_error_with_its_whole_text() -> None:
    with pytest.raises(lc.LayoutError) as raised:
        lc.eval("(4,6,8):(2,3,5) o 6:3")
    failure = raised.value
    assert isinstance(failure, lc.Failure)
    assert failure.code == "LC301" and failure.facts["stride"] == 3
    assert str(failure) == str(failure.diagnostic)
    assert str(failure).splitlines()[1] == "1 | (4,6,8):(2,3,5) o 6:3" and "works: " in str(failure)
    assert "<pre>error[LC301]" in failure._repr_html_() and "<pre>error[LC301]" in failure.diagnostic._repr_html_()
    twin = pickle.loads(pickle.dumps(lc.Failure(failure.diagnostic.settled())))
    assert twin.code == "LC301" and str(twin) == str(failure)


def test_a_name_that_nothing_binds_is_no_unknown() -> None:
    with pytest.raises(lc.LayoutError) as raised:
        lc.eval("A o typo", A=A)
    assert raised.value.code == "LC102"
    assert str(lc.eval("size((M,4))", M=lc.symbols("M")[0])) == "4*M"
    assert str(lc.eval("size((M,4):(1,M))", unknowns=True)) == "4*M"
