"""The wavefronts of an access on a layout, fast: over F2 where both are linear, else by counting equal accesses once.

Where the offset is linear over F2 in the bits of the index, and the lanes of a pass start at XORs of a few columns, the
words of a pass are a subspace (moved), and every bank that it meets holds equally many of them:

    wavefronts of a pass = 2^(rank of the word bits - rank of the bank bits)

the same for all passes. Whole vectors are legal iff the bits inside a vector stay where they are and no other column
reaches below them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .banks import WORD, operation
from .banks import wavefronts as count
from .binary import image, rank
from .patterns import accesses, bank_survey
from .placed import Placed

if TYPE_CHECKING:
    from laycalc.algebra.values.layout import Layout
    from laycalc.algebra.values.swizzle import Composed
    from laycalc.algebra.values.tensor import Tensor

    from .banks import Operation
    from .pattern import Pattern
    from .walks import Walk

__all__ = ["linear_pass", "wavefronts"]


def wavefronts(layout: Layout | Composed | Tensor | Placed, pattern: Pattern) -> tuple[int, int]:
    """(wavefronts of all warp instructions of an access, the fewest that they could take); the errors of `accesses`.

    Give a `Placed` layout where several accesses are asked for.

    >>> from laycalc.algebra.values.layout import Layout
    >>> from .pattern import Pattern
    >>> wavefronts(Layout((64, 64), (64, 1)), Pattern(16, 8, "column"))
    (512, 64)
    """
    placed = layout if isinstance(layout, Placed) else Placed(layout)
    if pattern.source is not None:
        told = bank_survey(placed, pattern)
        return told.wavefronts, told.ideal
    found = _linear(placed, pattern)
    return _counted(placed, pattern) if found is None else found


def _linear(placed: Placed, pattern: Pattern) -> tuple[int, int] | None:
    """The cost over F2, None where that does not count it."""
    found = linear_pass(placed, pattern)
    if found is None:
        return None
    _, words, banks = found
    walk = placed.walk(pattern)
    passes = (walk.linear or (0,))[0] * operation(walk.op).weight
    return passes << (words - banks), passes


def linear_pass(placed: Placed, pattern: Pattern) -> tuple[tuple[int, ...], int, int] | None:
    """A pass over F2: (what each bit of the lane adds to the offset, the ranks of its words and of its banks).

    It asks for 2^words words in 2^banks banks. None if the layout or the access is not linear, if it is not legal, or
    if passes could merge.
    """
    columns, walk = placed.columns, placed.walk(pattern)
    if columns is None or walk.linear is None:
        return None
    _, lanes, others = walk.linear
    op = operation(walk.op)
    moved = [image(lane, columns) for lane in lanes]
    if not _whole(placed, columns, walk, moved, others) or (op.may_merge and 0 in moved[:2]):
        return None
    if not op.shares and rank(moved) < len(moved):
        return None
    inside = [1 << k for k in range((op.bytes // WORD).bit_length() - 1)]
    words = inside + [m * pattern.bits // (8 * WORD) for m in moved]
    return tuple(moved), rank(words), rank(w % op.banks for w in words)


def _whole(placed: Placed, columns: list[int], walk: Walk, moved: list[int], others: tuple[int, ...]) -> bool:
    """Are all vectors runs of neighbours at multiples of their size?"""
    run = len(walk.inside)
    if any(image(step, columns) != i for i, step in enumerate(walk.inside)):
        return False
    origins = (placed.origin, *(placed.origin ^ image(other, columns) for other in others))
    return not any(offset % run for offset in (*moved, *origins))


def _counted(placed: Placed, pattern: Pattern) -> tuple[int, int]:
    """The cost by counting; instructions that differ by whole lines of banks cost the same."""
    walk = placed.walk(pattern)
    op: Operation = operation(walk.op)
    addresses = _addresses(placed, walk, pattern)
    known: dict[tuple[int | None, ...], tuple[int, int]] = {}
    total = least = 0
    for starts in walk.instructions:
        lanes = [None if s is None else addresses[s] for s in starts]
        first = min((a for a in lanes if a is not None), default=0) // op.line * op.line
        key = tuple([None if a is None else a - first for a in lanes])
        found = known.get(key)
        if found is None:
            found = known[key] = count(op, key)
        total, least = total + found[0], least + found[1]
    return total, least


def _addresses(placed: Placed, walk: Walk, pattern: Pattern) -> dict[int, int]:
    """The byte where each vector starts, by its index; the errors of `accesses` where one is cut or not aligned."""
    offsets, bits, width = placed.offsets, pattern.bits, 8 * pattern.bytes
    found = {}
    for start in {s for starts in walk.instructions for s in starts if s is not None}:
        first = offsets[start]
        whole = len(walk.inside) == 1 or all(offsets[start + d] == first + i for i, d in enumerate(walk.inside))
        if not whole or first < 0 or first * bits % width:
            accesses(placed, pattern)  # which says what is wrong
        found[start] = first * bits // 8
    return found
