"""The steps of `solve` and `solve_left` in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..language.values import text_of

__all__ = ["EQUATIONS"]

Detail = list[tuple[str, str]]
"""Lines below a step that it implies: (rule, words)."""

FEW = 4
"""Numbers and layouts that a sentence lists."""


def _places(facts: dict[str, Any]) -> tuple[str, Detail]:
    """At which indices A has the values of C."""
    told = [f"C({c}) = {text_of(v)} is A({' or '.join(_few(found))})" for c, v, found in facts["found"]]
    choice = "each value once: X is these indices" if facts["unique"] else "a value at several indices: X has a choice"
    return _with_rest(told, facts["size"]), [("choices", f"A has {choice}")]


def _known(facts: dict[str, Any]) -> tuple[str, Detail]:
    """What X is at the values of B."""
    told = [f"X({', '.join(map(str, at))}) = {text_of(v)}" for at, v in facts["found"]]
    return _with_rest(told, facts["size"]), []


def _fitted(facts: dict[str, Any]) -> tuple[str, Detail]:
    return f"the smallest layout with these values: {facts['value']}", []


def _choice(facts: dict[str, Any]) -> tuple[str, Detail]:
    count, modes = facts["count"], facts["modes"]
    many = "one layout" if count == 1 else f"{count} layouts"
    order = "" if count == 1 else ", the smallest codomain first"
    return f"{many} with the fewest modes, {modes}{order}: {', '.join(_few(facts['first']))}", []


def _with_rest(told: list[str], size: int) -> str:
    """Sentences, and how many are left out."""
    more = size - min(FEW, len(told))
    return "; ".join(told[:FEW]) + (f"; {more} more" if more else "")


def _few(items: Sequence[Any]) -> list[str]:
    return [*map(str, items[:FEW]), *(["..."] if len(items) > FEW else [])]


EQUATIONS: dict[str, Callable[[dict[str, Any]], tuple[str, Detail]]] = {
    "places": _places,
    "fitted": _fitted,
    "known": _known,
    "choice": _choice,
}
"""The words of each step."""
