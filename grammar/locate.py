"""Where in the source a mode of an operand stands."""

from __future__ import annotations

from . import nodes

__all__ = ["bare", "locate"]


def bare(node: nodes.Expression) -> nodes.Expression:
    """The node inside grouping brackets."""
    while True:
        if isinstance(node, nodes.Paren):
            node = node.item
        elif isinstance(node, nodes.Bracket) and len(node.items) == 1:
            node = node.items[0]
        else:
            return node


def locate(node: nodes.Expression, path: tuple[int, ...], part: str = "both") -> list[nodes.Span]:
    """The spans of the mode at a path: in a layout literal its extent and its stride, elsewhere the whole operand.

    ``part`` is ``shape``, ``stride`` or ``both``. As far as the path leads into literals it is followed.
    """
    inner = node if isinstance(node, nodes.Paren) and path else bare(node)
    if isinstance(inner, nodes.Pair):
        sides = {"shape": [inner.shape], "stride": [inner.stride], "both": [inner.shape, inner.stride]}[part]
        return [_in_tuple(side, path) for side in sides]
    if isinstance(inner, nodes.Binary) and inner.operator == "o" and isinstance(inner.left, nodes.Offset):
        return locate(inner.right, path, part)
    items = _items(inner)
    if items is not None and path and path[0] < len(items):
        return locate(items[path[0]], path[1:], part)
    return [inner.span]


def _items(node: nodes.Expression) -> tuple[nodes.Expression, ...] | None:
    if isinstance(node, (nodes.Tiler, nodes.Tuple, nodes.Bracket)):
        return node.items
    return (node.item,) if isinstance(node, nodes.Paren) else None


def _in_tuple(node: nodes.Expression, path: tuple[int, ...]) -> nodes.Span:
    for i in path:
        items = _items(node)
        if items is None or i >= len(items):
            break
        node = items[i]
    return node.span
