"""What an operator of a polynomial asks: the decider of the running context answers, LC106 where there is none."""

from __future__ import annotations

from typing import Any

from ..base.decide import active_decider
from ..base.errors import LayoutError, refuse


def needs_value(*numbers: Any) -> LayoutError:
    """LC106: an operation that has no answer for unknown numbers."""
    names = sorted({name for x in numbers for name in getattr(x, "symbols", ())})
    return refuse(
        "LC106",
        "this needs a value for {symbols}; try a sweep over values",
        op="symbolic",
        symbols=", ".join(names),
        value=", ".join(map(str, numbers)),
    )


def _decider(*numbers: Any) -> Any:
    decider = active_decider.get()
    # The decider of plain numbers would compare with the operators that ask it.
    if not hasattr(decider, "facts"):
        raise needs_value(*numbers)
    return decider


def at_most(a: Any, b: Any) -> bool:
    """a <= b?"""
    return _decider(a, b).at_most(a, b)  # type: ignore[no-any-return]


def magnitude(x: Any) -> Any:
    """|x|"""
    return x if at_most(0, x) else -x


def quotient_and_rest(b: Any, a: Any) -> tuple[Any, Any]:
    """floor(b/a), and what it leaves of b."""
    found = _decider(a, b).floor_quotient(b, a)
    return found, b - found * a


def remainder(b: Any, a: Any) -> Any:
    """b - floor(b/a)*a"""
    return b - _decider(a, b).floor_value(b, a) * a
