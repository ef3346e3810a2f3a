"""How an expression was written: as a literal or a name, or computed."""

from __future__ import annotations

from . import nodes

__all__ = ["is_plain"]

_COMPUTED = (nodes.Binary, nodes.Call, nodes.Index, nodes.Attribute, nodes.Postfix, nodes.Morphism)


def is_plain(node: nodes.Expression) -> bool:
    """A literal or a name, not computed by an operator or call: round brackets around it make a 1-tuple."""
    if isinstance(node, nodes.Unary):
        return node.operator == "-" and is_plain(node.operand)
    if isinstance(node, (nodes.Paren, nodes.Bracket)):
        inner = (node.item,) if isinstance(node, nodes.Paren) else node.items
        return all(map(is_plain, inner))
    return not isinstance(node, _COMPUTED)
