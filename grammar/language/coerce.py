"""Arguments: from the value that was written to the kind that a function takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.layout import Layout, check_shape
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler, tiler_of

from .values import Partial, Text, kind_of, text_of

__all__ = ["coerce"]


def coerce(value: Any, kind: str, op: str, name: str) -> Any:
    """``value`` as a ``kind``: layout, any-layout, operand, shape, coordinate, integer, profile, element, string, any.

    LC103 with what was expected otherwise.
    """
    check = _COERCE[kind]
    found = check(value)
    if found is _NO:
        raise refuse(
            "LC103",
            "{op} takes {wanted} as {name}, not the {kind} {value}{hint}",
            op=op,
            wanted=_WORDS[kind],
            name=name,
            kind=kind_of(value),
            value=text_of(value),
            hint=_hint(value, kind),
        )
    return found


_NO: Any = object()
"""What a check returns for a value that is not of its kind."""


def _is_int(value: Any) -> bool:
    return type(value) is int or hasattr(value, "symbols")


def _layout(value: Any) -> Any:
    return value if isinstance(value, Layout) else _NO


def _any_layout(value: Any) -> Any:
    return value if isinstance(value, (Layout, Composed, Tensor)) else _NO


def _outer(value: Any) -> Any:
    """What may stand left of a composition."""
    if isinstance(value, Partial):
        return value
    return value if isinstance(value, (Layout, Composed, Tensor, Swizzle)) else _NO


def _operand(value: Any) -> Any:
    if value is None or isinstance(value, (Layout, Tiler, Composed, Swizzle)) or _is_int(value):
        return value
    if isinstance(value, tuple) and _is_shape(value, free=True):
        return tiler_of(value)
    return _NO


def _is_shape(value: Any, *, free: bool = False) -> bool:
    if isinstance(value, tuple):
        return all(_is_shape(v, free=free) for v in value)
    return _is_int(value) or (free and value is None)


def _shape(value: Any) -> Any:
    if isinstance(value, (Layout, Composed, Tensor)):
        return value.shape
    if not _is_shape(value):
        return _NO
    check_shape(value)
    return value


def _tuple(value: Any) -> Any:
    """A nested tuple of any leaves."""
    if isinstance(value, (Layout, Composed, Tensor)):
        return value.shape
    return value if isinstance(value, (tuple, Coordinate, Xor)) or _is_int(value) else _NO


def _coordinate(value: Any) -> Any:
    if isinstance(value, tuple):
        return value if all(_coordinate(v) is not _NO for v in value) else _NO
    return value if value is None or _is_int(value) or isinstance(value, (Coordinate, Xor)) else _NO


def _integer(value: Any) -> Any:
    return value if _is_int(value) else _NO


def _element(value: Any) -> Any:
    return value if _is_int(value) or isinstance(value, (Coordinate, Xor)) else _NO


def _profile(value: Any) -> Any:
    if isinstance(value, Tiler):
        return tuple(_profile(m) for m in value.modes)
    return value


def _string(value: Any) -> Any:
    return value.value if isinstance(value, Text) else _NO


def _atom(value: Any) -> Any:
    """An atom, or its name."""
    return value.value if isinstance(value, Text) else value if kind_of(value) == "atom" else _NO


def _tiled(value: Any) -> Any:
    return value if kind_of(value) in ("tiled MMA", "tiled copy") else _NO


def _holder(value: Any) -> Any:
    if isinstance(value, Text):
        from laycalc.atoms.instructions.catalogue import atom

        return atom(value.value)
    return value if kind_of(value) in ("atom", "tiled MMA", "tiled copy") else _NO


def _plain_operand(value: Any) -> Any:
    """A layout, a tiler, a shape or nothing, as it was written."""
    good = value is None or isinstance(value, (Layout, Tiler)) or _is_shape(value, free=True)
    return value if good else _NO


def _tensor(value: Any) -> Any:
    return value if isinstance(value, (Layout, Tensor)) or _is_shape(value) else _NO


def _morphism(value: Any) -> Any:
    return value if kind_of(value) == "morphism" else _NO


_COERCE: dict[str, Callable[[Any], Any]] = {
    "layout": _layout,
    "any-layout": _any_layout,
    "outer": _outer,
    "operand": _operand,
    "shape": _shape,
    "tuple": _tuple,
    "coordinate": _coordinate,
    "integer": _integer,
    "element": _element,
    "profile": _profile,
    "string": _string,
    "morphism": _morphism,
    "atom": _atom,
    "tiled": _tiled,
    "holder": _holder,
    "plain-operand": _plain_operand,
    "tensor": _tensor,
    "any": lambda value: value.value if isinstance(value, Text) else value,
}

_WORDS = {
    "layout": "a layout",
    "any-layout": "a layout",
    "outer": "a layout or swizzle",
    "operand": "a layout, a tiler, a shape or an integer",
    "shape": "a shape",
    "tuple": "a tuple",
    "coordinate": "a coordinate",
    "integer": "an integer",
    "element": "an integer or a stride",
    "profile": "a profile",
    "string": "a string",
    "morphism": "a morphism",
    "atom": 'an atom or its name, as in "SM80_16x8x16_F32F16F16F32_TN",',
    "tiled": "a tiled MMA or tiled copy",
    "holder": "an atom, a tiled MMA or a tiled copy",
    "plain-operand": "a layout, a tiler or a shape",
    "tensor": "a tensor, a layout or a shape",
    "any": "a value",
}


def _hint(value: Any, kind: str) -> str:
    """What to write instead, for the slips that people make."""
    if kind in ("layout", "any-layout", "outer") and _is_shape(value):
        return (
            f"; write {text_of(value)}:{text_of(Layout(value).stride)} for the compact layout" if _valid(value) else ""
        )
    if kind in ("layout", "any-layout") and isinstance(value, Tiler):
        return "; a tiler stands to the right of o, / and *"
    return ""


def _valid(shape: Any) -> bool:
    if isinstance(shape, tuple):
        return bool(shape) and all(map(_valid, shape))
    return type(shape) is int and shape >= 1
