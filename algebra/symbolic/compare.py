"""Equality of values as a question: what ``==`` and ``===`` ask where a symbol occurs."""

from __future__ import annotations

from typing import Any

from ..base.decide import active_decider, same
from ..values.coalesce import coalesce
from ..values.htuple import congruent, flatten
from ..values.layout import Layout
from ..values.tensor import Tensor
from .run import Run

FORM_FREE = frozenset(
    {
        "blocked_product",
        "coalesce",
        "complement",
        "composition",
        "concat",
        "eval",
        "flat_divide",
        "flat_product",
        "left_inverse",
        "local_partition",
        "local_tile",
        "logical_divide",
        "logical_product",
        "raked_product",
        "size",
        "slice",
        "tiled_divide",
        "tiled_product",
        "zipped_divide",
        "zipped_product",
    }
)
"""Operations that give the same function whether or not an open merge is passed over; others need `form_matters`."""


def form_matters() -> None:
    """Call this before an operation whose result depends on the form of a layout, not only on its function.

    Such are its rank, its modes, ``==``, and right inverses: from here on every open merge is decided. If one has been
    passed over before, the exploration starts again. Without an exploration nothing happens.
    """
    run = active_decider.get()
    if isinstance(run, Run):
        run.needs_form()


def equal_values(a: Any, b: Any) -> bool:
    """``a == b``: the same value in the same form, decided entry by entry."""
    if isinstance(a, Layout) and isinstance(b, Layout):
        form_matters()
        return congruent(a.shape, b.shape) and _equal_entries(a, b)
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return same(a.offset, b.offset) and equal_values(a.layout, b.layout)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(equal_values, a, b))
    return same(a, b)


def equal_functions(a: Any, b: Any) -> bool:
    """``a === b`` for layouts: the same function on the integers below the same size.

    Coalesced forms are unique once every merge is decided, so they are compared entry by entry.
    """
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return same(a.offset, b.offset) and equal_functions(a.layout, b.layout)
    if not isinstance(a, Layout) or not isinstance(b, Layout):
        return equal_values(a, b)
    x, y = _decided(a), _decided(b)
    return len(flatten(x.shape)) == len(flatten(y.shape)) and _equal_entries(x, y)


def _equal_entries(a: Layout, b: Layout) -> bool:
    return all(same(x, y) for one, two in zip(a.flat(), b.flat(), strict=True) for x, y in zip(one, two, strict=True))


def _decided(layout: Layout) -> Layout:
    """The coalesced layout, every merge decided."""
    run = active_decider.get()
    if not isinstance(run, Run):
        return coalesce(layout)
    before, run.eager = run.eager, True
    try:
        return coalesce(layout)
    finally:
        run.eager = before
