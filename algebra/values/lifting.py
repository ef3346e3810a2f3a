"""Operations on a layout, lifted to swizzled layouts and tensors: what a swizzle or an offset sees is a layout."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from .layout import Layout
from .swizzle import Composed, Swizzle
from .tensor import Tensor

Lifted: TypeAlias = Layout | Composed | Tensor
"""A layout, a swizzled layout, or a tensor over either."""


def lift(operation: Callable[..., Layout]) -> Callable[..., Any]:
    """``operation`` on the layout inside; swizzle and offset stay where they are.

    Law: ``(Sw o off o L) -> Sw o off o operation(L)`` and ``({off} o L) -> {off} o operation(L)``. A swizzle of no bits
    and offset 0 vanishes.
    """

    @wraps(operation)
    def lifted(operand: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(operand, Composed):
            return swizzled(operand.swizzle, operand.offset, operation(operand.layout, *args, **kwargs))
        if isinstance(operand, Tensor):
            return Tensor(operand.offset, lifted(operand.layout or Layout(()), *args, **kwargs))
        return operation(operand, *args, **kwargs)

    return lifted


def swizzled(swizzle: Swizzle, offset: Any, layout: Any) -> Layout | Composed:
    """``Sw o offset o L``, the plain layout where neither swizzle nor offset does anything."""
    if isinstance(layout, Layout) and swizzle.bits == 0 and type(offset) is int and offset == 0:
        return layout
    return Composed(swizzle, offset, layout)
