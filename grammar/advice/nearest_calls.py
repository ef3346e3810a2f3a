"""Calls with other numbers, tried until some work: one number changed, or one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from laycalc.algebra.base.effort import Budget
from laycalc.algebra.base.errors import LayoutError, observing
from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Suggestion

from ..language.values import text_of
from ..syntax import nodes
from .edits import Case, Number, in_place, near, numbers, replaced, rewritten, spliced
from .labelled_modes import guilty
from .locate import at_mode

__all__ = ["nearest", "shown", "stepwise", "tried", "whole_modes"]

SHOWN = 3
"""Suggestions of a diagnostic."""
PER_NUMBER = 2
"""Suggestions that change the same number."""
TRIES = 120
"""Values tried for one number."""
SLOTS = 8
"""Numbers that are changed at all."""
STEPS = 6
"""Numbers that are changed one after the other."""
READABLE = 200
"""Characters of a value that is shown."""
SMALL = 1 << 12
"""Elements of an operand that is watched for collisions."""
PATIENCE = 1 << 18
"""Values after which no more calls are tried; only calls over very large ragged tiles list so many."""
CALL = 100
"""What a call costs that lists none."""
FEW = 16
"""Modes of operands up to which calls cost the same."""

# Their arguments behind the first are widths of elements, of which there are few.
_WIDTHS = frozenset({"recast_layout"})
FAULTS = (LayoutError, ValueError, TypeError, ZeroDivisionError, OverflowError, RecursionError)


def tried(case: Case, arguments: list[Any], *, lenient: bool = False) -> Any:
    """The value of the call with other arguments; None if it is refused, or draws no fewer warnings than before."""
    result, drawn = _run(case, arguments)
    if result is None or not drawn or (lenient and case.code not in drawn):
        return result
    before = _run(case, case.arguments)[1] if case.code.startswith("LC4") else []
    return result if len(drawn) < len(before) else None


def _run(case: Case, arguments: Sequence[Any]) -> tuple[Any, list[str]]:
    """The value of a call, None if it is refused, and the warnings about tiles and holes."""
    with observing() as remarks:
        try:
            result = case.function(*arguments)
        except FAULTS:
            return None, []
    return result, [r.code for r in remarks if r.code in ("LC401", "LC402", "LC404", case.code)]


def nearest(case: Case) -> Iterator[Suggestion]:
    """The call with one number changed, the smallest changes first; size 1 only if there is nothing better."""
    budget = Budget(PATIENCE, call=_price(case))
    slots = _slots(case)
    hints = _hints(case.facts, slots)
    for least in (1,) if case.code == "LC202" else (2, 1):
        found: list[tuple[int, int, Suggestion]] = []
        for order, number in enumerate(slots):
            count = 0
            for new in near(number.old, hints, 1 if number.part == "stride" else least)[:TRIES]:
                # What is farther away than the suggestions that are found already is not tried.
                distance = abs(new - number.old)
                enough = count == PER_NUMBER or sum(d < distance for d, _, _ in found) >= SHOWN
                if enough or not budget.call():
                    break
                suggestion = _changed(case, number, new)
                if suggestion is not None:
                    count += 1
                    found.append((distance, order, suggestion))
        if found:
            break
    for _, _, suggestion in sorted(found, key=lambda x: x[:2]):
        yield suggestion


def _price(case: Case) -> int:
    """What a call costs: more for operands of many modes, which are compared with one another, each a long number."""
    leaves = sum(len(flatten(x.shape)) for x in case.arguments if hasattr(x, "shape"))
    return CALL * max(1, leaves // FEW) ** 3


def _changed(case: Case, number: Number, new: int) -> Suggestion | None:
    arguments = _with(case.arguments, number, new)
    result = None if arguments is None else tried(case, arguments)
    return None if result is None else Suggestion(rewritten(case, [(number, new)]), shown(result), _change(number, new))


def shown(value: Any) -> str:
    """The text of a value if it is one to read."""
    text = text_of(value)
    return text if len(text) <= READABLE else ""


def _change(number: Number, new: int) -> str:
    return f"{number.part.replace('shape', 'size')} {number.old} to {new}".removeprefix("number ")


def _with(arguments: Any, number: Number, new: int) -> list[Any] | None:
    """The arguments with one number changed; None if that makes two coordinates of an operand equal that were not."""
    changed = list(arguments)
    before = changed[number.operand]
    try:
        after = changed[number.operand] = replaced(before, number.path, number.part, new)
    except LayoutError:
        return None
    return None if _collides(before, after) else changed


def _collides(before: Any, after: Any) -> bool:
    if not isinstance(before, Layout) or type(before.size) is not int or max(before.size, after.size) > SMALL:
        return False
    old, new = before.elements(), after.elements()
    return len(set(old)) == len(old) and len(set(new)) < len(new)


def stepwise(case: Case) -> Iterator[Suggestion]:
    """The call with several numbers changed: each step mends what the last error was about, by the least change."""
    budget = Budget(PATIENCE, call=_price(case))
    changes: dict[tuple[int, Any, str], tuple[Number, int]] = {}
    current, seen = case, {_signature(case.facts)}
    for _ in range(STEPS):
        found = _step(current, seen, budget)
        if found is None:
            return
        number, new, arguments, error = found
        key = (number.operand, number.path, number.part)
        changes[key] = (changes[key][0] if key in changes else number, new)
        while error is not None and error.code == "LC311" and isinstance(arguments[1], Tiler):
            # Numbers do not help here, the whole mode does.
            filled = whole_modes(arguments[0], arguments[1])
            if filled == arguments[1]:
                break
            arguments = [arguments[0], filled, *arguments[2:]]
            error = _error(case, arguments)
        if error is None:
            yield from _mended(case, arguments, [(n, v) for n, v in changes.values() if n.old != v])
            return
        seen.add(_signature(error.facts))
        current = current.replace(code=error.code, facts=error.facts, arguments=arguments)


def _step(
    case: Case, seen: set[tuple[Any, ...]], budget: Budget
) -> tuple[Number, int, list[Any], LayoutError | None] | None:
    """The least change of one number after which the call works or fails elsewhere."""
    best: tuple[int, tuple[Number, int, list[Any], LayoutError | None]] | None = None
    slots = _slots(case)
    hints = _hints(case.facts, slots)
    for number in slots:
        for new in near(number.old, hints)[:TRIES]:
            distance = abs(new - number.old)
            if (best is not None and distance >= best[0]) or not budget.call():
                break
            arguments = _with(case.arguments, number, new)
            error = None if arguments is None else _error(case, arguments)
            if arguments is not None and (error is None or _signature(error.facts) not in seen):
                best = (distance, (number, new, arguments, error))
                break
    return None if best is None else best[1]


def _mended(case: Case, arguments: list[Any], edits: list[tuple[Number, int]]) -> Iterator[Suggestion]:
    result = tried(case, arguments, lenient=True)
    if result is None:
        return
    change = ", ".join(_change(number, new) for number, new in edits)
    by_numbers = list(case.arguments)
    for number, new in edits:
        by_numbers[number.operand] = replaced(by_numbers[number.operand], number.path, number.part, new)
    if by_numbers == arguments:
        yield Suggestion(rewritten(case, edits), shown(result), change)
    else:
        pieces = [
            (node, in_place(new))
            for node, old, new in zip(case.written, case.arguments, arguments, strict=False)
            if old != new
        ]
        yield Suggestion(spliced(case, *pieces), shown(result), f"{change}, the whole mode in place of _")


def whole_modes(layout: Any, tiler: Tiler) -> Tiler:
    """The tiler with the size of the mode for each ``_``."""
    modes = []
    for i, tile in enumerate(tiler.modes):
        mode = at_mode(layout, (i,))
        if tile is None and mode is not None:
            tile = mode.size
        elif isinstance(tile, Tiler):
            # A mode of one extent takes one tile.
            inner = tile.modes[0] if len(tile.modes) == 1 and getattr(mode, "rank", 0) == 1 else tile
            tile = whole_modes(mode, inner) if isinstance(inner, Tiler) else mode.size if inner is None else inner
        modes.append(tile)
    return Tiler(modes)


def _error(case: Case, arguments: list[Any]) -> LayoutError | None:
    with observing():
        try:
            case.function(*arguments)
        except LayoutError as error:
            return error
        except FAULTS as error:
            return LayoutError("LC103", "{error}", {"error": str(error)})
    return None


def _signature(facts: dict[str, Any]) -> tuple[Any, ...]:
    """What an error is about, whatever its numbers."""
    return (str(facts.get("left_path")), str(facts.get("right_path")), facts.get("mode"), facts.get("in_rest"))


def _slots(case: Case) -> list[Number]:
    """The numbers to change: those of the guilty modes, the right operand first; all numbers if none are known."""
    written = len(case.written)
    modes = guilty(case.code, case.facts, case.name, case.arguments)
    right_first = sorted(modes, key=lambda mode: mode.side == "left" and case.code not in ("LC306", "LC307"))
    found: list[Number] = []
    for mode in right_first:
        if mode.operand < written:
            own = list(numbers(mode.operand, case.arguments[mode.operand], mode.path))
            # The half that the condition is about comes first.
            found += sorted(own, key=lambda n: mode.part not in ("both", n.part))
    if not found:
        found = [n for i, value in enumerate(case.arguments[:written]) for n in numbers(i, value)]
    unique: list[Number] = []
    for number in found:
        fixed = (number.operand == 0 and _at_mode(case)) or (number.operand > 0 and case.name in _WIDTHS)
        if number not in unique and not fixed:
            unique.append(number)
    return unique[:SLOTS]


def _at_mode(case: Case) -> bool:
    """Is it ``f[1](A)``? The first argument is then a part of what is written."""
    return isinstance(case.node, nodes.Call) and isinstance(case.node.function, nodes.Index)


def _hints(facts: dict[str, Any], slots: Sequence[Number]) -> list[int]:
    """Numbers that a better one may divide or be a multiple of."""
    found = [facts.get(key) for key in ("prefix", "digits", "mode_extent", "size", "extent", "first", "factor")]
    return sorted({n for n in (*found, *(number.old for number in slots)) if type(n) is int and n > 1})
