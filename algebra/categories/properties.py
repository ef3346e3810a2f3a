"""Properties of layouts and of morphisms, each decided exactly (Categorical Foundations, sections 2 to 4)."""

from __future__ import annotations

from itertools import pairwise

from ..base.effort import VALUES
from ..base.errors import refuse
from ..base.record import Record
from ..base.words import word
from ..operations.image import cosize
from ..values.coalesce import coalesce
from ..values.layout import Layout
from .coalesce import is_coalesced_flat
from .morphism import Morphism
from .select import is_sorted
from .tractable import is_standard, is_tractable, plain_modes, sorted_modes


class LayoutProperties(Record):
    """What a layout is: ``compact`` is a bijection onto [0, size), ``flat`` a shape of depth 1."""

    size: int
    cosize: int
    tractable: bool
    non_degenerate: bool
    coalesced: bool
    compact: bool
    injective: bool
    complementable: bool
    flat: bool

    def __str__(self) -> str:
        return _words(self.as_json())

    def as_json(self) -> dict[str, object]:
        """One key a property."""
        return {name: getattr(self, name) for name in self.fields}


class MorphismProperties(Record):
    """What a morphism is; ``coalesced_flat`` and ``sorted_flat`` speak of its flattening."""

    non_degenerate: bool
    standard_form: bool
    complementable: bool
    isomorphism: bool
    coalesced_flat: bool
    sorted_flat: bool

    def __str__(self) -> str:
        return _words(self.as_json())

    def as_json(self) -> dict[str, object]:
        """One key a property."""
        return {name: getattr(self, name) for name in self.fields}


def _words(facts: dict[str, object]) -> str:
    numbers = [f"{name} {value}" for name, value in facts.items() if not isinstance(value, bool)]
    held = [name.replace("_", " ") for name, value in facts.items() if value is True]
    missing = ["not " + name.replace("_", " ") for name, value in facts.items() if value is False]
    return ", ".join(numbers + held + missing)


@word("""
    categories: properties(f: morphism)
    non-degenerate, standard, complementable, ...
    properties(to_morphism((4,8):(8,1)))
""")
def properties(f: Morphism) -> MorphismProperties:
    """Non-degenerate, of standard form, complementable (injective), isomorphism, coalesced and sorted.

    >>> print(properties(Morphism((2, 2), (2, 1, 2), (1, 3))))
    non degenerate, complementable, sorted flat, not standard form, not isomorphism, not coalesced flat
    """
    return MorphismProperties(
        non_degenerate=f.is_non_degenerate,
        standard_form=is_standard(f),
        complementable=f.is_injective,
        isomorphism=f.is_isomorphism,
        coalesced_flat=is_coalesced_flat(f),
        sorted_flat=is_sorted(f),
    )


@word("""
    categories: layout_properties(L: layout)
    what the categorical view says of a layout
    layout_properties((4,3,2):(6,1,3))
""")
def layout_properties(layout: Layout) -> LayoutProperties:
    """Size, cosize and the named properties of a layout with integer strides >= 0; LC104 if injectivity stays open.

    >>> print(layout_properties(Layout((2, 3), (3, 1))))
    size 6, cosize 6, tractable, non degenerate, coalesced, compact, injective, complementable, flat
    """
    shape, stride = plain_modes(layout, "layout_properties")
    active = [(d, s) for d, s, _ in sorted_modes(shape, stride) if s != 1]
    chain = all(d for d, _ in active) and all(b % (s * d) == 0 for (d, s), (b, _) in pairwise(active))
    compact = [d for d, _ in active] == _ideal([s for _, s in active])
    return LayoutProperties(
        size=layout.size,
        cosize=cosize(layout),
        tractable=is_tractable(layout),
        non_degenerate=all(s != 1 or d == 0 for s, d in zip(shape, stride, strict=True)),
        coalesced=coalesce(layout) == layout,
        compact=compact,
        injective=chain or is_injective(layout),
        complementable=chain,
        flat=isinstance(layout.shape, tuple) and layout.depth == 1,
    )


def _ideal(extents: list[int]) -> list[int]:
    product, strides = 1, []
    for s in extents:
        strides.append(product)
        product *= s
    return strides


def is_injective(layout: Layout) -> bool:
    """Do different coordinates have different values? Exact, without the table of values.

    Law: no non-zero x with ``|x_i| < s_i`` has ``sum x_i*d_i = 0``. From the greatest stride downwards only the
    partial sums are kept that the smaller strides can still undo. LC104 if there are too many.

    >>> is_injective(Layout((4, 2, 2), (4, 3, 2))), is_injective(Layout((2, 4, 2), (6, 2, 4)))
    (True, False)
    """
    modes = [(d, s) for d, s, _ in sorted_modes(*plain_modes(layout, "is_injective")) if s != 1]
    if any(d == 0 for d, _ in modes) or layout.size > cosize(layout):
        return False
    reach = sum((s - 1) * d for d, s in modes)
    sums: set[int] = set()
    for d, s in reversed(modes):
        reach -= (s - 1) * d
        # By symmetry the first non-zero x is positive; 0 itself stays apart, as the sum of nothing chosen yet.
        runs = [(0, 1, min(s - 1, reach // d))]
        runs += [(t, max(-(s - 1), -((reach + t) // d)), min(s - 1, (reach - t) // d)) for t in sums]
        if sum(high - low + 1 for _, low, high in runs) > VALUES:
            raise refuse(
                "LC104", "whether {layout} is injective needs more than {limit} sums", op="is_injective",
                layout=str(layout), limit=VALUES,
            )  # fmt: skip
        sums = {t + x * d for t, low, high in runs for x in range(low, high + 1)}
    return 0 not in sums
