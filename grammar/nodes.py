"""The syntax tree: one frozen node a construct, each with the span of source that it came from.

Nodes say what was *written*, never what it means: whether ``(8)`` groups or is a 1-tuple, or whether
``[4:1]`` is a tiler, is decided by the evaluator.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = [
    "Assert",
    "Assume",
    "Attribute",
    "Binary",
    "Bracket",
    "Call",
    "Coordinate",
    "Evaluate",
    "Expression",
    "For",
    "Include",
    "Index",
    "Integer",
    "Keyword",
    "Let",
    "Morphism",
    "Name",
    "Offset",
    "Pair",
    "Paren",
    "Postfix",
    "Program",
    "Span",
    "Statement",
    "String",
    "Swizzle",
    "Tiler",
    "Truth",
    "Tuple",
    "Unary",
    "Unknown",
    "Wildcard",
    "Xor",
]


class Span(NamedTuple):
    """Half-open range of character offsets into the source text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Expression:
    """Base of every expression node."""

    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Integer(Expression):
    """``42``; a minus sign is a `Unary` unless it stands inside a literal stride (``4:-1``)."""

    value: int


@dataclass(frozen=True, slots=True)
class Truth(Expression):
    """``true`` or ``false``."""

    value: bool


@dataclass(frozen=True, slots=True)
class String(Expression):
    """``"text"``, unescaped."""

    value: str


@dataclass(frozen=True, slots=True)
class Wildcard(Expression):
    """``_`` or ``None``: a free mode of a slice, an untouched mode of a tiler."""


@dataclass(frozen=True, slots=True)
class Unknown(Expression):
    """``?`` or ``?{div=64}``: an extent that is not known, with its known divisor."""

    divisor: int


@dataclass(frozen=True, slots=True)
class Coordinate(Expression):
    """``e0``, ``6e1``, ``e1.0``, ``2e0+3e1``, ``6@1``, ``E<1,0>``: a sum of scaled basis elements.

    ``terms`` holds (coefficient, path); a path is written outermost index first.
    """

    terms: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Xor(Expression):
    """``f5``: an XOR stride."""

    value: int


@dataclass(frozen=True, slots=True)
class Name(Expression):
    """An identifier: a binding, a function or a symbol."""

    name: str


@dataclass(frozen=True, slots=True)
class Paren(Expression):
    """``(e)``: one item in round brackets without a trailing comma."""

    item: Expression


@dataclass(frozen=True, slots=True)
class Tuple(Expression):
    """``()``, ``(e,)``, ``(a,b)``."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Bracket(Expression):
    """``[e]``, ``[4:1;8:2;_]``, ``[a,b]``: square brackets at the head of an operand."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Tiler(Expression):
    """``<4:1, _, 8>``: a tiler by mode."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Offset(Expression):
    """``{5}`` or ``{(0,2)}``: the offset of a tensor."""

    item: Expression


@dataclass(frozen=True, slots=True)
class Swizzle(Expression):
    """``Sw<B,M,S>``."""

    bits: int
    base: int
    shift: int


@dataclass(frozen=True, slots=True)
class Pair(Expression):
    """``shape:stride``."""

    shape: Expression
    stride: Expression


@dataclass(frozen=True, slots=True)
class Keyword:
    """``name=value`` among the arguments of a call."""

    span: Span = field(compare=False)
    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """``f(x, y, key=z)`` or ``L(22)``."""

    function: Expression
    arguments: tuple[Expression, ...]
    keywords: tuple[Keyword, ...]


@dataclass(frozen=True, slots=True)
class Index(Expression):
    """``L[0]``, ``L[_,3]``, ``coalesce[1]``: postfix square brackets, one item a comma."""

    target: Expression
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Attribute(Expression):
    """``value.name``."""

    target: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Postfix(Expression):
    """``A^*`` (complement), ``A^-1`` (inverse), ``A‡``/``A^R`` (right), ``A†``/``A^L`` (left inverse).

    ``operator`` is one of ``"*"``, ``"-1"``, ``"R"``, ``"L"``.
    """

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Unary(Expression):
    """``-e`` or ``not e``; ``operator`` is ``"-"`` or ``"not"``."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(Expression):
    """``a OP b``.

    ``operator`` is one of ``o * / + - %`` (arithmetic and algebra), ``| in == != ~ <~ < <= > >= ===``
    (relations), ``and or`` (logic); the unicode spellings are folded into these. ``operator_span`` is where the operator stands.
    """

    operator: str
    left: Expression
    right: Expression
    operator_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Morphism(Expression):
    """``domain --(1,3,2,4)--> codomain``; the map lists 1-based codomain positions, 0 for the base point."""

    domain: Expression
    map: tuple[int, ...]
    codomain: Expression


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement; ``span`` covers it without its separator."""

    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Evaluate(Statement):
    """A bare expression."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Let(Statement):
    """``name = expr`` or ``let name = expr``."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Assert(Statement):
    """``assert expr``; with ``given fact, fact`` the facts hold for this line only."""

    value: Expression
    given: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Assume(Statement):
    """``assume fact, fact``: facts about symbols from here on."""

    facts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class For(Statement):
    """``for M in {64,96}, N in {8,16}: statement``: each combination of the values."""

    bindings: tuple[tuple[str, tuple[Expression, ...]], ...]
    body: Statement


@dataclass(frozen=True, slots=True)
class Include(Statement):
    """``include "other.layout"``."""

    path: str


@dataclass(frozen=True, slots=True)
class Program:
    """A parsed text: statements in order."""

    statements: tuple[Statement, ...]
