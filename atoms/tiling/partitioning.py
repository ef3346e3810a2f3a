"""A thread's part of a bigger tensor, and the registers that hold it (CUTLASS 4.7, ``partition_A``,
``partition_fragment_A``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.words import word
from laycalc.algebra.values.htuple import entries, flatten, unflatten
from laycalc.algebra.values.layout import Layout, concat
from laycalc.algebra.values.shape import natural
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..instructions.refusal import argument
from .mma_tiling import MODES, TiledMMA
from .ownership import view
from .slices import ThreadSlice
from .threads import as_layout

if TYPE_CHECKING:
    from .copy_tiling import TiledCopy

__all__ = ["fragment", "partition"]


@word("""
    atoms: partition(tiled: tiled, operand: string, tensor: tensor, thread: integer?)
    what a thread works on
    law: P(v,r,r') = tensor(x,y)
    partition(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), "C", (16,8):(1,16), 5)
""")
def partition(
    tiled: TiledMMA | TiledCopy | ThreadSlice, operand: str, tensor: Any, thread: int | None = None
) -> Layout | Tensor | Composed:
    """The part of a tensor that a thread works on: (atom values, rest, rest') of it, as a tensor.

    Without a thread the layout for all of them, ((thread), (value, rest)) as CuTe's ``thrfrg``. ``operand`` is A, B, C,
    or S, D for a copy. Law: with P the part, ``P(v, r, r') = tensor(x, y)`` for the element (x, y) that ``owner`` gives
    the thread. LC314 if the tensor's extents are no multiples of the tile, LC103 for a thread that does not take part.
    """
    if isinstance(tiled, ThreadSlice):
        return partition(tiled.tiled, operand, tensor, tiled.thread)
    if isinstance(tensor, Composed):
        return _swizzled(tensor, partition(tiled, operand, tensor.layout, thread))
    offset = tensor.offset if isinstance(tensor, Tensor) else 0
    layout = tensor.layout if isinstance(tensor, Tensor) else tensor
    if isinstance(layout, Composed):
        inside = _swizzled(layout, partition(tiled, operand, layout.layout, thread))
        return Tensor(offset, inside) if offset else inside
    whole = tiled.thrfrg(operand, as_layout("partition", "tensor", layout))
    threads, part = _split(tiled, whole)
    if thread is None:
        return whole if not isinstance(tensor, Tensor) else Tensor(offset, whole)
    owners = view(tiled, operand).threads
    if thread not in owners:
        raise argument("partition", "thread {thread} does not take part in {tiled}", thread=thread, tiled=str(tiled))
    return Tensor(offset + threads.element(_coordinate(tiled, operand, owners.index(thread))), part)


def _swizzled(whole: Composed, part: Layout | Tensor | Composed) -> Composed:
    """The part of what is inside a swizzle, with the swizzle; its offset is inside too."""
    inner = part if isinstance(part, Layout) else part.layout
    offset = 0 if isinstance(part, Layout) else part.offset
    assert isinstance(inner, Layout)
    return Composed(whole.swizzle, whole.offset + offset, inner)


def _split(tiled: TiledMMA | TiledCopy, whole: Layout) -> tuple[Layout, Layout]:
    """The layout of the threads, and that of one thread's part: the values and each rest as modes of their own."""
    if isinstance(tiled, TiledMMA):
        values, rest = whole[1].modes()
        return whole[0], concat(values, *rest.modes())
    return whole[0], concat(*whole.modes()[1:])


def _coordinate(tiled: TiledMMA | TiledCopy, operand: str, index: int) -> object:
    """The coordinate of a logical thread in the thread mode: (v, (i, i')) of (v, iM, iN, iK)."""
    if not isinstance(tiled, TiledMMA):
        return index
    v, *groups = entries(natural(index, (tiled.thr_vmnk[0].size, *(mode.size for mode in tiled.thr_vmnk.modes()[1:]))))
    x, y = MODES[{"D": "C"}.get(operand.upper(), operand.upper())]
    return v, (groups[x], groups[y])


@word("""
    atoms: fragment(tiled: tiled, operand: string, tensor: tensor)
    the registers of one thread
    fragment(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), "A", (32,64))
""")
def fragment(tiled: TiledMMA | TiledCopy | ThreadSlice, operand: str, tensor: Any) -> Layout:
    """The registers of one thread's part: compact, the atom's values fastest, the rests in the order of the tensor's
    strides.

    C and shapes are column-major, as ``partition_fragment_C`` makes them.

    >>> from .mma_tiling import tiled_mma
    >>> str(fragment(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), "A", (32, 64)))
    '((2,2,2),2,4):((1,2,4),8,16)'
    """
    if isinstance(tiled, ThreadSlice):
        tiled = tiled.tiled
    layout: Any = partition(tiled, operand, tensor)
    while isinstance(layout, (Tensor, Composed)):
        layout = layout.layout
    part = _split(tiled, layout)[1]
    if operand.upper() in ("C", "D") or not isinstance(tensor, (Layout, Tensor, Composed)):
        return Layout(part.shape)
    return _ordered(part)


@word("""
    modes: make_fragment_like(L: any-layout)
    the registers for a tensor: compact, mode 0 first, the others in the order of their strides
    make_fragment_like((4,8):(8,1))
""")
def make_fragment_like(tensor: Any) -> Layout:
    """A compact layout in the shape of L whose first mode is column-major and fastest.

    >>> str(make_fragment_like(Layout((4, 2, 8), (1, 64, 8))))
    '(4,2,8):(1,32,4)'
    """
    while isinstance(tensor, (Tensor, Composed)):
        tensor = Layout(()) if tensor.layout is None else tensor.layout
    return _ordered(tensor) if isinstance(tensor.shape, tuple) else Layout(tensor.shape)


def _ordered(part: Layout) -> Layout:
    """Compact strides in the shape of ``part``: the first mode column-major, the leaves of the others by stride."""
    if not part.shape:
        return part
    first = Layout(part[0].shape)
    rest = entries(part.shape)[1:]
    sizes, strides = flatten(rest), flatten(entries(part.stride)[1:])
    made, current = [0] * len(sizes), first.size
    for i in sorted(range(len(sizes)), key=lambda i: (abs(strides[i]) if isinstance(strides[i], int) else 0, i)):
        # A mode of size 1 has stride 0, as CUTLASS prints it.
        made[i], current = (current if sizes[i] > 1 else 0), current * sizes[i]
    return Layout(part.shape, (first.stride, *unflatten(made, rest)))
