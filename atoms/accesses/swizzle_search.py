"""The swizzle and the padding that free given accesses of bank conflicts, or save most wavefronts, found by search.

A swizzle ``Sw<B,M,S>`` acts on byte offsets here, x ^ ((x >> S) & mask of B bits at M); on offsets in elements of 2^k
bytes it is ``Sw<B,M-k,S>``. The search goes by B, then M, then S, and keeps the vectors whole (2^M is at least their
bytes) and the storage as large as it is. The first that frees all accesses is the answer, else the first of those with
the fewest wavefronts, if these are fewer than without. Every answer is checked with the bank model on the layout that
it names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle

from ..instructions.refusal import argument
from ..memory.banks import Access, Operation, operation
from ..memory.banks import wavefronts as count
from ..memory.patterns import Survey, accesses, survey
from .fixes import Padding, Suggestion, SwizzleFix, WrongUnits
from .padding_search import best_padding, padded
from .search_task import BUDGET, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from laycalc.algebra.values.tensor import Tensor

    from ..memory.pattern import Pattern

__all__ = ["Padding", "Suggestion", "SwizzleFix", "WrongUnits", "padded", "smallest_swizzle", "suggest", "wrong_units"]


SAMPLE, FINALISTS = 128, 6
"""Instructions that are counted for each of many swizzles, and how many of these are counted whole."""


def suggest(
    layout: Layout | Composed | Tensor,
    patterns: Sequence[Pattern],
    accept: Callable[[Layout | Composed], bool] = lambda _: True,
) -> Suggestion:
    """The smallest swizzle and the smallest padding of a layout that make every pattern free of conflicts, or the best.

    Only layouts that ``accept`` takes count. A swizzle that the layout has already is replaced. Law: ``wavefronts`` is
    the sum of the patterns' on the layout that is named, less than before; where ``free``,
    ``survey(accesses(S, p)).free`` for every pattern p. LC103 for patterns of different element widths or machines, and
    what `accesses` refuses.

    >>> from ..memory.pattern import Pattern
    >>> found = suggest(Layout((32, 64), (64, 1)), [Pattern(16, 8, "column")])
    >>> str(found.swizzle.elements), str(found.swizzle.bytes), found.padding.elements
    ('Sw<3,3,3>', 'Sw<3,4,3>', 8)
    """
    if len({p.bits for p in patterns}) != 1:
        raise argument(
            "banks", "one layout has one element width, not {widths}", widths=sorted({p.bits for p in patterns})
        )
    if len(archs := {p.arch for p in patterns}) != 1:
        raise argument("banks", "accesses are of one machine, not of {archs}", archs=", ".join(sorted(archs)))
    units = wrong_units(layout, patterns) if isinstance(layout, Composed) else None
    plain = layout if isinstance(layout, Layout) else layout.layout
    offset = 0 if isinstance(layout, Layout) else layout.offset
    if not isinstance(plain, Layout) or not isinstance(offset, int):
        raise argument("banks", "no swizzle is sought for {layout}, only for a layout at an offset", layout=str(layout))
    try:
        before = _survey(layout, patterns)
    except LayoutError:
        if units is None:
            raise
        # The swizzle cuts the vectors: what it should have been is the answer, and the plain layout the comparison.
        before = _survey(plain, patterns)
    if before.free:
        return Suggestion(before, None, None, None)
    task = Task(plain, offset, patterns, before.wavefronts, accept)
    swizzle = _swizzle(task)
    task.left = BUDGET
    padding = best_padding(task)
    return Suggestion(before, swizzle, padding, units, task.whole)


def _survey(layout: Layout | Composed | Tensor, patterns: Sequence[Pattern]) -> Survey:
    return survey(access for pattern in patterns for access in accesses(layout, pattern))


def _swizzle(task: Task) -> SwizzleFix | None:
    linear = Composed(Swizzle(0, 0, 0), task.offset, task.plain)
    found = [access for pattern in task.patterns for access in accesses(linear, pattern)]
    storage = max(a + operation(x.op).bytes for x in found for a in x.offsets if a is not None)
    for swizzle in _free_swizzles(found, storage):
        fix = _swizzled(swizzle, task)
        if fix.free and task.accept(fix.layout):
            return fix
    best = _best_swizzle(found, storage, task)
    return None if best is None else _swizzled(best, task)


def _swizzled(swizzle: Swizzle, task: Task) -> SwizzleFix:
    """The layout with a swizzle of byte offsets, counted anew."""
    made = _with(swizzle, task)
    each = task.costs(made)
    total, free = sum(c for c, _ in each), all(c == i for c, i in each)
    return SwizzleFix(swizzle, made.swizzle, made, total, free, each, task.sectors(made))


def _with(swizzle: Swizzle, task: Task) -> Composed:
    """The layout with a swizzle of byte offsets, written on offsets in elements."""
    elements = Swizzle(swizzle.bits, swizzle.base + 3 - (task.bits.bit_length() - 1), swizzle.shift)
    return Composed(elements, task.offset, task.plain)


def _best_swizzle(found: Sequence[Access], storage: int, task: Task) -> Swizzle | None:
    """The first of the swizzles that take the fewest wavefronts, None if none takes fewer than before.

    Of very many instructions a part is counted for each swizzle, and all for those that look best.
    """
    candidates = list(_swizzles(_widest(found), task.operation.line, storage))
    if len(found) * len(candidates) > BUDGET:
        step = -(-len(found) // SAMPLE)
        task.whole = False
        scores = [_total(swizzle, found[::step], storage, None, task) for swizzle in candidates]
        order = sorted((score, i) for i, score in enumerate(scores) if score is not None)
        candidates = [candidates[i] for _, i in order[:FINALISTS]]
        task.left = BUDGET
    best, limit = None, task.before
    least = sum(operation(a.op).weight * _passes(a) for a in found)
    for swizzle in candidates:
        total = _total(swizzle, found, storage, limit, task)
        if total is not None and total < limit and task.accept(_with(swizzle, task)):
            best, limit = swizzle, total
        if limit <= least:
            break
    return best


def _passes(access: Access) -> int:
    """Passes with an active lane, at least one wavefront each."""
    lanes = {lane for lane, _ in access.active()}
    return sum(1 for served in operation(access.op).passes if lanes.intersection(served))


def _total(swizzle: Swizzle, found: Sequence[Access], storage: int, limit: int | None, task: Task) -> int | None:
    """The wavefronts of all accesses; None if they reach the limit, or beyond the storage."""
    period = 1 << (swizzle.base + swizzle.shift + swizzle.bits)
    known: dict[tuple[str, tuple[int | None, ...]], int] = {}
    total = 0
    for access in found:
        active = [a for a in access.offsets if a is not None]
        # Whole periods of the swizzle move all words of an access alike.
        start = min(active, default=0) // period * period
        key = access.op, tuple(None if a is None else a - start for a in access.offsets)
        if key not in known:
            if not task.spend(1):
                return None
            moved = tuple(None if a is None else swizzle(a) for a in access.offsets)
            op = operation(access.op)
            if any(a is not None and a + op.bytes > storage for a in moved):
                return None
            known[key] = count(op, moved)[0]
        total += known[key]
        if limit is not None and total >= limit:
            return None
    return total


def smallest_swizzle(found: Sequence[Access]) -> Swizzle | None:
    """The smallest swizzle of byte offsets that makes the accesses free; ``Sw<0,0,0>`` if they are, None if none does.

    It keeps the offsets within the lines of banks, 128 bytes, that they touch.

    >>> str(smallest_swizzle([Access("ld4", tuple(128 * t for t in range(32)))]))
    'Sw<5,2,5>'
    """
    reach = max((a + operation(x.op).bytes for x in found for a in x.offsets if a is not None), default=0)
    line = operation(found[0].op).line if found else 1
    return next(_free_swizzles(found, -(-reach // line) * line), None)


def _free_swizzles(found: Sequence[Access], storage: int) -> Iterator[Swizzle]:
    """The swizzles that free all accesses and stay below ``storage`` bytes, smallest first."""
    pending = [(operation(a.op), a.offsets) for a in dict.fromkeys(found)]
    if all(_is_free(*item) for item in pending):
        yield Swizzle(0, 0, 0)
        return
    for swizzle in _swizzles(_widest(found), pending[0][0].line, storage):
        if _frees(swizzle, pending, storage):
            yield swizzle


def _widest(found: Iterable[Access]) -> int:
    return max((operation(a.op).bytes for a in found), default=1)


def _swizzles(widest: int, line: int, storage: int) -> Iterator[Swizzle]:
    """The swizzles of byte offsets that keep vectors whole and change banks, smallest first."""
    keep, top = widest.bit_length() - 1, line.bit_length() - 1
    for bits in range(1, top - keep + 1):
        for base in range(keep, top - bits + 1):
            for shift in range(bits, storage.bit_length()):
                yield Swizzle(bits, base, shift)


_Item = tuple[Operation, tuple["int | None", ...]]


def _frees(swizzle: Swizzle, pending: list[_Item], storage: int) -> bool:
    for i, (op, offsets) in enumerate(pending):
        moved = tuple(None if a is None else swizzle(a) for a in offsets)
        if any(a is not None and a + op.bytes > storage for a in moved) or not _is_free(op, moved):
            # What refuted this one is likely to refute the next: look at it first.
            pending.insert(0, pending.pop(i))
            return False
    return True


def _is_free(op: Operation, offsets: tuple[int | None, ...]) -> bool:
    total, least = count(op, offsets)
    return total == least


def wrong_units(layout: Composed, patterns: Sequence[Pattern]) -> WrongUnits | None:
    """Is the layout's swizzle one that would be free of conflicts if its offsets had other units? None if it is free as
    it is.

    >>> from ..memory.pattern import Pattern
    >>> print(wrong_units(Composed(Swizzle(3, 4, 3), 0, Layout((32, 64), (64, 1))), [Pattern(16, 8, "column")]))
    Sw<3,4,3> is written for offsets in bytes; these are in elements of 2 bytes, so it is Sw<3,3,3>
    """
    swizzle, bits = layout.swizzle, patterns[0].bits
    if bits < 8 or swizzle.bits == 0 or _works(layout, patterns):
        return None
    element = bits // 8
    # Bytes first, then the common element widths.
    for unit in (1, 2, 4, 8, 16):
        base = swizzle.base + unit.bit_length() - element.bit_length()
        if unit == element or base < 0:
            continue
        meant = Swizzle(swizzle.bits, base, swizzle.shift)
        if _works(Composed(meant, layout.offset, layout.layout), patterns):
            return WrongUnits(swizzle, meant, unit, element)
    return None


def _works(layout: Composed, patterns: Sequence[Pattern]) -> bool:
    try:
        return _survey(layout, patterns).free
    except LayoutError:
        return False
