"""Python text as data: Python's own parser gives the tree, and nothing is ever executed."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from .reading import bad, limit

_LIMIT = 20_000


def parse(source: str, text: str | None = None, start: int = 0) -> ast.expr:
    """The tree of one Python expression, ``text``, which stands at ``start`` in the source; LC101 if it is none."""
    text = source if text is None else text
    if len(text) > _LIMIT:
        raise limit(source, start, start + len(text), f"a Python form has more than {_LIMIT:,} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        lines = text.split("\n")
        line = min(max((error.lineno or 1) - 1, 0), len(lines) - 1)
        offset = start + sum(len(x) + 1 for x in lines[:line]) + max((error.offset or 1) - 1, 0)
        raise bad(
            source, offset, offset + 1, "this does not fit here", (error.msg or "").split("(")[0].strip()
        ) from None
    except (ValueError, RecursionError, MemoryError):
        raise bad(source, start, start + len(text), "this is no Python expression") from None


def position(source: str, node: ast.AST) -> tuple[int, int]:
    """Where a node stands in a source of one expression."""
    lead = len(source) - len(source.lstrip())
    lines = source.lstrip().split("\n")

    def offset(line: int, column: int) -> int:
        before = sum(len(x) + 1 for x in lines[: line - 1])
        return lead + before + len(lines[line - 1].encode()[:column].decode(errors="ignore"))

    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    return offset(line, column), offset(
        getattr(node, "end_lineno", line) or line, getattr(node, "end_col_offset", column) or column
    )


def at(source: str, node: ast.AST, message: str, label: str = "") -> Any:
    """LC101 at a node; the caller raises it."""
    return bad(source, *position(source, node), message, label)


def call_name(node: ast.AST) -> str:
    """The dotted name of what is called, ``torch.empty``; empty for anything else."""
    target = node.func if isinstance(node, ast.Call) else node
    parts: list[str] = []
    while isinstance(target, ast.Attribute):
        parts.append(target.attr)
        target = target.value
    if not isinstance(target, ast.Name):
        return ""
    return ".".join([target.id, *reversed(parts)])


def literal(source: str, node: ast.AST) -> Any:
    """Integers, strings, booleans, None, and lists, tuples and dicts of them; a name is its text."""
    match node:
        case ast.Constant(value=bool() | int() | str() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case ast.List(elts=items):
            return [literal(source, e) for e in items]
        case ast.Tuple(elts=items):
            return tuple(literal(source, e) for e in items)
        case ast.Dict(keys=keys, values=values):
            return {literal(source, k): literal(source, v) for k, v in zip(keys, values, strict=True) if k is not None}
        case ast.Name() | ast.Attribute():
            return call_name(node)
    raise at(source, node, "a number, a string or a list of them is expected")


def integers(source: str, node: ast.AST) -> tuple[int, ...]:
    """A list or tuple of integers; a single one counts as such a list."""
    found = literal(source, node)
    items = found if isinstance(found, (list, tuple)) else (found,)
    if not all(type(i) is int for i in items):
        raise at(source, node, "a list of integers is expected")
    return tuple(items)


def right_hand_side(text: str) -> str:
    """``name = expression`` with blanks for the name, so that places stay as they are."""
    head = _TARGET.match(text)
    return text if head is None else " " * head.end() + text[head.end() :]


_TARGET = re.compile(r"\s*+\w+\s*+=(?!=)\s*+")
