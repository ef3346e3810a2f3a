"""`why` against the table of values, on every composition of the C++ facts and on random ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.categories.nested import refines
from laycalc.algebra.categories.why import Why, why
from laycalc.algebra.operations.composition import composition
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.shape import natural, size
from laycalc.algebra.values.tiler import Tiler

GOLDEN = Path(__file__).parents[1] / "golden" / "cute_cpp.jsonl"


class Reader:
    """Layouts, tilers and shapes in the spelling of the facts."""

    def __init__(self, text: str) -> None:
        self.text = text.replace(" ", "")
        self.at = 0

    def operand(self) -> Any:
        if self.text.startswith("["):
            return self.tiler()
        shape = self.htuple()
        if self.at == len(self.text) or self.text[self.at] != ":":
            return shape
        self.at += 1
        return Layout(shape, self.htuple())

    def tiler(self) -> Any:
        modes: list[Any] = []
        while self.text[self.at] != "]":
            self.at += 1
            if self.text[self.at] == "_":
                self.at += 1
                modes.append(None)
            elif self.text[self.at] == "[":
                modes.append(self.tiler())
            else:
                modes.append(self.part())
        self.at += 1
        return Tiler(modes)

    def part(self) -> Any:
        shape = self.htuple()
        if self.text[self.at] != ":":
            return shape
        self.at += 1
        return Layout(shape, self.htuple())

    def htuple(self) -> Any:
        if self.text[self.at] != "(":
            return self.leaf()
        entries: list[Any] = []
        while self.text[self.at] != ")":
            self.at += 1
            if self.text[self.at] != ")":
                entries.append(self.htuple())
        self.at += 1
        return tuple(entries)

    def leaf(self) -> Any:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "-0123456789e.":
            self.at += 1
        word = self.text[start : self.at]
        if "e" not in word:
            return int(word)
        coefficient, path = word.split("e")
        return Coordinate.of([(tuple(map(int, path.split("."))), int(coefficient or 1))])


def compositions() -> list[tuple[Layout, Any, dict[str, Any]]]:
    """Every composition of two layouts, or of a layout and a tiler."""
    found = []
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        fact = json.loads(line)
        if fact["op"] == "composition" and "Sw" not in "".join(fact["args"]):
            try:
                left, right = (Reader(x).operand() for x in fact["args"])
            except LayoutError:
                # Coordinates that no layout has; C++ refuses these as well.
                assert "error" in fact, fact
                continue
            found.append((left, right, fact))
    return found


def values(outer: Layout, inner: Layout) -> list[Any]:
    return [outer.element(v) for v in inner.elements()]


def modewise(layout: Layout, inner: Layout) -> list[Any]:
    """The values at the coordinates of ``inner``, in order."""
    if refines(layout.shape, inner.shape):
        return layout.elements()
    return [layout.element(natural(i, inner.shape)) for i in range(inner.size)]


def refusal(outer: Layout, inner: Any) -> str:
    try:
        composition(outer, inner)
    except LayoutError as error:
        return error.code
    return ""


def test_every_composition_of_the_facts() -> None:
    """No answer contradicts the values; level 5 is where the composition refuses and no other layout has the values."""
    seen = dict.fromkeys(range(1, 6), 0)
    offered = 0
    for outer, inner, fact in compositions():
        try:
            found = why(outer, inner)
        except LayoutError as error:
            # Nothing to diagnose: the values themselves do not exist, and the composition says the same.
            assert refusal(outer, inner) == error.code, fact
            continue
        assert found.decided, fact
        seen[found.level] += 1
        code = refusal(outer, inner)
        assert found.composed == (not code), fact
        assert found.level < 5 or code, fact
        if code and found.level < 5:
            offered += 1
            assert found.level == 4, fact
        if isinstance(found.inner, Layout):
            _check(found, outer, found.inner, fact)
    assert min(seen.values()) > 0
    assert offered < seen[5]


def _check(found: Why, outer: Layout, inner: Layout, fact: dict[str, Any]) -> None:
    table = values(outer, inner)
    if found.layout is not None:
        assert modewise(found.layout, inner) == table, fact
    assert found.cutlass is not None
    answer = found.cutlass.layout
    integers = "e" not in "".join(fact["args"])
    if answer is None:
        assert not integers or found.cutlass.refusal in {fact.get("error"), *fact.get("error_also", ())}, fact
    else:
        assert found.cutlass.right == (modewise(answer, inner) == table), fact
        if "result" in fact and integers:
            assert str(answer) == fact["result"], fact
            assert found.cutlass.right == fact.get("functional", True), fact
    if found.dsl is not None and found.dsl.layout is not None:
        assert found.dsl.right == (modewise(found.dsl.layout, inner) == table), fact
    if found.fault is not None:
        for suggestion in found.fault.suggestions:
            assert refusal(outer, suggestion) == "", fact
    if found.level > 3 and found.dsl is not None:
        assert found.fault or found.overlap or found.carry, fact
    json.dumps(found.as_json())
    assert str(found).startswith(f"level {found.level} of 5")


LAYOUTS = st.integers(1, 3).flatmap(
    lambda n: st.builds(
        Layout,
        st.tuples(*[st.sampled_from([2, 3, 4, 5, 6])] * n),
        st.tuples(*[st.integers(0, 12)] * n),
    )
)


@settings(max_examples=150, deadline=None)
@given(LAYOUTS, LAYOUTS)
def test_levels_on_random_layouts(outer: Layout, inner: Layout) -> None:
    found = why(outer, inner)
    _check(found, outer, inner, {"args": [str(outer), str(inner)], "error": found.cutlass and found.cutlass.refusal})
    code = refusal(outer, inner)
    assert found.composed == (not code)
    assert found.level > 3 or found.composed
    if found.level == 5:
        assert code
        assert not _exists(values(outer, inner), inner)
    if found.refinement is not None and found.in_bounds and not found.resized:
        assert size(found.refinement.U) == outer.size


def _exists(table: list[Any], inner: Layout) -> bool:
    """Brute force: is the table a sum of leaf functions, each of them that of some layout?"""
    shape, _ = inner.flat()
    weights = [size(shape[:k]) for k in range(len(shape))]
    leaves = [[table[x * w] for x in range(s)] for s, w in zip(shape, weights, strict=True)]
    for i, value in enumerate(table):
        digits = [i // w % s for s, w in zip(shape, weights, strict=True)]
        if value != sum(leaf[c] for leaf, c in zip(leaves, digits, strict=True)):
            return False
    return all(map(_is_layout, leaves))


def _is_layout(leaf: list[Any]) -> bool:
    """Does some layout of one mode's size have these values? Every first extent is tried."""
    if len(leaf) == 1:
        return bool(leaf[0] == 0)
    return any(
        len(leaf) % s == 0
        and all(leaf[q * s + r] == leaf[q * s] + r * leaf[1] for q in range(len(leaf) // s) for r in range(s))
        and _is_layout(leaf[::s])
        for s in range(2, len(leaf) + 1)
    )


def test_the_example_of_level_four() -> None:
    found = why(Layout((2, 2), (0, 8)), Layout(2, 3))
    assert (found.level, found.composed, found.layout) == (4, False, Layout(2, 8))
    assert found.fault is not None
    assert (found.fault.part, found.fault.value, found.fault.boundary, found.fault.gcd) == ("start", 3, 2, 1)
    assert found.fault.nearest == (2, 4)


def test_out_of_bounds_is_read_with_an_unbounded_last_mode() -> None:
    found = why(Layout((4, 3), (1, 5)), Layout(24, 1))
    assert (found.level, found.in_bounds, found.reach) == (3, False, (24, 12))
    assert found.layout == Layout((4, 6), (1, 5))


def test_large_layouts_need_no_table() -> None:
    outer = Layout((1 << 40, 3 << 40), (3 << 50, 1))
    found = why(outer, Layout((1 << 45, 3), (1, 1 << 46)))
    assert found.level == 2
    assert why(outer, Layout(1 << 45, 3)).level == 5


def test_a_tiler_is_diagnosed_mode_by_mode() -> None:
    found = why(Layout((8, (4, 3)), (1, (10, 41))), Tiler([4, Layout(6, 1)]))
    assert [w.level for w in found.modes] == [2, 5]
    assert found.level == 5
    assert found.layout is None
