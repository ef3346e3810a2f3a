"""``coalesce[1](A)``: an operation applied to one mode of its first operand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from laycalc.algebra.layout import Layout, make

from . import nodes
from .functions import Function
from .values import kind_of

if TYPE_CHECKING:
    from .evaluator import Evaluator

__all__ = ["at_mode"]


def at_mode(
    evaluator: Evaluator,
    function: Function,
    node: nodes.Expression,
    operands: Sequence[nodes.Expression],
    values: Sequence[Any],
    keywords: dict[str, Any],
    path: tuple[int, ...],
) -> Any:
    """Apply ``function`` to the mode of the first argument at ``path``; the other modes stay."""
    layout = values[0] if values else None
    if not isinstance(layout, Layout):
        raise evaluator.fail("LC103", f"{function.name}[...] takes a layout first, not a {kind_of(layout)}", node)
    if any(type(i) is not int for i in path):
        raise evaluator.fail("LC103", "the mode in brackets is an integer", node)

    def replaced(part: Layout, rest: tuple[int, ...]) -> Layout:
        if not rest:
            return evaluator.call_function(function, node, operands, (part, *values[1:]), keywords)  # type: ignore[no-any-return]
        count = part.rank
        if not isinstance(part.shape, tuple) or not -count <= rest[0] < count:
            raise evaluator.fail("LC103", f"{part} has no mode {rest[0]}", operands[0])
        modes = list(part.modes())
        at = rest[0] % count
        modes[at] = replaced(modes[at], rest[1:])
        return make(tuple(m.shape for m in modes), tuple(m.stride for m in modes))

    return replaced(layout, path)
