"""Evidence: a coordinate at which a claim fails, and what CUTLASS answers to the same input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.finding.synthesis import layout_of
from laycalc.algebra.questions.headers import answered
from laycalc.algebra.values.layout import Layout
from laycalc.diagnostics.codes import code_of

from ..language.values import text_of

__all__ = ["composed_values", "cutlass_note", "inner_operands", "same_values", "witness"]

# Where C++ does not say what it says elsewhere for the code.
_OTHERWISE = {("LC306", "left_inverse"), ("LC306", "inverse"), ("LC307", "right_inverse")}

_COMPOSED = frozenset({"LC301", "LC302", "LC303", "LC306", "LC312"})
"""Refusals about which C++ may decide otherwise: nothing is said of a call that is not modelled."""

POINTS = 1 << 12
"""Values that are looked at for a witness."""
LISTED = 12
"""Values that are written out."""


def inner_operands(facts: dict[str, Any]) -> tuple[Layout, Layout] | None:
    """The two layouts of the composition that failed: A o B itself, A o (B, B*) of a divide, A* o B of a product."""
    left, right = facts.get("free", facts.get("A")), facts.get("cover", facts.get("B"))
    if not isinstance(left, Layout) or not isinstance(right, Layout):
        return None
    return (left, right) if type(left.size) is int and type(right.size) is int else None


def composed_values(left: Layout, right: Layout, limit: int = POINTS) -> list[Any] | None:
    """A(B(c)) for all c, None if they are too many."""
    if right.size > limit:
        return None
    return [left.element(v) for v in right.elements()]


def same_values(left: Layout, right: Layout) -> Layout | None:
    """The layout with the values of A(B(c)) in order of the index, if there is one."""
    values = composed_values(left, right)
    return None if values is None else layout_of(values)


def witness(code: str, facts: dict[str, Any]) -> str:
    """A coordinate where the claim fails, in words; empty if none was found."""
    if code == "LC303" and "coordinate" in facts:
        at = facts["at"]
        return f"at {facts['coordinate']} B = {at}, A({at}) = {facts['value']}, mode by mode {facts['modewise']}"
    if code in ("LC301", "LC302") and "coalesced" in facts:
        return _not_regular(facts)
    return ""


def _not_regular(facts: dict[str, Any]) -> str:
    """Where the values of A(B(c)), B the guilty leaf alone, stop being those of a layout."""
    pair = inner_operands({"A": facts["coalesced"], "B": Layout(facts["extent"], facts["stride"])})
    values = composed_values(*pair) if pair is not None else None
    if pair is None or values is None:
        return ""
    leaf = f"{pair[1]}"
    alone = facts.get("op") == "composition" and facts.get("B") == pair[1]
    lead = "" if alone else f"with A = {pair[0]} and B = {leaf}: "
    shown = ",".join(map(text_of, values[:LISTED])) + (",..." if len(values) > LISTED else "")
    if (other := layout_of(values)) is not None:
        return f"{lead}A(B(c)) = {shown} are the values of {other}, which the conditions do not find"
    index, expected = _irregular(values)
    b = text_of(pair[1].element(index))
    return (
        f"{lead}A(B(c)) = {shown} is no layout: at {index} B = {b}, A({b}) = {text_of(values[index])}, "
        f"by the steps before it {text_of(expected)}"
    )


def _irregular(values: Sequence[Any]) -> tuple[int, Any]:
    """(index, value by the steps before it) where a sequence first breaks its own pattern.

    The first values step evenly as often as they can; what follows repeats them, shifted, block by block.
    """
    step = values[1]
    run = 1
    while run < len(values) and values[run] == run * step:
        run += 1
    if len(values) % run == 0:
        for base in range(run, len(values), run):
            for k in range(1, run):
                if values[base + k] != values[base] + k * step:
                    return base + k, values[base] + k * step
        # The blocks are alike: they start at irregular places.
        index, expected = _irregular(values[::run])
        return index * run, expected
    return run, run * step


def cutlass_note(code: str, name: str, arguments: Sequence[Any], facts: dict[str, Any]) -> str:
    """What CUTLASS does with the same call, where we know."""
    if (code, facts.get("op")) in _OTHERWISE:
        return ""
    found = answered(name, arguments) if code.startswith("LC3") else None
    if found is None:
        return "" if code in _COMPOSED else code_of(code).cutlass
    if found.layout is None:
        return "CUTLASS C++ refuses it too" + (f": {found.refusal}" if found.refusal else "")
    if found.wrong is None:
        return f"CUTLASS C++ answers {found.layout} to this"
    at, expected, value = (text_of(x) for x in found.wrong)
    it = "it" if found.part == found.layout else f"its part {found.part}"
    right = f"A(B({at}))" if name in ("composition", "compose_all") else "the definition"
    return (
        f"CUTLASS C++ accepts this and answers {found.layout}, which is wrong: at {at} {it} gives {value}, "
        f"{right} is {expected} (LC406)"
    )
