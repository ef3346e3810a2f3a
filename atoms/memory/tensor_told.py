"""What there is to know of a tensor map where it surprises people."""

from __future__ import annotations

from .tensor_map import SLICES, SPANS, TensorMap

__all__ = ["ragged", "traps"]


def traps(m: TensorMap) -> tuple[str, ...]:
    """Sentences on what is easily done wrong with an accepted map."""
    told = []
    row = m.counts[0] * m.bytes
    if m.interleave == "none" and SPANS[m.swizzle] > row and len(m.box) > 1:
        told.append(
            f"rows of {row} bytes lie {m.pitch} apart: the barrier counts {m.tx_bytes} bytes, the box spans "
            f"{m.footprint}, with holes"
        )
    if m.interleave == "none":
        unit = 16 // m.bytes
        if unit > 1:
            told.append(f"at run time the innermost coordinate must be a multiple of {unit}: 16 bytes")
        if m.estrides[0] != 1:
            told.append(f"the innermost element stride {m.estrides[0]} does nothing without an interleave")
    else:
        slice_ = SLICES[m.interleave]
        told.append(f"dimension {len(m.box) - 2} counts slices of {slice_} bytes, of which a box has one")
    told.append("a store takes no negative coordinate, a load does")
    told += ragged(m)
    if m.fill == "nan":
        told.append(f"outside a load writes 0x{m.outside_value:0{2 * m.bytes}x}")
    if m.dtype.startswith("tf32"):
        told.append("a load rounds tf32 to 10 bits, ties to even; f32 copies the bits")
    return tuple(told)


def ragged(m: TensorMap) -> list[str]:
    """Which last boxes reach outside the tensor, and what becomes of it."""
    told = []
    for i, (extent, box, step) in enumerate(zip(m.gdim, m.box, m.steps, strict=True)):
        if m.interleave != "none" and i == len(m.gdim) - 2:
            continue
        if type(extent) is not int:
            told.append(f"unless {box} divides {extent}, the last box along dimension {i} reaches outside")
        elif extent % box and (outside := len(range(extent % box, box, step))):
            rest = f"{extent} = {extent // box}*{box} + {extent % box}"
            told.append(f"the last box along dimension {i} has {outside} of {m.counts[i]} outside: {rest}")
    if told:
        value = "NaN" if m.fill == "nan" else "zero"
        told.append(f"outside a load writes {value} and the barrier counts it; a store writes nothing")
    return told
