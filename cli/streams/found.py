"""What fit, vector and diff found, as text and as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laycalc.algebra.finding.fit import Fit
from laycalc.algebra.values.shape import natural
from laycalc.atoms.memory.vector import Vector
from laycalc.grammar.language.values import kind_of, text_of

if TYPE_CHECKING:
    from laycalc.render.kinds.difference import Difference


def fit_text(found: Fit) -> str:
    """The layout, or why there is none."""
    if found.value is not None:
        return text_of(found.value)
    prefix = "" if found.prefix is None else f"the first {found.covered} values are those of {found.prefix}"
    return "; ".join(filter(None, (found.reason, prefix)))


def fit_object(found: Fit) -> dict[str, Any]:
    """The same as plain data; what does not apply is left out."""
    fields = {
        "ok": found.value is not None,
        "kind": None if found.value is None else kind_of(found.value),
        "value": None if found.value is None else text_of(found.value),
        "form": found.form or None,
        "reason": found.reason or None,
        "coordinate": None if found.coordinate is None else text_of(found.coordinate),
        "found": found.found,
        "expected": found.expected,
        "prefix": None if found.prefix is None else text_of(found.prefix),
        "covered": found.covered or None,
    }
    return {key: value for key, value in fields.items() if value is not None}


def vector_text(found: Vector) -> str:
    """The widest vector, and a line for each reason why it is no wider."""
    first = f"{found.bits} bits: {found.elements} x {found.element} bits, at the indices {found.where}"
    return "\n".join([first, *(f"  {reason.text}" for reason in found.reasons)])


def difference_object(a: Any, b: Any, found: Difference) -> dict[str, Any]:
    """Where two layouts differ, as plain data."""
    return {"same": not found.indices, "text": str(found), **_first(a, b, found)}


def _first(a: Any, b: Any, found: Difference) -> dict[str, Any]:
    """The first difference as data: the index, its coordinates, both values; null outside a layout."""
    if not found.indices:
        return {"count": 0, "total": found.total}
    at = min(found.indices)
    first: dict[str, Any] = {"index": at}
    for name, layout in (("A", a), ("B", b)):
        inside = at < layout.size
        first[name] = {
            "coordinate": natural(at, layout.shape) if inside else None,
            "value": layout(at) if inside else None,
        }
    return {"count": len(found.indices), "total": found.total, "first": first}
