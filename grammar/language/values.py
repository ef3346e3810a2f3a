"""What an expression can denote, what each kind is called, and its text; ``parse(text(value)) == value``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.htuple import format_htuple
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Diagnostic


class Listing(Record):
    """Values in order, as `values` and `coords` give them."""

    items: tuple[Any, ...]

    def __str__(self) -> str:
        return " ".join(map(text_of, self.items))


class Image(Record):
    """The set of values of a layout, in ascending order."""

    items: tuple[Any, ...]

    def __str__(self) -> str:
        return "{" + ",".join(map(text_of, self.items)) + "}"


class Grid(Record):
    """A table of values, row by row."""

    rows: tuple[tuple[Any, ...], ...]
    between: str = " "

    def __str__(self) -> str:
        return "; ".join(self.between.join(map(_cell, row)) for row in self.rows)


class Text(Record):
    """A string literal; a ``bare`` one is a word of a list or table and prints without quotes."""

    value: str
    bare: bool = False

    def __str__(self) -> str:
        if self.bare:
            return self.value
        return '"' + self.value.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Verdict(Record):
    """A truth with its reason: the diagnostic of what made it false."""

    truth: bool
    diagnostic: Diagnostic | None = None

    def __bool__(self) -> bool:
        return self.truth

    def __eq__(self, other: object) -> bool:
        return bool(other) == self.truth if isinstance(other, (bool, Verdict)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.truth)

    def __str__(self) -> str:
        return "true" if self.truth else "false"


class Partial(Record):
    """``Sw o 5``, ``{8} o Sw``: a composed layout that still waits for its layout."""

    outside: Any
    swizzle: Swizzle
    offset: int

    def __str__(self) -> str:
        text = f"{self.swizzle} o {self.offset}"
        return text if self.outside is None else "{" + text_of(self.outside) + "} o " + text


_KINDS: Sequence[tuple[type, str]] = (
    (bool, "boolean"),
    (Verdict, "boolean"),
    (int, "integer"),
    (tuple, "tuple"),
    (Layout, "layout"),
    (Composed, "composed layout"),
    (Tensor, "tensor"),
    (Tiler, "tiler"),
    (Swizzle, "swizzle"),
    (Coordinate, "coordinate stride"),
    (Xor, "XOR stride"),
    (Text, "string"),
    (Listing, "list"),
    (Image, "set"),
    (Grid, "table"),
    (Partial, "swizzle with an offset"),
)


def _cell(value: Any) -> str:
    """A cell of a table: a mark for a truth, else its text."""
    if isinstance(value, bool):
        return "#" if value else "."
    return text_of(value)


_ELSEWHERE = {
    "Atom": "atom",
    "TiledMMA": "tiled MMA",
    "TiledCopy": "tiled copy",
    "CopyAtom": "copy atom",
    "ThreadSlice": "thread slice",
    "TensorMap": "tensor map",
    "Poly": "symbolic integer",
    "Complement": "morphism",
    "WeakComposite": "morphism",
}
"""Kinds of other rooms, by the name of their class, so that their modules are not imported for the question."""


def kind_of(value: Any) -> str:
    """The word for the kind of a value; the lower-case class name for the kinds of other rooms."""
    for cls, kind in _KINDS:
        if isinstance(value, cls):
            return kind
    if value is None:
        return "nothing"
    name = type(value).__name__
    return _ELSEWHERE.get(name, name.lower())


def a_kind(value: Any) -> str:
    """The word for the kind with its article: a layout, an integer."""
    kind = kind_of(value)
    return f"{'an' if kind[0] in 'aeiouX' else 'a'} {kind}"


def text_of(value: Any) -> str:
    """The text of a value, which reads back as the value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, int)) or value is None:
        return format_htuple(value)
    return str(value)
