"""The end of a reading: nothing but nodes of the language may leave it."""

from __future__ import annotations

from typing import Any

from ...syntax import nodes
from ...syntax.nodes import Expression
from ..reading.reading import bad, needs
from .around import Declared, Lacking
from .kinds import ElementType, IntegerType, Pointer, RunTime
from .rows import rebuilt

__all__ = ["settled"]


def settled(text: str, node: Expression) -> Expression:
    """The tree with integer types as unknown numbers; LC101 at a pointer or a type that is left."""

    def visit(part: Any) -> Any:
        if isinstance(part, IntegerType):
            return nodes.Unknown(part.span, part.divisor, part.number)
        if isinstance(part, RunTime):
            return nodes.Integer(part.span, part.value)
        if isinstance(part, Lacking):
            raise needs(text, f"needs {part.name}")
        if isinstance(part, (ElementType, Declared)):
            raise bad(text, *part.span, "a type has no place here")
        if isinstance(part, Pointer):
            alone = "a pointer without a layout", "` o ` and a layout are expected after it"
            raise bad(text, *part.span, *(alone if part is node else ("a pointer has no place here",)))
        return rebuilt(part, visit)

    found: Expression = visit(node)
    return found
