"""What the CUTLASS C++ headers answer to a whole call, right or wrong (cute/layout.hpp, CUTLASS 4).

Composition is in `laycalc.algebra.operations.cutlass`; here are the operations that compose with a complement, and
upcast. Their complement rounds up mode by mode where the definition rounds the whole size: ``5:1`` in ``(12,2)`` leaves
(3,2) tiles, not 5. Said beside a refusal, never used to compute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..base.errors import LayoutError
from ..base.record import Record
from ..operations.cutlass import StaticAssert, cutlass_composition
from ..operations.divide import one_is_still, regrouped
from ..values.coalesce import coalesce
from ..values.htuple import HTuple, flatten, map_leaves
from ..values.layout import Layout, concat, make, nested, reach, uniform
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


def _modelled(law: str, answer: Callable[[Layout, Layout], Layout], *, keep_surplus: bool = True) -> Model:
    """An operation of C++ that works mode by mode; ``answer`` is what it does with a layout as its right operand."""

    def model(layout: Layout, tiler: Any, pieces: Pieces) -> Layout:
        operand = as_operand(one_is_still(tiler) if keep_surplus else tiler)
        if operand is None:
            return layout
        if isinstance(operand, Tiler):
            apply = partial(model, pieces=pieces)
            return uniform(by_mode(law, layout, operand, apply, keep_surplus=keep_surplus))
        result = answer(layout, operand)
        pieces.append((law, layout, operand, result))
        return result

    return model


def _divide(layout: Layout, tile: Layout) -> Layout:
    _check_integers(tile, layout)
    return cutlass_composition(layout, concat(tile, headers_complement(tile, coalesce(layout).shape)))


def _product(layout: Layout, pattern: Layout) -> Layout:
    _check_integers(pattern, layout)
    free = headers_complement(layout, layout.size * (1 + reach(*pattern.flat())))
    return concat(layout, cutlass_composition(free, pattern))


def _compose(layout: Layout, right: Layout) -> Layout:
    if right.semimodule == "Z^P":
        # LC315 for coordinates of different profiles, which C++ refuses in other words.
        Coordinate.of([(path, 1) for path in {p for d in flatten(right.stride) for p, _ in getattr(d, "terms", ())}])
    return cutlass_composition(layout, right)


def _check_integers(*layouts: Layout) -> None:
    if any(layout.semimodule != "Z" for layout in layouts):
        raise StaticAssert("not modelled")


def _upcast(layout: Layout, factor: int, pieces: Pieces) -> Layout:
    def leaf(s: int, d: int) -> Layout:
        if d == 0:
            return make(s, 0)
        if d % factor and factor % d:
            raise StaticAssert("upcast-divisibility")
        return make(-(-s // -(-factor // abs(d))), (1 if d > 0 else -1) * -(-abs(d) // factor))

    _check_integers(layout)
    result = nested(map_leaves(leaf, layout.shape, layout.stride))
    pieces.append(("upcast", layout, factor, result))
    return result


def _regrouped(kind: str, model: Model) -> Model:
    return lambda layout, tiler, pieces: regrouped(kind, lambda a, b: model(a, b, pieces), layout, tiler)


_COMPOSE = _modelled("composition", _compose, keep_surplus=False)
_DIVIDE = _modelled("logical_divide", _divide)
_PRODUCT = _modelled("logical_product", _product)

_MODELS: dict[str, Model] = {
    "composition": _COMPOSE,
    "compose_all": _COMPOSE,
    "complement": lambda layout, within, pieces: headers_complement(layout, within),
    "logical_divide": _DIVIDE,
    "logical_product": _PRODUCT,
    "upcast": _upcast,
    **{f"{kind}_divide": _regrouped(kind, _DIVIDE) for kind in ("zipped", "tiled", "flat")},
    **{f"{kind}_product": _regrouped(kind, _PRODUCT) for kind in ("zipped", "tiled", "flat")},
}
