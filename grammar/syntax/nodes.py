"""The syntax tree: one frozen node a construct, each with the span of source that it came from.

Nodes say what was *written*, never what it means: whether ``(8)`` groups or is a 1-tuple, or whether
``[4:1]`` is a tiler, is decided by the evaluator.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic

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
    "Star",
    "Statement",
    "String",
    "Swizzle",
    "Tiler",
    "Truth",
    "Tuple",
    "Unary",
    "Unknown",
    "Unread",
    "Wildcard",
    "Xor",
]


class Span(NamedTuple):
    """Half-open range of character offsets into the source text."""

    start: int
    end: int


class Node(Record):
    """Base of everything that stands in a text; where it stands does not count when nodes are compared."""

    ignored: ClassVar[frozenset[str]] = frozenset({"span", "operator_span"})

    span: Span


class Expression(Node):
    """Base of every expression node."""


class Integer(Expression):
    """``42``; a minus sign is a `Unary` unless it stands inside a literal stride (``4:-1``)."""

    value: int


class Truth(Expression):
    """``true`` or ``false``."""

    value: bool


class String(Expression):
    """``"text"``, unescaped."""

    value: str


class Wildcard(Expression):
    """``_`` or ``None``: a free mode of a slice, an untouched mode of a tiler."""


class Star(Expression):
    """``*`` as an entry of a profile ``<*,_>``: this mode."""


class Unknown(Expression):
    """``?``, ``?2`` or ``?{div=64}``: an extent that is not known, its number if it is written, its known divisor."""

    divisor: int
    number: int = 0


class Coordinate(Expression):
    """``e0``, ``6e1``, ``e1.0``, ``2e0+3e1``, ``6@1``, ``E<1,0>``: a sum of scaled basis elements.

    ``terms`` holds (coefficient, path); a path is written outermost index first.
    """

    terms: tuple[tuple[int, tuple[int, ...]], ...]


class Xor(Expression):
    """``f5``: an XOR stride."""

    value: int


class Name(Expression):
    """An identifier: a binding, a function or a symbol."""

    name: str


class Paren(Expression):
    """``(e)``: one item in round brackets without a trailing comma."""

    item: Expression


class Tuple(Expression):
    """``()``, ``(e,)``, ``(a,b)``."""

    items: tuple[Expression, ...]


class Bracket(Expression):
    """``[e]``, ``[4:1;8:2;_]``, ``[a,b]``: square brackets at the head of an operand."""

    items: tuple[Expression, ...]


class Tiler(Expression):
    """``<4:1, _, 8>``: a tiler by mode."""

    items: tuple[Expression, ...]


class Offset(Expression):
    """``{5}`` or ``{(0,2)}``: the offset of a tensor."""

    item: Expression


class Swizzle(Expression):
    """``Sw<B,M,S>``."""

    bits: int
    base: int
    shift: int


class Pair(Expression):
    """``shape:stride``."""

    shape: Expression
    stride: Expression


class Keyword(Node):
    """``name=value`` among the arguments of a call."""

    name: str
    value: Expression


class Call(Expression):
    """``f(x, y, key=z)`` or ``L(22)``."""

    function: Expression
    arguments: tuple[Expression, ...]
    keywords: tuple[Keyword, ...]


class Index(Expression):
    """``L[0]``, ``L[_,3]``, ``coalesce[1]``: postfix square brackets, one item a comma."""

    target: Expression
    items: tuple[Expression, ...]


class Attribute(Expression):
    """``value.name``."""

    target: Expression
    name: str


class Postfix(Expression):
    """``A^*`` (complement), ``A^-1`` (inverse), ``A‡``/``A^R`` (right), ``A†``/``A^L`` (left inverse).

    ``operator`` is one of ``"*"``, ``"-1"``, ``"R"``, ``"L"``.
    """

    operator: str
    operand: Expression


class Unary(Expression):
    """``-e`` or ``not e``; ``operator`` is ``"-"`` or ``"not"``."""

    operator: str
    operand: Expression


class Binary(Expression):
    """``a OP b``.

    ``operator`` is one of ``o * / + - %`` (arithmetic and algebra), ``| in == != ~ <~ < <= > >= ===``
    (relations), ``and or`` (logic); the unicode spellings are folded into these. ``operator_span`` is where it stands.
    """

    operator: str
    left: Expression
    right: Expression
    operator_span: Span


class Morphism(Expression):
    """``domain --(1,3,2,4)--> codomain``; the map lists 1-based codomain positions, 0 for the base point."""

    domain: Expression
    map: tuple[int, ...]
    codomain: Expression


class Unread(Expression):
    """A piece of another notation that its reader could not read: its ``text``, and the ``reason``."""

    ignored: ClassVar[frozenset[str]] = frozenset({"span", "reason"})

    text: str
    reason: Diagnostic


class Statement(Node):
    """A statement; ``span`` covers it without its separator."""


class Evaluate(Statement):
    """A bare expression."""

    value: Expression


class Let(Statement):
    """``name = expr`` or ``let name = expr``."""

    name: str
    value: Expression


class Assert(Statement):
    """``assert expr``; with ``given fact, fact`` the facts hold for this line only."""

    value: Expression
    given: tuple[Expression, ...]


class Assume(Statement):
    """``assume fact, fact``: facts about symbols from here on."""

    facts: tuple[Expression, ...]


class For(Statement):
    """``for M in {64,96}, N in {8,16}: statement``: each combination of the values."""

    bindings: tuple[tuple[str, tuple[Expression, ...]], ...]
    body: Statement


class Include(Statement):
    """``include "other.layout"``."""

    path: str


class Program(Record):
    """A parsed text: statements in order."""

    statements: tuple[Statement, ...]
