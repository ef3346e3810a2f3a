"""From a table of values to a layout: criterion C3, exact, then a swizzle of one, then XOR strides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

from ..base.effort import VALUES
from ..base.record import Record
from ..values.coalesce import merged
from ..values.htuple import HTuple
from ..values.layout import Layout, make
from ..values.semimodule import Xor
from ..values.swizzle import Composed, Swizzle
from ..values.tensor import Tensor
from .criteria import Prefix, layout_of_bits, longest_prefix, swizzle_form, swizzles
from .synthesis import xor_layout

Progress = Callable[[int], None]

RAGGED_LIMIT = 1 << 12
"""Values up to which a swizzle is searched for the prefix of a layout: all swizzles would be tried to the end."""

GUESS_LIMIT = 20_000
"""Tries to fill holes before the search gives up."""


class Fit(Record):
    """What a table of values is.

    ``value`` is the layout: a `Layout`, a `Composed` (``form`` "swizzle"), or a `Tensor` if the value at the origin
    is not 0; None if there is none, and then ``reason`` says why, ``coordinate`` is the first one that no layout
    explains, ``found`` its value and ``expected`` what the values before it demand. ``prefix`` is the layout of the
    longest prefix in order of the index, ``covered`` its length; if it covers everything, the table is ragged: the
    prefix of a layout.
    """

    value: Layout | Composed | Tensor | None
    form: str = ""
    reason: str = ""
    coordinate: HTuple | None = None
    found: Any = None
    expected: Any = None
    prefix: Layout | Tensor | None = None
    covered: int = 0

    @property
    def ragged(self) -> bool:
        """Is the table the prefix of a layout, with its last block cut?"""
        return self.value is None and self.prefix is not None and self.coordinate is None


def fit(
    values: Sequence[Any], shape: Sequence[int] | None = None, progress: Progress | None = None, *, xor: bool = True
) -> Fit:
    """The smallest layout with these values, else a swizzle of one, else XOR strides, else why there is none.

    ``values`` are in order of the index, first mode fastest, over the box ``shape``, one mode without; None is a
    hole, whose value does not matter. Integers (or, for strides alone, coordinates). Mode k of the result has the
    size shape[k].

    Without ``xor`` only strides are looked for.

    Law: ``fit(v, s).value(i) == v[i]`` wherever v[i] is known. Complete tables are decided exactly; ``progress`` is
    called with the number of values that were looked at.

    >>> str(fit([0, 4, 1, 5, 2, 6, 3, 7], (2, 4)).value)
    '(2,4):(4,1)'
    >>> str(fit([8 * r + (c ^ r) for c in range(8) for r in range(8)], (8, 8)).value)
    'Sw<3,0,3> o 0 o (8,8):(8,1)'
    """
    box = tuple(shape) if shape is not None else (len(values),)
    table = list(values)
    if prod(box) != len(table):
        raise ValueError(f"{len(table)} values for a box of {prod(box)}")
    if not table:
        return Fit(None, reason="no values")
    if any(v is None for v in table):
        return _with_holes(table, box, progress)
    origin = table[0]
    moved = [v - origin for v in table] if origin != 0 else table
    found = _strides(moved, box, origin)
    _tell(progress, len(table))
    if found.value is not None or not xor or not all(type(v) is int for v in table):
        return _shifted(found, origin)
    other = _swizzled(table, box, progress, ragged=found.ragged) or _xored(table, box)
    return other if other is not None else _shifted(found, origin)


def _tell(progress: Progress | None, count: int) -> None:
    if progress is not None:
        progress(count)


def _shifted(found: Fit, origin: Any) -> Fit:
    """A fit of values from which the value at the origin was taken."""
    if origin == 0:
        return found
    parts = (("value", found.value), ("prefix", found.prefix))
    return found.replace(**{name: Tensor(origin, part) for name, part in parts if isinstance(part, Layout)})


# ---- strides ----


def _strides(table: list[Any], box: tuple[int, ...], origin: Any = 0) -> Fit:
    """C3 mode by mode, then additivity over the modes; ``origin`` was taken from every value and is told with them."""
    modes: list[Prefix] = []
    weight = 1
    for k, n in enumerate(box):
        line = table[: weight * n : weight]
        prefix = longest_prefix(line)
        if prefix.bad is not None:
            return _no_strides(table, box, k, line[prefix.bad], prefix, origin)
        if prod(s for s, _ in prefix.modes) != n:
            return _ragged(table, box, k, prefix, origin)
        modes.append(prefix)
        weight *= n
    candidate = _layout([p.modes for p in modes], len(box) > 1)
    expected = candidate.elements()
    if expected == table:
        return Fit(candidate, "strides")
    for coordinate, i in _lexicographic(box):
        if table[i] != expected[i]:
            value, wanted = table[i] + origin, expected[i] + origin
            reason = f"at {coordinate} the value is {value}, the modes sum to {wanted}"
            return _at_index(table, box, reason, origin).replace(coordinate=coordinate, found=value, expected=wanted)
    raise AssertionError("a difference was seen")


def _ragged(table: list[Any], box: tuple[int, ...], mode: int, prefix: Prefix, origin: Any) -> Fit:
    """The last block of a mode is cut: in a box no layout has these values, and one mode is the prefix of a layout."""
    n = box[mode]
    ends = [prod(s for s, _ in prefix.modes[: k + 1]) for k in range(len(prefix.modes))]
    cut = next(k for k, end in enumerate(ends) if n % end)
    (run, step), at = prefix.modes[cut], ends[cut]
    where = f"mode {mode}: " if len(box) > 1 else ""
    reason = f"{where}the run of length {run} does not divide {n}"
    if len(box) == 1:
        return Fit(None, reason=reason, prefix=_prefix_layout(longest_prefix(table)), covered=len(table))
    value, wanted = table[prod(box[:mode]) * at] + origin, run * step + origin
    coordinate = tuple(at if k == mode else 0 for k in range(len(box)))
    return _at_index(table, box, reason, origin).replace(coordinate=coordinate, found=value, expected=wanted)


def _no_strides(table: list[Any], box: tuple[int, ...], mode: int, value: Any, prefix: Prefix, origin: Any) -> Fit:
    where = f"mode {mode}: " if len(box) > 1 else ""
    value, wanted = value + origin, prefix.expected + origin
    reason = f"{where}value at {prefix.bad} is {value}, the strides give {wanted}"
    coordinate = tuple(prefix.bad if k == mode else 0 for k in range(len(box))) if len(box) > 1 else prefix.bad
    return _at_index(table, box, reason, origin).replace(coordinate=coordinate, found=value, expected=wanted)


def _at_index(table: list[Any], box: tuple[int, ...], reason: str, origin: Any) -> Fit:
    """No strides: the longest prefix in order of the index."""
    prefix = longest_prefix(table)
    covered = len(table) if prefix.bad is None else prefix.bad
    if prefix.bad is None:
        # One layout of the index, but its modes do not end where those of the box do.
        return Fit(None, reason=reason, coordinate=(), prefix=_prefix_layout(prefix), covered=covered)
    kept = longest_prefix(table[:covered])
    coordinate = _coordinate(prefix.bad, box)
    value, wanted = table[prefix.bad] + origin, prefix.expected + origin
    return Fit(None, "", reason, coordinate, value, wanted, _prefix_layout(kept), covered)


def _prefix_layout(prefix: Prefix) -> Layout:
    return _layout([prefix.modes], False)


def _layout(modes: Sequence[Sequence[tuple[int, Any]]], several: bool) -> Layout:
    parts = []
    for found in modes:
        leaves = tuple(found) or ((1, 0),)
        shape, stride = tuple(s for s, _ in leaves), tuple(d for _, d in leaves)
        parts.append((shape, stride) if len(leaves) > 1 else (shape[0], stride[0]))
    if not several:
        return make(*parts[0])
    return make(tuple(s for s, _ in parts), tuple(d for _, d in parts))


def _coordinate(index: int, box: tuple[int, ...]) -> HTuple:
    found = []
    for n in box:
        index, c = divmod(index, n)
        found.append(c)
    return tuple(found) if len(box) > 1 else found[0]


def _lexicographic(box: tuple[int, ...]) -> Iterator[tuple[HTuple, int]]:
    """(coordinate, index), last mode fastest, as tables are read."""
    weights = [prod(box[:k]) for k in range(len(box))]

    def walk(k: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if k == len(box):
            yield (), 0
            return
        for c in range(box[k]):
            for rest, i in walk(k + 1):
                yield (c, *rest), c * weights[k] + i

    for coordinate, i in walk(0):
        yield (coordinate if len(box) > 1 else coordinate[0]), i


# ---- swizzles and XOR strides ----


def _bits(table: list[int], box: tuple[int, ...]) -> list[list[int]] | None:
    """What each bit of each mode maps to, if the map is their XOR: extents powers of two, values not negative."""
    if table[0] != 0 or any(n & (n - 1) for n in box) or min(table) < 0:
        return None
    modes, weight = [], 1
    for n in box:
        modes.append([table[weight << b] for b in range(n.bit_length() - 1)])
        weight *= n
    values = [0]
    for v in (v for bits in modes for v in bits):
        values += [v ^ x for x in values]
    return modes if values == table else None


def _swizzled(table: list[int], box: tuple[int, ...], progress: Progress | None, *, ragged: bool) -> Fit | None:
    if (modes := _bits(table, box)) is not None:
        composed = swizzle_form(modes)
        return None if composed is None else Fit(_unwrapped(composed, box), "swizzle")
    if min(table) < 0 or len(table) > (RAGGED_LIMIT if ragged else VALUES):
        return None
    used = 0
    for v in table:
        used |= v
    probes = _probes(box)
    for swizzle in swizzles(min(used.bit_length(), 24)):
        if not used & swizzle.source or _tells_against(table, box, swizzle, probes):
            continue
        moved = [swizzle(v) for v in table]
        origin = moved[0]
        found = _strides([v - origin for v in moved] if origin else moved, box)
        _tell(progress, len(table))
        if isinstance(found.value, Layout):
            return Fit(Composed(swizzle, origin, found.value), "swizzle")
    return None


def _probes(box: tuple[int, ...]) -> list[tuple[int, list[int]]]:
    """Some indices, each with the indices of its parts along the modes."""
    total = prod(box)
    found = []
    for i in {total - 1, *range(1, total, max(1, total // 64 | 1))}:
        parts, rest, weight = [], i, 1
        for n in box:
            rest, c = divmod(rest, n)
            parts.append(c * weight)
            weight *= n
        found.append((i, parts))
    return found


def _tells_against(
    table: list[int], box: tuple[int, ...], swizzle: Swizzle, probes: list[tuple[int, list[int]]]
) -> bool:
    """Is the table, swizzled, seen to be no layout: the modes do not add up, or a mode has no strides?"""
    origin = swizzle(table[0])
    for i, parts in probes:
        if swizzle(table[i]) - origin != sum(swizzle(table[k]) - origin for k in parts):
            return True
    weight = 1
    for n in box:
        line = [swizzle(v) - origin for v in table[: weight * min(n, 256) : weight]]
        if longest_prefix(line).bad is not None:
            return True
        weight *= n
    return False


def _xored(table: list[int], box: tuple[int, ...]) -> Fit | None:
    modes = _bits(table, box)
    if modes is None:
        single = xor_layout(box if len(box) > 1 else box[0], table) if len(table) <= VALUES else None
        return None if single is None else Fit(single, "xor")
    found = layout_of_bits([[Xor.of(v) for v in bits] for bits in modes])
    return Fit(found if len(box) > 1 else found[0], "xor")


def _unwrapped(composed: Composed, box: tuple[int, ...]) -> Composed:
    if len(box) > 1:
        return composed
    return Composed(composed.swizzle, composed.offset, composed.layout[0])


# ---- holes ----


def _with_holes(table: list[Any], box: tuple[int, ...], progress: Progress | None) -> Fit:
    """The layout of fewest modes that agrees with the known values; the search tries large extents first."""
    if all(v is None for v in table):
        return Fit(None, reason="no values")
    search = _Search(progress)
    found = search.solve(table, list(box))
    if found is None:
        known = next((i for i, v in enumerate(table) if v is None), len(table))
        prefix = longest_prefix([v - table[0] for v in table[:known]]) if known else Prefix(())
        reason = "too many holes to decide" if search.tries > GUESS_LIMIT else "no layout has the known values"
        return Fit(None, reason=reason, coordinate=(), prefix=_prefix_layout(prefix), covered=known)
    modes, origin = found
    by_mode: list[list[tuple[int, Any]]] = [[] for _ in box]
    for k, s, d in modes:
        by_mode[k].append((s, d))
    # Neighbours that continue one another are one mode.
    kept = [tuple(merged(tuple(s for s, _ in leaves), tuple(d for _, d in leaves))) for leaves in by_mode]
    layout = _layout(kept, len(box) > 1)
    return Fit(layout if origin == 0 else Tensor(origin, layout), "strides")


class _Search:
    def __init__(self, progress: Progress | None) -> None:
        self.tries = 0
        self.progress = progress

    def solve(self, values: list[Any], left: list[int], mode: int = 0) -> tuple[list[tuple[int, int, Any]], Any] | None:
        """((mode, extent, stride) from here on, value at the origin), or None."""
        while mode < len(left) and left[mode] == 1:
            mode += 1
        if mode == len(left):
            return [], values[0] if values[0] is not None else 0
        n = left[mode]
        for s in (s for s in range(n, 1, -1) if n % s == 0):
            self.tries += 1
            if self.tries > GUESS_LIMIT:
                return None
            _tell(self.progress, len(values))
            step = _step(values, s)
            if step is None:
                continue
            outer = _outer(values, s, step)
            if outer is None:
                continue
            rest = self.solve(outer, [*left[:mode], n // s, *left[mode + 1 :]], mode)
            if rest is not None:
                return [(mode, s, step), *rest[0]], rest[1]
        return None


def _step(values: list[Any], s: int) -> Any:
    """The stride that two known values of one block demand; 0 if no block has two, None if it is no integer."""
    for base in range(0, len(values), s):
        known = [(r, v) for r, v in enumerate(values[base : base + s]) if v is not None]
        if len(known) > 1:
            (r0, v0), (r1, v1) = known[0], known[1]
            step, rest = divmod(v1 - v0, r1 - r0)
            return None if rest else step
    return 0


def _outer(values: list[Any], s: int, step: Any) -> list[Any] | None:
    """The value at the start of each block, None where it is unknown; None if a block does not step evenly."""
    outer: list[Any] = []
    for base in range(0, len(values), s):
        starts = {v - r * step for r, v in enumerate(values[base : base + s]) if v is not None}
        if len(starts) > 1:
            return None
        outer.append(starts.pop() if starts else None)
    return outer
