"""Values, texts and refusals of the categories that the golden facts do not reach."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from typing import Any

import pytest
from vocabulary import VOCABULARY as OPERATIONS

import laycalc
from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.categories import Complement, Morphism, WeakComposite, identity, to_layout, to_morphism, why
from laycalc.algebra.categories.complement import complement_morphism
from laycalc.algebra.categories.layouts import compose_layouts, compose_layouts_general, compose_layouts_resized
from laycalc.algebra.categories.mutual import mutual_refinement
from laycalc.algebra.categories.operations import MORPHISM_OPERATORS
from laycalc.algebra.categories.properties import is_injective
from laycalc.algebra.categories.quotient import complement_layout, logical_product_layouts
from laycalc.algebra.categories.select import restrict
from laycalc.algebra.categories.weak import weak_composite
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor

F = Morphism(((2, 2), (2, 4)), (2, 2, 2, 4), (1, 3, 2, 4))
E0 = Coordinate.of([((0,), 1)])


def refused(call: Any, *args: Any) -> LayoutError:
    with pytest.raises(LayoutError) as caught:
        call(*args)
    assert "{" not in str(caught.value)
    return caught.value


def test_a_morphism_is_a_value() -> None:
    twin = Morphism(((2, 2), (2, 4)), (2, 2, 2, 4), [1, 3, 2, 4])
    assert twin == F
    assert hash(twin) == hash(F)
    assert F.flat != F
    assert F != "F"
    assert pickle.loads(pickle.dumps(F)) == copy.copy(F) == F
    assert repr(F) == "Morphism('((2,2),(2,4)) --(1,3,2,4)--> (2,2,2,4)')"
    with pytest.raises(AttributeError):
        F.domain = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("domain", "codomain", "map_", "text"),
    [
        (8, (8,), (1,), "8 --(1)--> (8)"),
        (1, (), (0,), "1 --(*)--> ()"),
        ((), (), (), "() --()--> ()"),
        ((2, (3,)), 3, (0, 1), "(2,(3)) --(*,1)--> 3"),
    ],
)
def test_text(domain: Any, codomain: Any, map_: tuple[int, ...], text: str) -> None:
    f = Morphism(domain, codomain, map_)
    assert str(f) == text
    assert laycalc.eval(text) == f


@pytest.mark.parametrize(
    ("domain", "codomain", "map_", "kind", "code"),
    [
        ((2, 3), (2, 3), (1,), "map_length", "LC206"),
        ((2, 3), (2, 3), (1, 3), "target_out_of_range", "LC206"),
        ((2, 3), (2, 3), (1, -1), "target_out_of_range", "LC206"),
        ((2, 3), (2, 3), (True, 2), "target_out_of_range", "LC206"),
        ((2, 2), (2, 3), (1, 1), "not_injective", "LC206"),
        ((2, 3), (2, 3), (2, 1), "entry_mismatch", "LC206"),
        ((2, 0), (2, 3), (1, 0), "bad_entry", "LC202"),
        ((2, True), (2, 3), (1, 0), "bad_entry", "LC202"),
        ((2,), (2, "x"), (1,), "bad_entry", "LC202"),
    ],
)
def test_invalid_morphisms(domain: Any, codomain: Any, map_: Any, kind: str, code: str) -> None:
    error = refused(Morphism, domain, codomain, map_)
    assert (error.code, error.facts["kind"]) == (code, kind)


def test_named_kinds_keep_what_they_know() -> None:
    c = complement_morphism(Morphism((4,), (4, 8), (1,)))
    assert isinstance(c, Complement)
    assert pickle.loads(pickle.dumps(c)).as_json() == c.as_json()
    assert c.as_json()["N"] == 32
    w = weak_composite(Morphism((6,), (6,), (1,)), Morphism((2, 3), (3, 2), (2, 1)))
    assert isinstance(w, WeakComposite)
    assert pickle.loads(pickle.dumps(w)).as_json() == w.as_json()
    assert str(w.coalesced_over_domain) == "((2,3)):((3,1))"
    assert w == Morphism(((2, 3),), (3, 2), (2, 1))


def test_identity_changes_parentheses() -> None:
    assert str(identity((2, (3, 4)), ((2, 3), 4))) == "(2,(3,4)) --(1,2,3)--> ((2,3),4)"
    assert refused(identity, (2, 3), (3, 2)).facts["kind"] == "entry_mismatch"


def test_operators() -> None:
    f, g = Morphism((2, 2), (2, 2, 5, 5), (1, 2)), Morphism((5, 5), (5, 5), (2, 1))
    assert str(MORPHISM_OPERATORS["logical_product"](f, g)) == "((2,2),(5,5)) --(1,2,4,3)--> (2,2,5,5)"
    error = refused(MORPHISM_OPERATORS["composition"], f, g)
    assert error.facts["same_flattening"] is False
    assert error.facts["mutually_refinable"] is False
    nested = Morphism((5, 5), ((5, 5),), (1, 2))
    assert "parentheses" in str(refused(MORPHISM_OPERATORS["composition"], g, nested))
    assert "weak composite" in str(refused(MORPHISM_OPERATORS["composition"], g, Morphism((5,), (5,), (1,))))


@pytest.mark.parametrize(
    ("layout", "code"),
    [
        (Layout((2, 2), (E0, 0)), "LC103"),
        (Layout(4, -1), "LC103"),
        (Layout(4, Xor(1)), "LC103"),
    ],
)
def test_strides_that_are_no_numbers(layout: Layout, code: str) -> None:
    for name in ("to_morphism", "is_tractable", "layout_properties"):
        assert refused(OPERATIONS[name], layout).code == code
    assert refused(compose_layouts, Layout(8, 1), layout).code == code


def test_unknown_extents_are_named() -> None:
    class Unknown:
        symbols = ("M",)

        def __str__(self) -> str:
            return "M"

    m = Unknown()
    assert refused(Morphism, (m,), (4,), (0,)).code == "LC106"
    assert refused(to_morphism, _raw((4, m), (1, 4))).code == "LC106"
    assert refused(to_morphism, _raw((4, 4), (1, m))).code == "LC106"


def _raw(shape: Any, stride: Any) -> Layout:
    from laycalc.algebra.values.layout import make

    return make(shape, stride)


def test_tractability_explains_itself() -> None:
    overlap = refused(to_morphism, Layout((2, (2, 8)), (1, (1, 1))))
    assert overlap.facts["overlap"] is True
    assert overlap.facts["left_path"] == (0,)
    assert overlap.facts["next_path"] == (1, 0)
    gap = refused(to_morphism, Layout((2, 2), (1, 3)))
    assert gap.facts["overlap"] is False
    assert "size-1 modes" in str(refused(to_morphism, Layout((2, 1), (4, 3))))


def test_size_one_strides_of_the_inner_layout_are_nullified_and_reported() -> None:
    outer, inner = Layout((4, 4), (4, 1)), Layout((4, 1), (1, 3))
    for compose in (compose_layouts, compose_layouts_general, compose_layouts_resized):
        found = compose(outer, inner)
        assert found.nullified
        assert found.as_json()["nullified"] is True
        assert str(found.layout) == "(4,1):(4,0)"
    assert not compose_layouts(outer, Layout((4, 1), (1, 0))).nullified


def test_a_composition_names_the_guilty_mode() -> None:
    error = refused(compose_layouts, Layout(64, 1), Layout((2, (2, 4)), (1, (3, 6))))
    assert error.facts["kind"] == "inner_not_tractable"
    assert error.facts["right_path"] == (0,)
    assert str(error).startswith("the inner layout ")


def test_entries_one() -> None:
    assert str(mutual_refinement((1, 2), (2,))) == "(1,2) -> (1,2)   (2) -> ((1,2))"
    assert str(mutual_refinement((2, 1, 3), (2, 3))) == "(2,1,3) -> (2,1,3)   (2,3) -> ((2,1),3)"
    assert str(mutual_refinement((2, 2), (2, 1, 2))) == "(2,2) -> ((2,1),2)   (2,1,2) -> (2,1,2)"
    assert str(mutual_refinement((6,), (2, 1, 3))) == "(6) -> ((2,1,3))   (2,1,3) -> (2,1,3)"
    assert str(mutual_refinement((1, 4), (1, 2, 2))) == "(1,4) -> (1,(2,2))   (1,2,2) -> (1,2,2)"
    assert str(mutual_refinement((4,), (1, 8))) == "(4) -> ((1,4))   (1,8) -> (1,(4,2))"
    assert refused(mutual_refinement, (1,), ()).facts["reason"] == "no_entry_to_split"


def test_indices_increase() -> None:
    assert refused(restrict, F, [2, 1]).facts["kind"] == "not_increasing"
    assert refused(restrict, F, [0]).facts["kind"] == "index_out_of_range"


def test_complement_wants_a_positive_integer() -> None:
    assert refused(complement_layout, Layout(4, 1), 0).code == "LC103"
    assert refused(logical_product_layouts, Layout((2, 2), (1, 0)), Layout(2, 1)).code == "LC306"
    assert refused(logical_product_layouts, Layout((2, 2), (1, 3)), Layout(2, 1)).code == "LC307"
    assert refused(logical_product_layouts, Layout(2, 1), Layout((2, 2), (1, 3))).code == "LC309"


def test_injectivity_of_long_layouts_needs_no_table() -> None:
    long = Layout((1 << 30, 1 << 30, 3), (3, 3 << 30, 1))
    assert is_injective(long)
    assert not is_injective(Layout((1 << 30, 1 << 30), (3, 3 << 29)))
    assert refused(is_injective, Layout((1 << 22, 1 << 22), (1 << 22, (1 << 22) + 1))).code == "LC104"


def test_everything_has_a_text_and_plain_data() -> None:
    outer, inner = Layout((8, 8), (8, 1)), Layout((2, 2), (1, 4))
    values = [
        OPERATIONS["realize"](F),
        OPERATIONS["properties"](F),
        OPERATIONS["layout_properties"](outer),
        OPERATIONS["mutual_refinement"]((4,), (8,)),
        OPERATIONS["compose_layouts"](outer, inner),
        OPERATIONS["compose_layouts_resized"](outer, inner),
        OPERATIONS["classify_composition"](outer, Layout((8, 2), (1, 1))),
        OPERATIONS["classify_composition"](Layout((8, 4), (16, 1)), Layout(2, 3)),
        OPERATIONS["logical_divide_layouts"](outer, inner),
        OPERATIONS["logical_product_layouts"](inner, inner),
        why(outer, inner),
        why(outer, Layout(2, 3)),
        why(outer, Layout((2, 2), (3, 1))),
        F,
    ]
    for value in values:
        assert str(value)
        assert "object at" not in str(value)
        assert json.loads(json.dumps(value.as_json())) == value.as_json()
        assert hash(value) == hash(copy.copy(value))


def test_the_categories_load_nothing_heavy() -> None:
    heavy = "{'numpy', 'lark', 'rich', 'matplotlib'}"
    code = f"import sys, laycalc.algebra.categories; print(*sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_layouts_of_morphisms_print_as_layouts() -> None:
    assert str(to_layout(F)) == "((2,2),(2,4)):((1,4),(2,8))"
    assert to_morphism(to_layout(F)) == F
