"""Swizzles and paddings found by search: minimal, verified, in both units; swizzles in the wrong units."""

from __future__ import annotations

import json

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.atoms.accesses.swizzle_search import padded, smallest_swizzle, suggest, wrong_units
from laycalc.atoms.memory.banks import Access, bank_conflicts
from laycalc.atoms.memory.patterns import Pattern, accesses, survey

CASES = [
    (Layout((32, 64), (64, 1)), Pattern(16, 8, "column"), "Sw<3,3,3>", "Sw<3,4,3>", 8),
    (Layout((32, 32), (32, 1)), Pattern(16, 8, "column"), "Sw<2,3,3>", "Sw<2,4,3>", 8),
    (Layout((32, 16), (16, 1)), Pattern(16, 8, "column"), "Sw<1,3,3>", "Sw<1,4,3>", 8),
    (Layout((32, 128), (128, 1)), Pattern(8, 16, "column"), "Sw<3,4,3>", "Sw<3,4,3>", 16),
    (Layout((8, 32), (32, 1)), Pattern(32, 4, "column"), "Sw<3,2,3>", "Sw<3,4,3>", 4),
    (Layout((32, 32), (32, 1)), Pattern(32, lanes="column"), "Sw<5,0,5>", "Sw<5,2,5>", 1),
    (Layout((32, 64), (64, 1)), Pattern(16, lanes="column"), "Sw<5,1,5>", "Sw<5,2,5>", 2),
    (Layout((64, 128), (1, 64)), Pattern(16, lanes="ldmatrix"), "Sw<3,3,3>", "Sw<3,4,3>", 8),
    (Layout((32, 16), (16, 1)), Pattern(64, lanes="column"), "Sw<4,0,4>", "Sw<4,3,4>", 1),
]


@pytest.mark.parametrize(("layout", "pattern", "elements", "in_bytes", "pad"), CASES)
def test_the_customary_swizzles_are_the_smallest(
    layout: Layout, pattern: Pattern, elements: str, in_bytes: str, pad: int
) -> None:
    found = suggest(layout, [pattern])
    assert not found.before.free and found.units is None
    assert found.swizzle is not None and found.padding is not None
    assert (str(found.swizzle.elements), str(found.swizzle.bytes)) == (elements, in_bytes)
    assert found.padding.elements == pad and found.padding.bytes == pad * pattern.bits // 8
    # Both answers are free by the model, and the two units say the same.
    for made in (found.swizzle.layout, found.padding.layout):
        assert survey(accesses(made, pattern)).free
    data = json.loads(json.dumps(found.as_dict()))
    assert data["swizzle"]["bytes"] == in_bytes and data["padding"]["elements"] == pad and data["units"] is None
    assert data["before"]["worst"]["collisions"]
    factor = pattern.bits // 8
    assert all(found.swizzle.bytes(factor * i) == factor * found.swizzle.elements(i) for i in range(4096))


def test_no_smaller_swizzle_is_free() -> None:
    layout, pattern = Layout((32, 64), (64, 1)), Pattern(16, 8, "column")
    for bits in (1, 2):
        for base in range(3, 7):
            for shift in range(bits, 12):
                swizzled = Composed(Swizzle(bits, base, shift), 0, layout)
                assert not survey(accesses(swizzled, pattern)).free


def test_several_patterns_at_once() -> None:
    layout = Layout((128, 64), (64, 1))
    patterns = [Pattern(16, lanes="ldmatrix"), Pattern(16, 8, "row", store=True)]
    found = suggest(layout, patterns)
    assert found.swizzle is not None and str(found.swizzle.elements) == "Sw<3,3,3>"
    assert all(survey(accesses(found.swizzle.layout, p)).free for p in patterns)
    # A column of words and rows of 16 bytes: keeping the vectors whole leaves 8 chunks for 32 lanes.
    hopeless = suggest(Layout((32, 32), (32, 1)), [Pattern(32, lanes="column"), Pattern(32, 4, "row", store=True)])
    assert hopeless.swizzle is not None and hopeless.padding is not None
    for fix in (hopeless.swizzle, hopeless.padding):
        assert not fix.free and fix.each == ((128, 32), (32, 32)) and hopeless.gain(fix) == 1056 - 160
    with pytest.raises(LayoutError, match="one element width"):
        suggest(layout, [Pattern(16), Pattern(32)])


def test_nothing_to_do() -> None:
    found = suggest(Layout((32, 33), (33, 1)), [Pattern(32, lanes="column")])
    assert found.before.free and (found.swizzle, found.padding, found.units) == (None, None, None)
    assert str(smallest_swizzle([Access("ld4", tuple(4 * t for t in range(32)))])) == "Sw<0,0,0>"


def test_a_swizzle_in_place_is_replaced() -> None:
    weak = Composed(Swizzle(2, 3, 3), 0, Layout((32, 64), (64, 1)))
    found = suggest(weak, [Pattern(16, 8, "column")])
    assert found.before.degree == 2 and found.swizzle is not None
    assert str(found.swizzle.layout) == "Sw<3,3,3> o 0 o (32,64):(64,1)"


def test_wrong_units_are_recognised() -> None:
    pattern = Pattern(16, 8, "column")
    in_bytes = Composed(Swizzle(3, 4, 3), 0, Layout((32, 64), (64, 1)))
    hint = wrong_units(in_bytes, [pattern])
    assert hint is not None and (hint.unit, hint.element, str(hint.meant)) == (1, 2, "Sw<3,3,3>")
    # Element units over byte offsets cut the 16-byte vectors: recognised all the same.
    as_bytes = Composed(Swizzle(3, 3, 3), 0, Layout((32, 128), (128, 1)))
    hint = wrong_units(as_bytes, [Pattern(8, 16, "column")])
    assert hint is not None and str(hint.meant) == "Sw<3,4,3>" and "elements of 2 bytes" in str(hint)
    assert suggest(as_bytes, [Pattern(8, 16, "column")]).units == hint
    assert wrong_units(Composed(Swizzle(3, 3, 3), 0, Layout((32, 64), (64, 1))), [pattern]) is None
    # Too weak is not the wrong unit.
    assert wrong_units(Composed(Swizzle(2, 3, 3), 0, Layout((32, 64), (64, 1))), [pattern]) is None


def test_padding() -> None:
    layout = Layout((16, 8, 4), (8, 1, 128))
    made = padded(layout, 128, 4)
    assert made is not None and str(made) == "(16,8,4):(8,1,132)"
    assert all(made(i) == layout(i) + 4 * (layout(i) // 128) for i in range(layout.size))
    assert padded(layout, 12, 4) is None and padded(Layout((4, 4), (4, 3)), 4, 1) is None
    overhead = suggest(Layout((32, 64), (64, 1)), [Pattern(16, 8, "column")]).padding
    assert overhead is not None and overhead.overhead == 0.125 and overhead.storage == 31 * 72 + 64


def test_raw_accesses() -> None:
    column = [Access("ld4", tuple(128 * t for t in range(32)))]
    found = smallest_swizzle(column)
    assert found is not None and str(found) == "Sw<5,2,5>"
    moved = Access("ld4", tuple(found(a) for a in column[0].offsets if a is not None))
    assert bank_conflicts(moved).free
    # 32 words of one bank within 32 lines of a single column cannot be had for 16-byte vectors of one address each.
    assert smallest_swizzle([Access("at_exch", (0, 0))]) is None
