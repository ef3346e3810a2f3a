"""What names mean in foreign text: every family's templates and calls in one place."""

from __future__ import annotations

from collections.abc import Callable

from ...syntax.nodes import Expression
from . import cpp, dsl, mojo, printed, pycute, tensor_layouts

__all__ = ["CALLS", "TEMPLATES", "pointer"]

pointer: Callable[..., Expression | None] = printed.pointer
TEMPLATES: dict[str, Callable[..., Expression]] = {**cpp.TEMPLATES}
CALLS: dict[str, Callable[..., Expression | None]] = {
    **cpp.CALLS,
    **dsl.CALLS,
    **pycute.CALLS,
    **tensor_layouts.CALLS,
    **mojo.CALLS,
}
