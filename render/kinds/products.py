"""Blocked and raked products: the block, the pattern, and the result with every copy of the block in one colour."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laycalc.algebra.base.errors import refuse
from laycalc.algebra.operations.product import blocked_product, raked_product
from laycalc.algebra.values.layout import Layout

from ..scene.palette import SERIES
from ..scene.records import Picture
from ..scene.roles import group_role
from ..scene.sample import Samples
from ..scene.scene import Frame, Key, Scene, outline
from .grid import grid_panel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..scene.options import Options


def blocked_scene(values: Sequence[Any], options: Options) -> Scene:
    """``(block, pattern)``: copies of the block laid side by side (CuTe paper, Figure 10)."""
    return _scene("blocked_product", values, options)


def raked_scene(values: Sequence[Any], options: Options) -> Scene:
    """``(block, pattern)``: copies of the block dealt out like cards (CuTe paper, Figure 11)."""
    return _scene("raked_product", values, options)


def _scene(name: str, values: Sequence[Any], options: Options) -> Scene:
    if len(values) != 2 or any(not isinstance(v, Layout) or Samples(v).rank != 2 for v in values):
        raise refuse("LC103", "a picture of a product takes two layouts of rank 2", op="draw")
    block, pattern = values
    blocked = name == "blocked_product"
    result = (blocked_product if blocked else raked_product)(block, pattern)
    a, b = Samples(block), Samples(pattern)

    def copy(i: int, j: int) -> int:
        if blocked:
            return i // a.rows + b.rows * (j // a.columns)
        return i % b.rows + b.rows * (j % b.columns)

    def role_of(number: Callable[[int, int], int]) -> Callable[[int, int, int], str]:
        return lambda i, j, n: group_role(number(i, j))

    product = grid_panel(result, options, title=f"{name}(A, B) = {result}", at=(1, 1), role=role_of(copy))
    if blocked:
        product = replace(product, frames=(Frame("block", outline(product.rows, product.columns, copy)),))
    copies = b.rows * b.columns
    # A above and to the left of the result would repeat it; the pattern stands on top, the block at the left.
    panels = (
        grid_panel(block, options, title=f"A = {block}", at=(1, 0), role=lambda i, j, n: "plain"),
        grid_panel(pattern, options, title=f"B = {pattern}", at=(0, 1), role=role_of(lambda i, j: i + b.rows * j)),
        product,
    )
    keys = tuple(Key(group_role(k), f"copy {k}") for k in range(copies)) if copies <= SERIES else ()
    return options.scene(
        name,
        panels,
        f"The {name.replace('_', ' ')} of {block} and {pattern} is {result}: {copies} copies of A, "
        "each in the colour of its cell of B.",
        legend=keys,
    )


OPTIONS = ("highlight", "label", "crop", "limit", "bits")
BLOCKED = Picture("blocked-product", "a block and a pattern", blocked_scene, several=True, options=OPTIONS)
RAKED = Picture("raked-product", "a block and a pattern", raked_scene, several=True, options=OPTIONS)
