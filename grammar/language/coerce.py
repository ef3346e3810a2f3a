"""Arguments: from the value that was written to the kind that a function takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.layout import Layout, check_shape
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tiler import Tiler, tiler_of

from .kinds import LAYOUTS, is_coordinate, is_element, is_htuple, is_number, is_numbers
from .values import Partial, Text, kind_of, text_of


def coerce(value: Any, kind: str, op: str, name: str) -> Any:
    """``value`` as the argument ``name`` of a kind; LC103 with what was expected otherwise."""
    found = KINDS[kind].take(value)
    if found is _NO:
        raise refuse(
            "LC103",
            "{op} takes {wanted} as {name}, not the {kind} {value}{hint}",
            op=op,
            wanted=KINDS[kind].words,
            name=name,
            kind=kind_of(value),
            value=text_of(value),
            hint=_hint(value, kind),
        )
    return found


class Kind(NamedTuple):
    """What an error calls a kind of argument, and the value as one of that kind, `_NO` if it is none."""

    words: str
    take: Callable[[Any], Any]


_NO: Any = object()


def _if(holds: Callable[[Any], bool]) -> Callable[[Any], Any]:
    return lambda value: value if holds(value) else _NO


def _one_of(*classes: type) -> Callable[[Any], Any]:
    return _if(lambda value: isinstance(value, classes))


def _called(*kinds: str) -> Callable[[Any], Any]:
    return _if(lambda value: kind_of(value) in kinds)


def _operand(value: Any) -> Any:
    if value is None or isinstance(value, (Layout, Tiler, Composed, Swizzle)) or is_number(value):
        return value
    return tiler_of(value) if _is_pattern(value) else _NO


def _is_pattern(value: Any) -> bool:
    """A shape, some entries of which are free."""
    return not isinstance(value, (Coordinate, Xor)) and is_coordinate(value, free=True)


def _shape(value: Any) -> Any:
    if isinstance(value, LAYOUTS):
        return value.shape
    if not is_numbers(value):
        return _NO
    check_shape(value)
    return value


def _tensor(value: Any) -> Any:
    return value if isinstance(value, LAYOUTS) else _shape(value)


def _numbers(value: Any) -> Any:
    """A nested tuple of numbers."""
    if isinstance(value, LAYOUTS):
        return value.shape
    return value if is_numbers(value) else _NO


def _tuple(value: Any) -> Any:
    """A nested tuple of any leaves."""
    if isinstance(value, LAYOUTS):
        return value.shape
    return value if isinstance(value, tuple) or is_element(value) else _NO


def _striding(*semimodules: str) -> Callable[[Any], Any]:
    """The layouts with strides of these semimodules."""
    return _if(lambda value: isinstance(value, Layout) and value.semimodule in semimodules)


def _profile(value: Any) -> Any:
    return tuple(map(_profile, value.modes)) if isinstance(value, Tiler) else value


def _sized(value: Any) -> Any:
    """What has a size: a tuple, a layout, or the threads of a tiled MMA or copy."""
    return value.threads if kind_of(value) in ("tiled MMA", "tiled copy") else _numbers(value)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Text) else value


def _holder(value: Any) -> Any:
    if isinstance(value, Text):
        from laycalc.atoms.instructions.catalogue import atom

        return atom(value.value)
    return _called("atom", "tiled MMA", "tiled copy")(value)


def _instruction(*kinds: str) -> Callable[[Any], Any]:
    """An instruction of these kinds, or its name."""
    return lambda value: value.value if isinstance(value, Text) else _called(*kinds)(value)


_AN_ATOM = 'an atom or its name, as in "SM80_16x8x16_F32F16F16F32_TN",'

KINDS = {
    "layout": Kind("a layout", _one_of(Layout)),
    "any-layout": Kind("a layout", _one_of(*LAYOUTS)),
    "outer": Kind("a layout or swizzle", _one_of(*LAYOUTS, Swizzle, Partial)),
    "operand": Kind("a layout, a tiler, a shape or an integer", _operand),
    # A layout, a tiler, a shape or nothing, as it was written.
    "plain-operand": Kind(
        "a layout, a tiler or a shape", _if(lambda v: isinstance(v, (Layout, Tiler)) or _is_pattern(v))
    ),
    "tensor": Kind("a tensor, a layout or a shape", _tensor),
    "integer-layout": Kind("a layout with integer strides", _striding("Z")),
    "bit-layout": Kind("a layout with integer or XOR strides", _striding("Z", "F2")),
    "modes": Kind("a layout or a tuple", _if(lambda v: isinstance(v, (*LAYOUTS, tuple)) or is_number(v))),
    "shape": Kind("a shape", _shape),
    "parts": Kind(
        "a layout, a tiler or a tuple", _if(lambda v: isinstance(v, (Layout, Composed, Tiler, tuple)) or is_number(v))
    ),
    "tuple": Kind("a tuple", _tuple),
    "strides": Kind("a stride or a tuple of strides", _if(is_htuple)),
    "integers": Kind("an integer or a tuple of integers", _if(is_numbers)),
    # Integers alone; for "numbers" a layout stands for its shape.
    "numbers": Kind("an integer, a tuple of integers or a layout", _numbers),
    "positions": Kind("a tuple of integers", _if(lambda v: isinstance(v, tuple) and all(type(i) is int for i in v))),
    "sized": Kind("a tuple, a layout or a tiled MMA or copy", _sized),
    "coordinate": Kind("a coordinate", _if(lambda value: is_coordinate(value, free=True))),
    "point": Kind("a coordinate of integers", _if(is_coordinate)),
    "integer": Kind("an integer", _if(is_number)),
    "positive": Kind("a positive integer", _if(lambda v: is_number(v) and not (type(v) is int and v < 1))),
    "bits": Kind("an integer or an XOR stride", _if(lambda v: is_number(v) or isinstance(v, Xor))),
    "swizzle": Kind("a swizzle", _one_of(Swizzle)),
    "element": Kind("an integer or a stride", _if(is_element)),
    "profile": Kind("a profile", _profile),
    "string": Kind("a string", lambda value: value.value if isinstance(value, Text) else _NO),
    "morphism": Kind("a morphism", _called("morphism")),
    "atom": Kind(_AN_ATOM, _instruction("atom")),
    # An instruction, or one with the width of its elements.
    "copying": Kind(_AN_ATOM, _instruction("atom", "copy atom")),
    "tiled-mma": Kind("a tiled MMA", _called("tiled MMA")),
    "tiled-whole": Kind("a tiled MMA or tiled copy", _called("tiled MMA", "tiled copy")),
    "tiled": Kind("a tiled MMA or tiled copy", _called("tiled MMA", "tiled copy", "thread slice")),
    "holder": Kind("an atom, a tiled MMA or a tiled copy", _holder),
    "any": Kind("a value", _plain),
}
"""The kinds by the words that signatures use."""


def _hint(value: Any, kind: str) -> str:
    """What to write instead, for the slips that people make."""
    if kind in ("layout", "any-layout", "outer") and _valid(value):
        return f"; write {text_of(value)}:{text_of(Layout(value).stride)} for the compact layout"
    if kind in ("layout", "any-layout") and isinstance(value, Tiler):
        return "; a tiler stands to the right of o, / and *"
    return ""


def _valid(shape: Any) -> bool:
    if isinstance(shape, tuple):
        return bool(shape) and all(map(_valid, shape))
    return type(shape) is int and shape >= 1
