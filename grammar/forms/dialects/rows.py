"""The vocabulary as data: one row a name, its signature and what it is in the language.

    size<*i>(x)               size(x[i])
    make_composed_layout(inner, offset, outer)      inner o offset o outer
    Layout<shape, stride>     @layout
    .get_tile_size(i)         self.tile[i]

The left side is a template argument list, an argument list, or both; a name that begins with a point is a member of
what stands before it, `self`. Parameters are written as Python writes them, so that ``=None`` may be left out, ``*i``
takes any number, and an argument that no parameter takes is an error. The right side is an expression of the language
with the parameters as holes. A hole that was left out takes the argument that it stands for with it; ``*i`` stands for
all its items, and so does a parameter called ``mode``, which Python gives a list. ``T.bits`` and ``T.name`` are those
of an element type. ``@name`` is a builder of `builders`, for what is no such expression; behind it may stand which
arguments it takes. Several rows of one name are tried in turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Failure

from ...syntax import nodes
from ...syntax.nodes import Expression, Keyword, Node, Span
from ...syntax.parser import parse_expression
from ..reading.reading import argument_error
from ..reading.signatures import Argument, Signature, bind, signature
from .kinds import ElementType, IntegerType
from .seen import Seen

__all__ = ["Builder", "Row", "Use", "Vocabulary", "rebuilt", "rows_of"]

_ROW = re.compile(r"(?P<name>\.?[\w:]+)(?:<(?P<template>[^>]*)>)?(?:\((?P<call>.*?)\))?\s{2,}(?P<made>\S.*)")


class Use(Record):
    """A name where it is used, with its arguments, None without such brackets; ``seen`` learns what is dropped."""

    name: str
    text: str
    span: Span
    seen: Seen
    template: tuple[Argument, ...] | None = None
    call: tuple[Argument, ...] | None = None
    receiver: Expression | None = None


Builder = Callable[[Use, Mapping[str, Any]], Expression]


class Row(Record):
    """A name with its signatures and what it makes."""

    name: str
    template: Signature | None
    call: Signature | None
    made: str

    @property
    def builder(self) -> str:
        """The builder that the row names, or nothing."""
        return self.made.split()[0][1:] if self.made.startswith("@") else ""

    def chosen(self, holes: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments that the builder takes: those that the row names behind it, or all."""
        names = self.made.split()[1:]
        return {name: holes[name] for name in names} if names else holes

    @cached_property
    def expression(self) -> Expression:
        """The right side as a tree."""
        return parse_expression(self.made)

    def holes(self, use: Use) -> dict[str, Any]:
        """The arguments by parameter; LC103 at one that is left over, or that is missing."""
        found: dict[str, Any] = {} if use.receiver is None else {"self": use.receiver}
        for to, arguments in ((self.template, use.template), (self.call, use.call)):
            if to is not None and arguments is not None:
                found.update(dict.fromkeys((*to.positions, *to.names)) | bind(to, use.text, arguments, use.span))
        if "mode" in found:
            found["mode"] = _modes(found["mode"])
        return found


def _modes(given: Any) -> Any:
    """The modes that a list, a tuple or a single number names."""
    if isinstance(given, (nodes.Tuple, nodes.Paren)):
        return given.items if isinstance(given, nodes.Tuple) else (given.item,)
    return () if given is None or isinstance(given, nodes.Wildcard) else (given,)


@cache
def rows_of(text: str) -> dict[str, tuple[Row, ...]]:
    """The rows of a table by name."""
    found: dict[str, list[Row]] = {}
    for line in text.strip().splitlines():
        if line and not line.startswith("#"):
            row = _row(line)
            found.setdefault(row.name, []).append(row)
    return {name: tuple(rows) for name, rows in found.items()}


def _row(line: str) -> Row:
    match = _ROW.fullmatch(line)
    assert match is not None, line
    plain = match["name"].replace("::", "_").lstrip(".")
    sides = [None if side is None else signature(f"{plain}({side})") for side in (match["template"], match["call"])]
    named = [side and side.replace(name=match["name"].lstrip(".")) for side in sides]
    return Row(match["name"], named[0], named[1], match["made"])


