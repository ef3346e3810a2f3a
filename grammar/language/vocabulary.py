"""The index of the algebra: every function of the expression language by name, over plain values.

Arguments are integers, nested tuples (None for ``_``), layouts, swizzles, composed layouts, tensors, tilers and
semimodule elements. Tables and lists come back as plain data.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from laycalc.algebra.operations import (
    build,
    divide,
    filtering,
    image,
    modes,
    on_swizzled,
    product,
    recast,
    shapes,
    tiling,
)
from laycalc.algebra.operations.refinement import layout_add
from laycalc.algebra.operations.swizzle_algebra import as_swizzle, as_xor
from laycalc.algebra.operations.vector import max_alignment, max_common_layout, max_common_vector
from laycalc.algebra.questions import laws, listings
from laycalc.algebra.questions.linear import linear_form
from laycalc.algebra.values import htuple, shape
from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.layout import concat
from laycalc.algebra.values.lifting import lift
from laycalc.algebra.values.tensor import slice_layout
from laycalc.algebra.values.tiler import tiler_to_layout

from . import readings

__all__ = ["VOCABULARY"]


def _over_shape(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of nested tuples that takes layouts for their shapes."""

    @wraps(f)
    def over(*args: Any) -> Any:
        return f(*map(readings.shape, args))

    return over


VOCABULARY: dict[str, Callable[..., Any]] = {
    # Nested tuples, shapes and coordinates.
    "rank": _over_shape(htuple.rank),
    "depth": _over_shape(htuple.depth),
    "size": _over_shape(shape.size),
    "shape": readings.shape,
    "stride": readings.stride,
    "congruent": _over_shape(htuple.congruent),
    "weakly_congruent": _over_shape(htuple.weakly_congruent),
    "compatible": _over_shape(shape.compatible),
    "prefix_products": _over_shape(shape.prefix_products),
    "coords": _over_shape(listings.colexicographic),
    "colexicographic": _over_shape(listings.colexicographic),
    "lexicographic": _over_shape(listings.lexicographic),
    "idx2crd": readings.idx2crd,
    "crd2idx": readings.crd2idx,
    "crd2crd": shape.crd2crd,
    "natural": readings.natural,
    "common_refinement": readings.refinement,
    "common_coarsening": shapes.common_coarsening,
    "greatest_common_domain": shapes.greatest_common_domain,
    # Semimodule elements.
    "scale": readings.scale,
    "sum": readings.total,
    "difference": readings.difference,
    # Building.
    "make_layout": build.make_layout,
    "make_ordered_layout": build.make_ordered_layout,
    "make_layout_like": lift(build.make_layout_like),
    "make_identity_layout": build.make_identity_layout,
    "make_layout_tv": build.make_layout_tv,
    "make_basis_like": build.make_basis_like,
    "tiler_to_layout": tiler_to_layout,
    "with_shape": lift(build.with_shape),
    "layout_of": readings.values_layout,
    # Modes.
    "mode": modes.mode,
    "concat": concat,
    "append": modes.append,
    "prepend": modes.prepend,
    "replace": modes.replace,
    "group": modes.group,
    "select": modes.select,
    "take": modes.take,
    "flatten": modes.flatten_modes,
    # Simplification.
    "coalesce": lift(coalesce),
    "filter": lift(filtering.filter_layout),
    "filter_zeros": lift(filtering.filter_zeros),
    "nullspace": lift(filtering.nullspace),
    # The algebra.
    "composition": on_swizzled.compose,
    "complement": on_swizzled.complement,
    "right_inverse": on_swizzled.right_inverse,
    "left_inverse": on_swizzled.left_inverse,
    "inverse": on_swizzled.inverse_of,
    "logical_divide": lift(divide.logical_divide),
    "zipped_divide": lift(divide.zipped_divide),
    "tiled_divide": lift(divide.tiled_divide),
    "flat_divide": lift(divide.flat_divide),
    "logical_product": lift(product.logical_product),
    "zipped_product": lift(product.zipped_product),
    "tiled_product": lift(product.tiled_product),
    "flat_product": lift(product.flat_product),
    "blocked_product": lift(product.blocked_product),
    "raked_product": lift(product.raked_product),
    "layout_add": layout_add,
    "slice": slice_layout,
    "slice_and_offset": readings.slice_and_offset,
    "tile_to_shape": lift(tiling.tile_to_shape),
    "local_tile": tiling.local_tile,
    "local_partition": tiling.local_partition,
    "max_common_layout": max_common_layout,
    "max_common_vector": max_common_vector,
    "max_alignment": max_alignment,
    # Element widths and swizzles.
    "upcast": recast.upcast,
    "downcast": recast.downcast,
    "recast_layout": recast.recast_layout,
    "to_bytes": recast.to_bytes,
    "to_elements": recast.to_elements,
    "swizzle": readings.swizzle,
    "as_xor": as_xor,
    "as_swizzle": as_swizzle,
    # Values and claims.
    "eval": listings.evaluate,
    "apply": listings.apply,
    "values": listings.values,
    "image": image.image,
    "coshape": image.coshape,
    "cosize": image.cosize,
    "injective": image.injective,
    "surjective": image.surjective,
    "bijective": image.bijective,
    "compact": image.compact,
    "disjoint": image.disjoint,
    "equal": laws.equal,
    "is_identity": laws.is_identity,
    "admissible": laws.admissible,
    "linear_form": linear_form,
    # Tables.
    "table": listings.table,
    "tv_table": listings.tv_table,
    "tile_table": listings.tile_table,
    "mark_table": listings.mark_table,
    "copy_map": listings.copy_map,
    "gemm_mnk": listings.gemm_mnk,
}
"""name -> function."""
