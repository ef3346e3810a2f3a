"""What the CUTLASS C++ headers answer to a whole call, right or wrong (cute/layout.hpp, CUTLASS 4).

Composition is in `laycalc.algebra.operations.cutlass`; here are the operations that compose with a complement, and
upcast. Their complement rounds up mode by mode where the definition rounds the whole size: ``5:1`` in ``(12,2)`` leaves
(3,2) tiles, not 5. Said beside a refusal, never used to compute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base.errors import LayoutError
from ..base.record import Record
from ..operations.cutlass import StaticAssert, cutlass_composition
from ..operations.divide import one_is_still, spliced, zip_modes
from ..values.coalesce import coalesce
from ..values.htuple import HTuple, flatten, map_leaves
from ..values.layout import Layout, concat, make
from ..values.semimodule import Coordinate
from ..values.tiler import Tiler, as_operand, by_mode
from .witness import LAWS, Witness

POINTS = 1 << 12
"""Values that are compared with the definition."""

Pieces = list[tuple[str, Layout, Any, Layout]]
"""The parts of a call: law, operands and the answer of each mode."""

Model = Callable[[Layout, Any, Pieces], Layout]
"""What C++ does with two operands; it enters the parts."""

PHRASES = {
    "stride-divisibility": "Stride Divisibility Condition",
    "shape-divisibility": "Shape Divisibility Condition",
    "complement-non-injective": "Non-injective Layout detected in complement",
    "tiler-rank": "Too many modes in tiler",
    "upcast-divisibility": "Divisibility Condition",
    "mode-not-rank-2": "",
}
"""The static assertions of the headers, and the words that they print."""


class Answered(Record):
    """The layout that C++ returns, or None with the phrase of its refusal; ``wrong`` is where it leaves the definition.

    ``part`` is the answer inside the mode at which it goes wrong, the whole answer if no mode is divided by itself.
    """

    layout: Layout | None
    refusal: str = ""
    wrong: Witness | None = None
    part: Layout | None = None


def answered(name: str, arguments: Sequence[Any]) -> Answered | None:
    """What C++ answers to a call of the language; None for a call that is not modelled.

    >>> answered("logical_divide", (Layout((12, 2), (1, 36)), Layout(5, 1))).layout
    Layout('(5,(3,2)):(1,(5,36))')
    >>> answered("upcast", (Layout((4, 2, 4), (2, 1, 1)), 4)).layout
    Layout('(2,1,1):(1,1,1)')
    """
    model = _MODELS.get(name)
    if model is None or len(arguments) != 2 or not isinstance(arguments[0], Layout) or not _is_known(arguments):
        return None
    pieces: Pieces = []
    try:
        layout = model(arguments[0], arguments[1], pieces)
    except StaticAssert as refusal:
        return Answered(None, PHRASES[refusal.kind]) if refusal.kind in PHRASES else None
    except LayoutError as error:
        kind = {"LC305": "tiler-rank", "LC311": "mode-not-rank-2"}.get(error.code)
        return Answered(None, PHRASES[kind]) if kind else None
    for law, left, right, part in pieces:
        found = LAWS[law](left, right, part, POINTS) if law in LAWS else None
        if found is not None:
            return Answered(layout, wrong=found, part=part)
    return Answered(layout)


def _is_known(values: Any) -> bool:
    """Only integers, and layouts over integers or coordinates: what C++ has."""
    if isinstance(values, (tuple, list)):
        return all(map(_is_known, values))
    if isinstance(values, Tiler):
        return _is_known(values.modes)
    if isinstance(values, Layout):
        return values.semimodule != "F2" and all(type(n) is int for n in flatten(values.shape))
    return values is None or type(values) is int


def headers_complement(layout: Layout, within: HTuple) -> Layout:
    """The complement as C++ forms it: gaps by floor division, the rest by ceiling division mode after mode.

    >>> headers_complement(Layout(5, 1), (12, 2))
    Layout('6:5')
    """
    live = sorted((d, s) for s, d in zip(*layout.flat(), strict=True) if s != 1 and d != 0)
    current, shape, stride = 1, [], []
    for d, s in live:
        gap = int(d / current) if d < 0 else d // current
        if gap == 0:
            raise StaticAssert("complement-non-injective")
        shape.append(gap)
        stride.append(current)
        current = s * d
    rest, left = 1, current
    for extent in flatten(within):
        rest *= -(-extent // left)
        left = -(-left // extent)
    return coalesce(make((*shape, rest), (*stride, current)))


def _divide(layout: Layout, tiler: Any, pieces: Pieces) -> Layout:
    operand = as_operand(one_is_still(tiler))
    if operand is None:
        return layout
    if isinstance(operand, Tiler):
        results, rest = by_mode(
            "logical_divide", layout, operand, lambda a, b: _divide(a, b, pieces), keep_surplus=True
        )
        return concat(*results, *rest)
    if operand.semimodule != "Z" or layout.semimodule != "Z":
        raise StaticAssert("not modelled")
    result = cutlass_composition(layout, concat(operand, headers_complement(operand, coalesce(layout).shape)))
    pieces.append(("logical_divide", layout, operand, result))
    return result


def _product(layout: Layout, tiler: Any, pieces: Pieces) -> Layout:
    operand = as_operand(one_is_still(tiler))
    if operand is None:
        return layout
    if isinstance(operand, Tiler):
        results, rest = by_mode(
            "logical_product", layout, operand, lambda a, b: _product(a, b, pieces), keep_surplus=True
        )
        return concat(*results, *rest)
    if operand.semimodule != "Z" or layout.semimodule != "Z":
        raise StaticAssert("not modelled")
    reach = 1 + sum((s - 1) * abs(d) for s, d in zip(*operand.flat(), strict=True))
    result = concat(layout, cutlass_composition(headers_complement(layout, layout.size * reach), operand))
    pieces.append(("logical_product", layout, operand, result))
    return result


def _compose(layout: Layout, tiler: Any, pieces: Pieces) -> Layout:
    operand = as_operand(tiler)
    if operand is None:
        return layout
    if isinstance(operand, Tiler):
        results, _ = by_mode("composition", layout, operand, lambda a, b: _compose(a, b, pieces), keep_surplus=False)
        return concat(*results)
    if operand.semimodule == "Z^P":
        # LC315 for coordinates of different profiles, which C++ refuses in other words.
        Coordinate.of([(path, 1) for path in {p for d in flatten(operand.stride) for p, _ in getattr(d, "terms", ())}])
    result = cutlass_composition(layout, operand)
    pieces.append(("composition", layout, operand, result))
    return result


def _upcast(layout: Layout, factor: int, pieces: Pieces) -> Layout:
    def leaf(s: int, d: int) -> Layout:
        if d == 0:
            return make(s, 0)
        if d % factor and factor % d:
            raise StaticAssert("upcast-divisibility")
        return make(-(-s // -(-factor // abs(d))), (1 if d > 0 else -1) * -(-abs(d) // factor))

    if layout.semimodule != "Z":
        raise StaticAssert("not modelled")
    leaves = map_leaves(leaf, layout.shape, layout.stride)
    result = make(map_leaves(lambda x: x.shape, leaves), map_leaves(lambda x: x.stride, leaves))
    pieces.append(("upcast", layout, factor, result))
    return result


def _regrouped(
    operation: Callable[[Layout, Any, Pieces], Layout], kind: str
) -> Callable[[Layout, Any, Pieces], Layout]:
    """``zipped``, ``tiled`` or ``flat``: the modes of the result gathered as these operations gather them."""

    def regrouped(layout: Layout, tiler: Any, pieces: Pieces) -> Layout:
        whole = operation(layout, tiler, pieces)
        operand = as_operand(one_is_still(tiler))
        tiles, rests = [whole[0]], [whole[1]]
        if isinstance(operand, Tiler):
            tiles, rests = zip_modes(kind, whole, operand)
        many = isinstance(operand, Tiler)
        first = concat(*tiles) if many else tiles[0]
        last = concat(*rests) if many else rests[0]
        if kind == "zipped":
            return concat(first, last)
        return concat(*(spliced(first) if kind == "flat" else (first,)), *spliced(last))

    return regrouped


_MODELS: dict[str, Model] = {
    "composition": _compose,
    "compose_all": _compose,
    "complement": lambda layout, within, pieces: headers_complement(layout, within),
    "logical_divide": _divide,
    "logical_product": _product,
    "upcast": _upcast,
    **{f"{kind}_divide": _regrouped(_divide, kind) for kind in ("zipped", "tiled", "flat")},
    **{f"{kind}_product": _regrouped(_product, kind) for kind in ("zipped", "tiled", "flat")},
}
