"""Equations with one unknown layout: ``A o X == C``, ``X o B == C``, ``A / X == C``; from text to their known sides."""

from __future__ import annotations

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic, Failure, Label

from ..advice.locate import bare
from ..syntax import nodes
from ..syntax.parser import parse_expression
from .scope import Scope

__all__ = ["Equation", "read_equation"]


class Equation(Record):
    """``known operator X == wanted``, or ``X operator known == wanted`` if ``on_left``; both sides as texts."""

    text: str
    operator: str
    name: str
    known: str
    wanted: str
    on_left: bool

    @property
    def as_call(self) -> str:
        """The word of the language that solves it."""
        if self.on_left:
            return f"solve_left({self.wanted}, {self.known})"
        return f"{'solve_divide' if self.operator == '/' else 'solve'}({self.known}, {self.wanted})"


def read_equation(text: str, scope: Scope) -> Equation:
    """The parts of an equation; the unknown is a name that nothing binds. LC103 if it is no equation of these forms."""
    node = bare(parse_expression(text))
    if not isinstance(node, nodes.Binary) or node.operator not in ("==", "==="):
        raise _unfit("an equation has ==: 'A o X == C', 'X o B == C' or 'A / X == C'", text, node)
    sides = [bare(node.left), bare(node.right)]
    # The unknown may stand on either side of ==.
    if not _unknowns(sides[0], scope) and _unknowns(sides[1], scope):
        sides.reverse()
    product, wanted = sides
    unknowns = _unknowns(product, scope)
    if not isinstance(product, nodes.Binary) or not unknowns:
        raise _unfit("one side is A o X, X o B or A / X, with a name that nothing binds for X", text, product)
    if len(unknowns) == 2:
        raise _unfit(f"both operands are unknown, and one must be known: {_text(text, product)}", text, product)
    ((name, on_left),) = unknowns
    if on_left and product.operator == "/":
        raise _unfit("what a tiler divides into C is not solved for, only the tiler in A / X == C", text, product)
    known = product.right if on_left else product.left
    return Equation(text, product.operator, name, _text(text, known), _text(text, wanted), on_left)


def _unknowns(node: nodes.Expression, scope: Scope) -> list[tuple[str, bool]]:
    """The operands of o or / that are names without a binding: (name, is it the left one)."""
    if not isinstance(node, nodes.Binary) or node.operator not in ("o", "/"):
        return []
    operands = [(bare(node.left), True), (bare(node.right), False)]
    return [(x.name, left) for x, left in operands if isinstance(x, nodes.Name) and x.name not in scope]


def _text(source: str, node: nodes.Expression) -> str:
    return source[node.span.start : node.span.end]


def _unfit(message: str, text: str, node: nodes.Expression) -> Failure:
    return Failure(Diagnostic("LC103", message, text, (Label(node.span.start, node.span.end, "here"),)))
