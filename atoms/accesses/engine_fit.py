"""Does a layout meet what TMA, wgmma or tcgen05.ld ask of it? They take no wavefronts of the lanes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.base.record import Record
from laycalc.algebra.operations.image import cosize
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor

from ..instructions.refusal import concrete
from ..memory.descriptor import descriptor
from .tensor_memory import reached

if TYPE_CHECKING:
    from ..memory.pattern import Engine

__all__ = ["Fit", "engine_fit"]


class Fit(Record):
    """Whether a layout fits an engine, why in words, and what is known of it as plain data."""

    fits: bool
    text: str
    data: Mapping[str, Any] = MappingProxyType({})


def engine_fit(layout: Layout | Composed | Tensor, engine: Engine, bits: int) -> Fit:
    """Whether the layout fits: wgmma needs a descriptor, TMA dense lines and a swizzle of its own, tcgen05.ld and st
    whole columns of tensor memory.

    >>> from laycalc.atoms.memory.pattern import Engine
    >>> engine_fit(Layout((64, 64), (65, 1)), Engine("wgmma"), 16).fits
    False
    """
    concrete("banks", layout)
    if engine.kind == "tcgen05":
        return _columns(layout, engine, bits)
    if engine.kind == "tma":
        return _boxed(layout, engine, bits)
    turned = _turned(layout) if engine.mn == "columns" else layout
    try:
        found = descriptor(turned, bits, engine.major.lower())
    except LayoutError as error:
        return Fit(False, f"no descriptor reads this layout as {engine.major}-major: {error}")
    told = f"a descriptor of mode {found.mode} reads it as {engine.major}-major, no wavefronts of lanes"
    return Fit(True, told, {"mode": found.mode})


def _columns(layout: Layout | Composed | Tensor, engine: Engine, bits: int) -> Fit:
    """The shapes of tcgen05.ld and tcgen05.st that reach a layout of tensor memory."""
    if not isinstance(layout, Layout):
        return Fit(False, f"{layout} is no plain layout of tensor memory")
    found = reached(layout, bits, store=engine.store)
    held = f"data paths of warps {', '.join(map(str, found.warps))}{', 16 bits a column' * found.packed}"
    data = {"warps": list(found.warps), "packed": found.packed, "shapes": [r.as_dict() for r in found.reaches]}
    return Fit(any(r.repeat for r in found.reaches), f"{held}\n{found}", data)


def _boxed(layout: Layout | Composed | Tensor, engine: Engine, bits: int) -> Fit:
    """TMA writes and reads dense lines of 16 bytes and more, plain or with a swizzle of its own."""
    held = layout.layout if isinstance(layout, Tensor) else layout
    plain = held.layout if isinstance(held, Composed) else held
    fault = ""
    if isinstance(held, Composed) and not _is_mode(held.swizzle, bits):
        fault = f"{held.swizzle} is none of TMA's, Sw<1,4,3> to Sw<3,4,3> on bytes"
    elif not isinstance(plain, Layout) or not _dense(plain, int(engine.inner == "columns"), bits):
        fault = f"its lines are no dense runs of 16 bytes in {plain}"
    elif cosize(plain) != plain.size:
        fault = f"{plain} has holes, boxes lie without any"
    asked = f"boxes along {engine.inner}"
    if fault:
        return Fit(False, f"{asked}: {fault}")
    return Fit(True, f"{asked} by the copy engine, no wavefronts of lanes; `laycalc tma` says which")


def _is_mode(swizzle: Swizzle, bits: int) -> bool:
    on_bytes = (swizzle.base + bits.bit_length() - 4, swizzle.shift)
    return swizzle.bits == 0 or (swizzle.bits <= 3 and on_bytes == (4, 3))


def _dense(plain: Layout, mode: int, bits: int) -> bool:
    """Do the elements of a mode come in runs of 16 bytes?"""
    inner = plain[mode] if plain.rank > 1 else plain
    runs = sorted((d, s) for s, d in zip(*inner.flat(), strict=True) if s != 1)
    return bool(runs) and runs[0][0] == 1 and runs[0][1] * bits % 128 == 0


def _turned(layout: Layout | Composed | Tensor) -> Layout | Composed | Tensor:
    """The layout with its first two modes exchanged."""
    if isinstance(layout, Layout):
        return concat(layout[1], layout[0], *layout.modes()[2:]) if layout.rank > 1 else layout
    if isinstance(layout, Composed):
        inner = _turned(layout.layout)
        return Composed(layout.swizzle, layout.offset, inner) if isinstance(inner, Layout) else layout
    held = layout.layout
    turned = None if held is None else _turned(held)
    return Tensor(layout.offset, turned) if isinstance(turned, (Layout, Composed)) else layout
