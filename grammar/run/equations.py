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
    operands, unknowns = _operands(product), _unknowns(product, scope)
    if not isinstance(product, nodes.Binary) or not unknowns:
        raise _unfit("one side is A o X, X o B or A / X, with a name that nothing binds for X", text, product)
    if len(unknowns) > 1:
        raise _unfit(f"one operand is unknown, not {len(unknowns)}: {' and '.join(unknowns.values())}", text, product)
    ((place, name),) = unknowns.items()
    if 0 < place < len(operands) - 1:
        raise _unfit(f"{name} stands between two layouts; it is solved for at an end", text, operands[place])
    if place == 0 and product.operator == "/":
        raise _unfit("what a tiler divides into C is not solved for, only the tiler in A / X == C", text, product)
    known = operands[1:] if place == 0 else operands[:-1]
    parts = text[known[0].span.start : known[-1].span.end], text[wanted.span.start : wanted.span.end]
    return Equation(text, product.operator, name, *parts, on_left=place == 0)


def _operands(node: nodes.Expression) -> list[nodes.Expression]:
    """The operands of a chain of compositions, or of one divide."""
    if not isinstance(node, nodes.Binary) or node.operator not in ("o", "/"):
        return []
    left = node.left
    chain = node.operator == "o" and isinstance(left, nodes.Binary) and left.operator == "o"
    return [*(_operands(left) if chain else [left]), node.right]


def _unknowns(node: nodes.Expression, scope: Scope) -> dict[int, str]:
    """The operands that are names without a binding: their place and name."""
    named = [(i, bare(operand)) for i, operand in enumerate(_operands(node))]
    return {i: x.name for i, x in named if isinstance(x, nodes.Name) and x.name not in scope}


def _unfit(message: str, text: str, node: nodes.Expression) -> Failure:
    return Failure(Diagnostic("LC103", message, text, (Label(node.span.start, node.span.end, "here"),)))
