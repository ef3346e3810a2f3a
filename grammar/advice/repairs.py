"""Repairs that are more than a changed number: another tiler, compact strides, a legal swizzle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.htuple import congruent, entries, flatten, map_leaves, rank
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.shape import prefix_products, size
from laycalc.algebra.values.swizzle import Swizzle
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Suggestion

from .edits import Case, in_place, spliced
from .labelled_modes import basis_names
from .locate import at_mode
from .nearest_calls import shown, tried, whole_modes


def _with(case: Case, operand: int, value: Any, change: str) -> Iterator[Suggestion]:
    """The call with one operand replaced, if it works."""
    arguments = list(case.arguments)
    arguments[operand] = value
    result = tried(case, arguments, lenient=True)
    if result is not None and operand < len(case.written):
        yield Suggestion(spliced(case, (case.written[operand], in_place(value))), shown(result), change)


def _congruent(case: Case) -> Iterator[Suggestion]:
    """LC201: as many strides as extents."""
    if len(case.arguments) != 2:
        return
    shape, stride = case.arguments
    if isinstance(stride, tuple) and isinstance(shape, tuple) and len(stride) > len(shape):
        cut = stride[: len(shape)]
        if congruent(shape, cut):
            yield from _with(case, 1, cut, "without the last stride" + ("s" if len(stride) - len(shape) > 1 else ""))
    yield from _with(case, 1, prefix_products(shape), "compact, first mode fastest")


def _swizzle(case: Case) -> Iterator[Suggestion]:
    """LC204: the legal neighbours of the parameters."""
    bits, base, shift = case.arguments[:3]
    sign = -1 if shift < 0 else 1
    candidates = [
        (bits, base, sign * bits),
        (abs(shift), base, shift),
        (max(0, bits), max(0, base), sign * max(abs(shift), bits, 0)),
    ]
    seen: list[tuple[int, int, int]] = []
    for b, m, s in candidates:
        try:
            made = Swizzle(b, m, s)
        except LayoutError:
            continue
        if (b, m, s) in seen or b == 0:
            continue
        seen.append((b, m, s))
        old = (("B", bits, b), ("M", base, m), ("S", shift, s))
        change = ", ".join(f"{name} {a} to {z}" for name, a, z in old if a != z)
        yield Suggestion(str(made), str(made), change)


def _rank(case: Case) -> Iterator[Suggestion]:
    """LC305: a tiler with as many modes as the layout, or one mode of all its elements."""
    if len(case.arguments) < 2:
        return
    layout, tiler = case.arguments[:2]
    path = case.facts.get("right_path", ())
    count, modes = rank(at_shape(layout, path)), _modes(at_mode(tiler, path))
    if modes is None or len(modes) <= count:
        return
    first = f"the first {count} modes" if count > 1 else "the first mode"
    kept = modes[0] if count == 1 and path else modes[:count]
    yield from _with(case, 1, _set(tiler, path, kept), f"{first} of the tiler")
    total = size(modes) if all(type(m) is int for m in flatten(modes)) else None
    if count == 1 and total is not None:
        yield from _with(case, 1, _set(tiler, path, total), "one mode of all its elements")


def at_shape(layout: Any, path: tuple[int, ...]) -> Any:
    """The shape of the mode of a layout at a path."""
    found = at_mode(layout, path)
    return getattr(found, "shape", found)


def _modes(tiler: Any) -> tuple[Any, ...] | None:
    return tiler.modes if isinstance(tiler, Tiler) else tiler if isinstance(tiler, tuple) else None


def _set(tiler: Any, path: tuple[int, ...], new: Any) -> Any:
    """The tiler with the entry at a path replaced; a tuple stays a tuple."""
    if not path:
        return Tiler(new) if isinstance(tiler, Tiler) and isinstance(new, tuple) else new
    modes = [_set(m, path[1:], new) if i == path[0] else m for i, m in enumerate(_modes(tiler) or ())]
    return Tiler(modes) if isinstance(tiler, Tiler) else tuple(modes)


def _whole_modes(case: Case) -> Iterator[Suggestion]:
    """LC311: modes that are left alone, tiled by their whole extent."""
    if len(case.arguments) > 1 and isinstance(case.arguments[1], Tiler):
        yield from _with(case, 1, whole_modes(*case.arguments[:2]), "the whole mode in place of _")


def _by_mode(case: Case) -> Iterator[Suggestion]:
    """LC403: the tiler by mode that the layout looks like."""
    if len(case.arguments) > 1 and isinstance(case.arguments[1], Layout):
        yield from _with(case, 1, Tiler(entries(case.arguments[1].shape)), "by mode")


def _surplus(case: Case) -> Iterator[Suggestion]:
    """LC407: say for every mode what happens to it."""
    if len(case.arguments) > 1 and isinstance(case.arguments[1], Tiler) and isinstance(case.arguments[0], Layout):
        missing = case.arguments[0].rank - len(case.arguments[1].modes)
        yield from _with(case, 1, Tiler((*case.arguments[1].modes, *[None] * missing)), "the other modes kept")


def _larger_shape(case: Case) -> Iterator[Suggestion]:
    """LC314: a shape with as many modes as the block."""
    block, shape = case.arguments[:2]
    extents = shape if isinstance(shape, tuple) else (shape,)
    if isinstance(block, Layout) and block.rank > len(extents):
        more = tuple(mode.size for mode in block.modes()[len(extents) :])
        yield from _with(case, 1, (*extents, *more), "one extent for each mode of the block")


def _deeper(case: Case) -> Iterator[Suggestion]:
    """LC315: the shorter path extended to the longer one."""
    first, second = str(case.facts.get("first")), str(case.facts.get("second"))

    def extend(leaf: Any) -> Any:
        if not isinstance(leaf, Coordinate) or first not in basis_names(leaf):
            return leaf
        path = tuple(map(int, second[1:].split(".")))
        return Coordinate.of([(path if "e" + ".".join(map(str, p)) == first else p, c) for p, c in leaf.terms])

    for i, value in enumerate(case.arguments):
        stride = value.stride if isinstance(value, Layout) else value if i == 1 else None
        if isinstance(stride, tuple):
            new = map_leaves(extend, stride)
            yield from _with(
                case, i, Layout(value.shape, new) if isinstance(value, Layout) else new, f"{second} for {first}"
            )


def _missing_mode(case: Case) -> Iterator[Suggestion]:
    """LC304: a basis element that the left operand does have."""
    if "mode" not in case.facts or len(case.arguments) < 2 or not isinstance(case.arguments[1], Layout):
        return
    layout, operand = case.arguments[:2]
    missing = tuple(map(int, str(case.facts["mode"]).split(".")))
    used = {path for d in flatten(operand.stride) if isinstance(d, Coordinate) for path, _ in d.terms}
    for path in sorted(((i,) for i in range(layout.rank)), key=lambda p: p in used):
        stride = map_leaves(lambda d, path=path: _moved(d, missing, path), operand.stride)
        yield from _with(case, 1, Layout(operand.shape, stride), f"e{path[0]} for e{case.facts['mode']}")


def _moved(d: Any, old: tuple[int, ...], new: tuple[int, ...]) -> Any:
    return Coordinate.of([(new if p == old else p, c) for p, c in d.terms]) if isinstance(d, Coordinate) else d


def _swizzles(case: Case) -> Iterator[Suggestion]:
    """LC303 of a swizzle: other parameters with which the call works."""
    for i, value in enumerate(case.arguments[:2]):
        if isinstance(value, Swizzle):
            for change, made in _neighbours(value):
                if found := list(_with(case, i, made, change)):
                    yield found[0]
                    break


def _neighbours(swizzle: Swizzle) -> Iterator[tuple[str, Swizzle]]:
    """Swizzles with one parameter changed, the nearest first."""
    for distance in range(1, 8):
        for name, step in (("M", -distance), ("M", distance), ("B", -distance), ("B", distance), ("S", distance)):
            b, m, s = swizzle.bits, swizzle.base, swizzle.shift
            old = {"B": b, "M": m, "S": s}[name]
            b, m, s = (b + step, m, s) if name == "B" else (b, m + step, s) if name == "M" else (b, m, s + step)
            if b > 0 and m >= 0 and abs(s) >= b:
                yield f"{name} {old} to {old + step}", Swizzle(b, m, s)


def _nearest_layout(case: Case) -> Iterator[Suggestion]:
    """LC320: the nearest layout that a descriptor reads."""
    if "nearest" in case.facts:
        yield from _with(case, 0, case.facts["nearest"], "a layout that has a descriptor")


REPAIRS: dict[str, Callable[[Case], Iterator[Suggestion]]] = {
    "compact-strides": _congruent,
    "legal-swizzles": _swizzle,
    "other-swizzles": _swizzles,
    "present-modes": _missing_mode,
    "tiler-rank": _rank,
    "whole-modes": _whole_modes,
    "larger-shape": _larger_shape,
    "deeper-paths": _deeper,
    "tiler-by-mode": _by_mode,
    "kept-modes": _surplus,
    "nearest-layout": _nearest_layout,
}
"""The repairs by the words that the files of the codes use."""
