"""Values of the algebra: frozen, hashable, copied by value; what is no value is refused with its code and facts."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest
from golden.facts import load
from vocabulary import VOCABULARY

from laycalc.algebra.base.derivations import recording
from laycalc.algebra.base.errors import AdmissibilityError, InputError, LayoutError, ValueFault, observing
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.operations.divide import logical_divide
from laycalc.algebra.operations.image import image
from laycalc.algebra.operations.product import logical_product
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor, slice_layout
from laycalc.algebra.values.tiler import Tiler

E0, E1 = Coordinate.of([((0,), 1)]), Coordinate.of([((1,), 1)])

VALUES: list[Any] = [
    Layout((4, (2, 3)), (1, (4, 8))),
    Layout((4, 4), (Xor(1), Xor(5))),
    Layout((4, 8), (E0, E1)),
    E0 + 2 * E1,
    Xor(9),
    Swizzle(3, 4, 3),
    Composed(Swizzle(2, 0, 3), 8, Layout((8, 8), (8, 1))),
    Tensor(3, Layout(4, 2)),
    Tensor(7),
    Tiler([4, None, Layout(8, 2)]),
]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_values_are_equal_to_their_copies_and_to_nothing_else(value: Any) -> None:
    for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert twin == value and hash(twin) == hash(value)
    assert [other == value for other in VALUES].count(True) == 1
    assert len({value, copy.copy(value)}) == 1


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_values_are_frozen(value: Any) -> None:
    name = type(value).__slots__[0]
    with pytest.raises(AttributeError):
        setattr(value, name, None)
    with pytest.raises(AttributeError):
        value.other = 1


REFUSED: list[tuple[Any, tuple[Any, ...], str, type[LayoutError], str]] = [
    (Layout, ((4, 2), 1), "LC201", ValueFault, "shape (4,2) and stride 1 are not congruent"),
    (Layout, ((4, 0), (1, 4)), "LC202", ValueFault, "shape entry 0 is not a positive integer"),
    (Layout, ((4, True), (1, 4)), "LC202", ValueFault, "shape entry True is not a positive integer"),
    (Layout, ((4, 2), (1, 1.5)), "LC103", InputError, "stride entry 1.5 is not an integer"),
    (Layout, ((4, 2), (2, E0)), "LC203", ValueFault, "strides (2,e0) mix integer semimodules Z and Z^P"),
    (concat, (Layout(4, Xor(1)), Layout(3, E0)), "LC203", ValueFault, "F2 and Z^P"),
    (Swizzle, (3, 4, 2), "LC204", ValueFault, "|S| must be at least B"),
    (Layout((4, 8)), (((1, 2), 3),), "LC205", ValueFault, "deeper than the shape"),
    (Layout((4, 8)), (1, 2, 3), "LC205", ValueFault, "has rank 3"),
    (image, (Layout(1 << 30, 1),), "LC104", InputError, "the limit is 1048576"),
    (VOCABULARY["sum"], (Xor(1), 1), "LC203", ValueFault, "mix integer semimodules"),
    (VOCABULARY["scale"], (E0, E1), "LC103", InputError, "integer as its factor"),
    (VOCABULARY["layout_of"], (0, 8, 5), "LC303", AdmissibilityError, "no layout has these values"),
    (VOCABULARY["group"], (Layout((2, 2)), 1, 3), "LC103", InputError, "no range of modes"),
    (VOCABULARY["mode"], (Layout((2, 2)), 2), "LC103", InputError, "has no mode 2"),
    (VOCABULARY["make_ordered_layout"], ((2, 2), (0, 1, 2)), "LC201", ValueFault, "does not fit the shape"),
    (VOCABULARY["copy_map"], (Layout(4, 1), Layout(8, 1)), "LC103", InputError, "equal sizes"),
    (VOCABULARY["gemm_mnk"], (Layout((2, 3)), Layout((4, 5)), Layout((2, 4))), "LC103", InputError, "mode K"),
    (VOCABULARY["recast_layout"], (Layout(8, 1), 0, 8), "LC103", InputError, "widths are positive"),
    (VOCABULARY["to_elements"], (Layout(4, 3), 16), "LC312", AdmissibilityError, "no whole number"),
]


@pytest.mark.parametrize(("call", "arguments", "code", "family", "words"), REFUSED, ids=range(len(REFUSED)))
def test_refusals_have_a_code_a_family_and_the_numbers(
    call: Any, arguments: tuple[Any, ...], code: str, family: type[LayoutError], words: str
) -> None:
    with pytest.raises(LayoutError) as caught:
        call(*arguments)
    error = caught.value
    assert error.code == code and type(error) is family
    assert words in str(error)
    assert "op" in error.facts
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.facts.keys() == error.facts.keys()


def test_a_refused_composition_names_modes_of_both_operands_and_their_numbers() -> None:
    left, right = Layout(((2, 2), (6, 8)), ((2, 4), (3, 5))), Layout((2, (6, 1)), (1, (3, 0)))
    with pytest.raises(AdmissibilityError) as caught:
        composition(left, right)
    facts = caught.value.facts
    assert caught.value.code == "LC301"
    assert (facts["stride"], facts["prefix"], facts["extent"]) == (3, 4, 6)
    assert left[facts["left_path"]] == Layout(2, 4) and right[facts["right_path"]] == Layout(6, 3)


def test_a_refusal_inside_a_tiler_names_the_mode_of_the_tiler() -> None:
    with pytest.raises(AdmissibilityError) as caught:
        composition(Layout((4, (6, 8)), (1, (3, 100))), Tiler([4, Layout(3, 4)]))
    assert caught.value.facts["left_path"] == (1, 0)
    assert caught.value.facts["right_path"] == (1,)


def test_a_refused_divide_speaks_of_the_divide() -> None:
    with pytest.raises(AdmissibilityError) as caught:
        logical_divide(Layout((9, 10), (10, 1)), Layout(6, 1))
    assert caught.value.facts["op"] == "logical_divide"


def test_distribution_faults_carry_a_counterexample() -> None:
    with pytest.raises(AdmissibilityError) as caught:
        composition(Layout((3, 4), (1, 50)), Layout((2, 2), (2, 1)))
    facts = caught.value.facts
    assert (facts["coordinate"], facts["value"], facts["modewise"]) == ("(1,1)", 50, 3)


def test_remarks_reach_whoever_listens_and_are_made_once() -> None:
    with observing() as remarks:
        logical_divide(Layout(10, 1), 4)
        logical_divide(Layout(10, 1), 4)
        composition(Layout((4, 8), (1, 4)), Tiler([4]))
    assert [r.code for r in remarks] == ["LC401", "LC407"]
    assert "covers" not in str(remarks[0]) and str(remarks[0]).startswith("ragged")
    composition(Layout((4, 8), (1, 4)), Tiler([4]))
    assert len(remarks) == 2


def test_derivations_are_recorded_step_by_step() -> None:
    with recording() as recorder:
        logical_divide(Layout((6, 2, 2), (2, 1, 20)), Layout(8, 3))
        logical_product(Layout((3, 4), (4, 1)), Layout((2, 5), (1, 2)))
    assert [step.rule for step in recorder.steps] == ["divide", "product"]
    rules = {step.rule for step in recorder.steps[0].steps}
    assert {"cover", "composition"} <= rules
    assert composition(Layout(4, 1), Layout(2, 1)) == Layout(2, 1)


def test_every_operation_of_the_facts_is_in_the_vocabulary() -> None:
    operations = {fact["op"] for fact in load("cute_cpp.jsonl")}
    paper = """rank depth size cosize image coords idx2crd natural crd2idx congruent weakly_congruent compatible eval
    values table slice mode concat coalesce complement right_inverse left_inverse zipped_divide blocked_product
    raked_product max_common_vector max_common_layout admissible equal is_identity injective compact linear_form scale
    sum layout_of apply copy_map gemm_mnk tv_table tile_table mark_table"""
    assert operations | set(paper.split()) <= set(VOCABULARY)


def test_every_word_of_the_vocabulary_is_documented_with_an_example() -> None:
    for name, function in VOCABULARY.items():
        text = function.__doc__ or ""
        if function.__module__.startswith("laycalc.algebra"):
            assert ">>>" in text, name
            assert "\n" not in text.strip().split("\n\n")[0], name


def test_slices_of_composed_layouts_stay_exact_at_every_row() -> None:
    whole = Composed(Swizzle(3, 3, 3), 0, Layout((64, 64), (64, 1)))
    for row in range(64):
        found = slice_layout(whole, (row, None))
        assert found.values() == [whole.element((row, column)) for column in range(64)]


def test_the_algebra_imports_the_standard_library_alone() -> None:
    code = (
        "import sys, pkgutil, laycalc.algebra as a\n"
        "for m in pkgutil.walk_packages(a.__path__, 'laycalc.algebra.'): __import__(m.name)\n"
        "print(sorted(m for m in sys.modules if '.' not in m))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"numpy", "lark", "rich", "typer", "matplotlib", "dataclasses"} & set(eval(loaded))
