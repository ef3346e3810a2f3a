"""Refusals that more than one module of this room makes: unknown names, with the nearest known ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.algebra.values.htuple import flatten

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["argument", "concrete", "nearest", "unknown"]


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known names that look most like ``name``, best first."""
    # difflib costs 2 ms to import, and only a misspelt name needs it.
    from difflib import get_close_matches

    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(candidate.casefold(), candidate)
    return [folded[match] for match in get_close_matches(name.casefold(), folded, count, 0.6)]


def unknown(what: str, name: str, known: Iterable[str], *, ranked: bool = False) -> LayoutError:
    """LC102: there is no ``what`` of that name; the suggestions, ``known`` itself if it is ranked, are in the facts."""
    suggestions = list(known) if ranked else nearest(name, known)
    template = "unknown {what} {name!r}" + ("; did you mean {nearest}?" if suggestions else "")
    return refuse(
        "LC102", template, op="atom", what=what, name=name, suggestions=suggestions, nearest=" or ".join(suggestions)
    )


def concrete(op: str, *values: Any) -> None:
    """LC106 unless every extent and stride of the layouts is a number: what follows counts elements one by one."""
    for value in values:
        inside = getattr(value, "layout", value)
        for leaf in (*flatten(getattr(inside, "shape", ())), *flatten(getattr(inside, "stride", ()))):
            if hasattr(leaf, "symbols"):
                raise refuse(
                    "LC106", "{op} needs the value of {unknown} in {layout}", op=op, unknown=leaf, layout=str(value)
                )


def argument(op: str, template: str, **facts: object) -> LayoutError:
    """LC103: an argument of the wrong kind."""
    return refuse("LC103", template, op=op, **facts)
