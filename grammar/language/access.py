"""Evaluation at a coordinate, modes, attributes, offsets."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor, slice_layout

from .kinds import LAYOUTS, has_free, is_coordinate
from .values import Text, Verdict, a_kind, kind_of, text_of


def offset_of(value: Any) -> Any:
    """A tuple offset as a sum of basis elements: (0,2) is 2e1."""
    if not isinstance(value, tuple):
        return value
    terms: list[tuple[tuple[int, ...], Any]] = []

    def collect(x: Any, path: tuple[int, ...]) -> None:
        if isinstance(x, tuple):
            for i, entry in enumerate(x):
                collect(entry, (*path, i))
        elif not (type(x) is int and x == 0):
            terms.append((path, x))

    collect(value, ())
    return Coordinate.of(terms)


def at(layout: Any, coordinate: Any) -> Any:
    """``L(c)``: the value, or with free modes the slice."""
    if not is_coordinate(coordinate, free=True):
        text = "{kind} {value} is no coordinate"
        raise refuse("LC205", text, op="eval", kind=a_kind(coordinate), value=text_of(coordinate))
    if has_free(coordinate):
        return slice_layout(layout, coordinate)
    return layout(coordinate)


def swizzle_at(swizzle: Swizzle, index: Any) -> int:
    if type(index) is not int:
        raise refuse("LC103", "a swizzle takes an integer, not {value}", op="swizzle", value=text_of(index))
    return swizzle(index)


def mode(value: Any, path: tuple[Any, ...]) -> Any:
    """``L[i]``, ``L[i,j]``: the mode at a path of indices; entries of tuples and tilers alike."""
    for i in path:
        if type(i) is not int:
            raise refuse("LC103", "a mode is an integer, not {index}", op="mode", index=text_of(i))
        value = _one_mode(value, i)
    return value


def _one_mode(value: Any, i: int) -> Any:
    if isinstance(value, Tensor) and value.layout is not None:
        return Tensor(value.offset, _one_mode(value.layout, i))
    if isinstance(value, (Layout, Composed)):
        count = value.rank
        if not -count <= i < count:
            raise refuse(
                "LC103", "{value} has no mode {index}; its rank is {rank}",
                op="mode", value=text_of(value), index=i, rank=count, left_path=(),
            )  # fmt: skip
        return value[i % count] if isinstance(value.shape, tuple) else value
    entries = value if isinstance(value, tuple) else getattr(value, "modes", getattr(value, "items", None))
    if not isinstance(entries, tuple):
        raise refuse("LC103", "{kind} has no modes", op="mode", kind=a_kind(value), left_path=())
    if not -len(entries) <= i < len(entries):
        raise refuse(
            "LC103", "{value} has no entry {index}; it has {rank}",
            op="mode", value=text_of(value), index=i, rank=len(entries), left_path=(),
        )  # fmt: skip
    return entries[i]


def attribute(value: Any, name: str) -> Any:
    """``L.shape``, ``T.layout``, ``atom.A``: the public attributes of a value."""
    allowed = _ATTRIBUTES.get(type(value)) or _attributes_elsewhere(value)
    if name not in allowed:
        raise refuse(
            "LC103", "{kind} has no attribute {name}; it has {allowed}",
            op="attribute", kind=a_kind(value), name=name, allowed=", ".join(allowed) or "none", left_path=(),
        )  # fmt: skip
    found = getattr(value, name)
    if isinstance(found, str):
        return Text(found)
    return found() if callable(found) and not isinstance(found, (*LAYOUTS, Swizzle)) else found


_ATTRIBUTES: dict[type, tuple[str, ...]] = {
    Layout: ("shape", "stride", "size", "rank", "depth"),
    Composed: ("swizzle", "offset", "layout", "shape", "size", "rank"),
    Tensor: ("offset", "layout", "shape", "size", "rank"),
    Swizzle: ("bits", "base", "shift"),
    Verdict: (),
}


def _attributes_elsewhere(value: Any) -> tuple[str, ...]:
    """The attributes of an atom are its operands and sizes, those of a tiled one its layouts."""
    kind = kind_of(value)
    if kind == "atom":
        return (*value.operands, "thr_id", "threads", *(("shape",) if value.shape else ()))
    tiled = {
        "tiled MMA": ("A", "B", "C", "atom", "atoms", "thr_vmnk", "threads", "tile"),
        "copy atom": ("src", "dst", "ref", "atom", "bits", "thr_id", "threads"),
        "thread slice": ("tiled", "thread"),
        "tiled copy": ("S", "D", "layout_tv", "atom", "bits", "threads", "tiler"),
        "morphism": ("domain", "map", "codomain"),
        "descriptor": (
            "mode", "lbo", "sbo", "base_offset", "start", "advance", "desc", "layout", "rows",
            "steps_mn", "steps_k", "stages",
        ),
        "tensor map": (
            "layout", "tx_bytes", "footprint", "dtype", "gdim", "gstrides", "box", "estrides", "swizzle", "address",
        ),
    }  # fmt: skip
    fields: tuple[str, ...] = getattr(value, "fields", ())
    return tiled.get(kind, fields)
