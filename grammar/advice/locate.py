"""Where in the source a mode of an operand stands."""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ..syntax import nodes
from ..syntax.literals import is_plain

__all__ = ["Place", "at_mode", "bare", "places"]

Path = tuple[int, ...]


class Place(Record):
    """The node of a mode, or of the operand as far as it is written out; ``whole`` says whether the mode is."""

    node: nodes.Node
    whole: bool = True

    @property
    def span(self) -> nodes.Span:
        """Where it stands."""
        return self.node.span


def bare(node: nodes.Expression) -> nodes.Expression:
    """The node inside grouping brackets."""
    while True:
        if isinstance(node, nodes.Paren):
            node = node.item
        elif isinstance(node, nodes.Bracket) and len(node.items) == 1:
            node = node.items[0]
        else:
            return node


def places(node: nodes.Expression, value: Any, path: Path, part: str = "both") -> list[Place]:
    """The places of the mode of ``value`` at a path: in a layout literal its extent and its stride.

    ``part`` is ``shape``, ``stride`` or ``both``. The path is followed as far as it leads into what is written out; a
    name or a call is one place for all its modes.
    """
    if isinstance(value, (Tensor, Composed)):
        inner = bare(node)
        if isinstance(inner, nodes.Binary) and inner.operator == "o" and value.layout is not None:
            return places(inner.right, value.layout, path, part)
        return [Place(inner, not path)]
    if isinstance(value, Layout):
        return _in_layout(bare(node), value, path, part)
    if isinstance(value, Tiler):
        inner = node if isinstance(node, nodes.Bracket) else bare(node)
        # A bare shape serves as a tiler.
        items = _items(inner, None)
        if not path or items is None or path[0] >= len(items):
            return [Place(inner, not path)]
        return places(items[path[0]], value.modes[path[0]], path[1:], part)
    return [_in_tuple(node, value, path)]


def _in_layout(node: nodes.Expression, value: Layout, path: Path, part: str) -> list[Place]:
    if isinstance(node, nodes.Pair):
        sides = {"shape": ((node.shape, value.shape),), "stride": ((node.stride, value.stride),)}.get(
            part, ((node.shape, value.shape), (node.stride, value.stride))
        )
        return [_in_tuple(side, whole, path) for side, whole in sides]
    if isinstance(node, nodes.Tuple) and path and path[0] < len(node.items) == value.rank:
        return places(node.items[path[0]], value[path[0]], path[1:], part)
    if isinstance(node, nodes.Integer):
        # n stands for n:1, and its extent is what is written.
        return [Place(node)]
    return [Place(node, not path and not isinstance(node, nodes.Name))]


def _in_tuple(node: nodes.Expression, value: Any, path: Path) -> Place:
    """The entry of a written tuple at a path."""
    for n, i in enumerate(path):
        items = _items(node, value)
        if items is None or i >= len(items) or not isinstance(value, tuple) or i >= len(value):
            return Place(node, n == len(path) or not isinstance(value, tuple))
        node, value = items[i], value[i]
    return Place(bare(node) if not isinstance(value, tuple) else node)


def _items(node: nodes.Expression, value: Any) -> tuple[nodes.Expression, ...] | None:
    """The entries that a node writes out; round brackets around one entry make a tuple unless they group."""
    if isinstance(node, (nodes.Tiler, nodes.Tuple)) or (isinstance(node, nodes.Bracket) and len(node.items) != 1):
        return node.items
    if isinstance(node, nodes.Paren):
        return (node.item,) if is_plain(node.item) else _items(node.item, value)
    if isinstance(node, nodes.Bracket):
        return node.items if is_plain(node.items[0]) else _items(node.items[0], value)
    return None


def at_mode(value: Any, path: Path) -> Any:
    """The mode of an operand at a path, None if there is none."""
    for i in path:
        if isinstance(value, (Tensor, Composed)):
            value = value.layout
        if isinstance(value, Layout):
            if not isinstance(value.shape, tuple) and i == 0:
                continue
            value = value[i] if isinstance(value.shape, tuple) and i < len(value.shape) else None
        elif isinstance(value, Tiler):
            value = value.modes[i] if i < len(value.modes) else None
        elif isinstance(value, tuple):
            value = value[i] if i < len(value) else None
        else:
            return None
    return value
