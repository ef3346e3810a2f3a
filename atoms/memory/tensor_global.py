"""From a layout in global memory to a tensor map: the dimensions, innermost first.

The driver's dimension 0 is the mode of stride 1. The others follow as they are written, last to first where the
contiguous mode is the last: the order must not depend on numbers that are not known. So the coordinates of a copy may
come in another order than CuTe's modes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from laycalc.algebra.base.decide import known_same, same
from laycalc.algebra.base.derivations import noted
from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.algebra.base.words import word
from laycalc.algebra.values.htuple import HTuple, flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.tensor import Tensor

from ..instructions.refusal import argument
from .tensor_map import TYPES, TensorMap, broken, nearest

__all__ = ["Dimension", "accepted", "dimensions", "refusal", "tensor_map", "tensor_map_of"]

PLAIN = {8: "u8", 16: "f16", 32: "f32", 64: "f64"}
"""The type that is meant by a width."""


class Dimension(NamedTuple):
    """A dimension of the driver's call: the mode of the layout that it is, its extent and its stride in elements."""

    mode: int
    extent: Any
    stride: Any


def dimensions(layout: Any) -> tuple[Dimension, ...]:
    """The dimensions of a global layout, innermost first; LC103 if no mode has stride 1.

    >>> [d.mode for d in dimensions(Layout((128, 64), (64, 1)))]
    [1, 0]
    """
    if isinstance(layout, Tensor):
        layout = layout.layout
    if not isinstance(layout, Layout) or layout.semimodule != "Z":
        raise argument("tma", "global memory is a layout with integer strides, not {layout}", layout=str(layout))
    found = [
        Dimension(i, extent, stride)
        for i, mode in enumerate(layout.modes())
        for extent, stride in zip(flatten(mode.shape), flatten(mode.stride), strict=True)
    ]
    runs = [d for d in found if known_same(d.stride, 1)]
    if not runs:
        raise argument(
            "tma", "no mode of {layout} has stride 1: TMA copies rows of neighbours; order or transpose the modes",
            layout=str(layout),
        )  # fmt: skip
    inner = next((d for d in runs if not same(d.extent, 1)), runs[0]) if len(runs) > 1 else runs[0]
    outer = [d for d in found if d is not inner]
    return (inner, *(reversed(outer) if inner is found[-1] else outer))


@word("""
    atoms: tensor_map(L: any-layout, box: tuple, bits: integer, swizzle: string?, dtype: string?)
    the TMA tensor map of a layout in global memory; .layout is where a box lands, in elements
    law: address(x) = bits/8*layout(x)
    tensor_map((4096,512):(512,1), (64,128), 16, "128B").layout
""")
def tensor_map(
    layout: Layout | Tensor, box: HTuple, bits: int, swizzle: str | None = None, dtype: str | None = None
) -> TensorMap:
    """The arguments of ``cuTensorMapEncodeTiled`` for a box, innermost extent first; LC321 with the rule it breaks.

    >>> tensor_map(Layout((64, 256), (256, 1)), (64, 16), 16, "128B").gstrides
    (512,)
    """
    return accepted(tensor_map_of(layout, flatten(box), bits, swizzle or "none", dtype or ""))


def tensor_map_of(layout: Any, box: tuple[Any, ...], bits: int, swizzle: str, dtype: str = "") -> TensorMap:
    """The arguments as they are, accepted or not."""
    dtype = dtype or PLAIN.get(bits, "")
    if TYPES.get(dtype) != bits or bits % 8:
        known = ", ".join(name for name, width in TYPES.items() if width == bits and width % 8 == 0)
        raise argument(
            "tma", "no type {dtype!r} has {bits} bits" + ("; there are {known}" if known else ""),
            dtype=dtype, bits=bits, known=known,
        )  # fmt: skip
    dims = dimensions(layout)
    if len(box) != len(dims) or any(type(b) is not int for b in box):
        raise argument(
            "tma", "a box has {count} extents, one a dimension, innermost first; not {box}",
            count=len(dims), box=str(box),
        )  # fmt: skip
    offset = layout.offset * bits // 8 if isinstance(layout, Tensor) and type(layout.offset) is int else 0
    strides = tuple(d.stride * (bits // 8) for d in dims[1:])
    extents = tuple(d.extent for d in dims)
    return TensorMap(dtype, extents, strides, box, (1,) * len(dims), swizzle, address=offset)


def accepted(m: TensorMap) -> TensorMap:
    """The map, if the driver takes it; LC321 with the rule, the number and the nearest map otherwise."""
    found = broken(m)
    noted("tensor map", found=m, broken="" if found is None else found.rule)
    if found is None:
        return m
    raise refusal(m, found.rule, found.why)


def refusal(m: TensorMap, rule: str, why: str) -> LayoutError:
    """LC321; the caller raises it."""
    known = all(type(x) is int for x in (*m.gdim, *m.gstrides, *m.box))
    near = nearest(m) if known else None
    changes = "" if near is None else changed(m, near)
    template = "the tensor map is refused by rule {rule}: {why}"
    return refuse(
        "LC321", template + ("; the nearest that is accepted has {nearest}" if changes else ""),
        op="tma", rule=rule, why=why, nearest=changes, left_path=(),
    )  # fmt: skip


_TOLD = {"gstrides": "strides", "estrides": "element strides"}


def changed(m: TensorMap, near: TensorMap) -> str:
    """What another map has in place of this one."""
    differing = (name for name in m.fields if getattr(m, name) != getattr(near, name))
    return " and ".join(f"{_TOLD.get(name, name)} {_listed(getattr(near, name))}" for name in differing)


def _listed(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