class Vocabulary:
    """The rows of a dialect, and the builders that they name."""

    def __init__(self, text: str, builders: Mapping[str, Builder]) -> None:
        self._text = text
        self._builders = builders

    @property
    def rows(self) -> Mapping[str, tuple[Row, ...]]:
        """All rows by name."""
        return rows_of(self._text)

    def __contains__(self, name: str) -> bool:
        return name in self.rows

    def takes_template(self, name: str) -> bool:
        """May ``<`` after the name open template arguments?"""
        return any(row.template is not None for row in self.rows.get(name, ()))

    def is_called(self, name: str, *, template: bool = False) -> bool:
        """Is the name called, with template arguments or without?"""
        return any(row.call is not None and (row.template is not None) == template for row in self.rows.get(name, ()))

    def made(self, use: Use) -> Expression:
        """What a name makes of its arguments; LC103 where they fit no row."""
        name = use.name
        rows = [
            row
            for row in self.rows[name]
            if (row.template is None, row.call is None) == (use.template is None, use.call is None)
        ]
        if not rows:
            raise argument_error(use.text, *use.span, _wrong_brackets(name.lstrip("."), self.rows[name], use))
        first: Failure | None = None
        for row in rows:
            try:
                holes = row.holes(use)
            except Failure as failure:
                first = first or failure
                continue
            if row.builder:
                return self._builders[row.builder](use, row.chosen(holes))
            filled: Expression = _filled(row.expression, holes, use)
            return filled
        assert first is not None
        raise first


def _wrong_brackets(name: str, rows: Iterable[Row], use: Use) -> str:
    if use.template is not None and all(row.template is None for row in rows):
        return f"{name} takes no template arguments"
    if use.call is None:
        return f"{name} is called with arguments in round brackets"
    return f"{name} is not called" if all(row.call is None for row in rows) else f"{name} takes template arguments"


# ---- filling the holes ----


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A node whose parts went through ``change``, which may give a tuple for one of several."""
    changes = {}
    for field in node.fields:
        part = getattr(node, field)
        if isinstance(part, Node):
            changes[field] = change(part)
        elif isinstance(part, tuple) and any(isinstance(p, Node) for p in part):
            changes[field] = tuple(_spliced(map(change, part)))
    return node.replace(**changes) if changes else node


def _spliced(parts: Iterable[Any]) -> Iterator[Any]:
    for part in parts:
        if type(part) is tuple:
            yield from part
        else:
            yield part


def _filled(node: Any, holes: Mapping[str, Any], use: Use) -> Any:
    """A tree with its holes filled; what the row itself says stands where the name stands."""
    if isinstance(node, nodes.Name) and node.name in holes:
        return () if holes[node.name] is None else holes[node.name]
    if isinstance(node, nodes.Attribute) and isinstance(node.target, nodes.Name) and node.target.name in holes:
        of = holes[node.target.name]
        if node.name in ("bits", "name"):
            return _of_type(of, node.name, use)
    if isinstance(node, Keyword):
        value = _filled(node.value, holes, use)
        return () if value == () else node.replace(span=use.span, value=value)
    found = rebuilt(node, lambda part: _filled(part, holes, use))
    if isinstance(found, nodes.Index) and not found.items:
        return found.target
    return found.replace(span=use.span)


def _of_type(of: Any, field: str, use: Use) -> Expression:
    if isinstance(of, (ElementType, IntegerType)):
        return nodes.Integer(of.span, of.bits) if field == "bits" else nodes.String(of.span, of.name)
    if isinstance(of, nodes.Integer) and field == "bits":
        return of
    if isinstance(of, nodes.Swizzle) and field == "bits":
        return nodes.Integer(use.span, of.bits)
    where = of.span if isinstance(of, Node) else use.span
    raise argument_error(use.text, *where, "an element type is expected")
