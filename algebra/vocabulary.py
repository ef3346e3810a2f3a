"""The index of the algebra: every function of the expression language by name, over plain values.

Arguments are integers, nested tuples (None for ``_``), layouts, swizzles, composed layouts, tensors, tilers and
semimodule elements. Tables and lists come back as plain data.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from . import (
    build,
    divide,
    domain,
    filtering,
    htuple,
    image,
    laws,
    lifted,
    modes,
    product,
    recast,
    shape,
    tables,
    tiling,
    words,
)
from .coalesce import coalesce
from .layout import concat
from .lift import lift
from .linear import linear_form
from .refinement import layout_add
from .swizzle_algebra import as_swizzle, as_xor
from .tensor import slice_layout
from .tiler import tiler_to_layout
from .vector import max_alignment, max_common_layout, max_common_vector

__all__ = ["VOCABULARY"]


def _over_shape(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of nested tuples that takes layouts for their shapes."""

    @wraps(f)
    def over(*args: Any) -> Any:
        return f(*map(words.shape, args))

    return over


VOCABULARY: dict[str, Callable[..., Any]] = {
    # Nested tuples, shapes and coordinates.
    "rank": _over_shape(htuple.rank),
    "depth": _over_shape(htuple.depth),
    "size": _over_shape(shape.size),
    "shape": words.shape,
    "stride": words.stride,
    "congruent": _over_shape(htuple.congruent),
    "weakly_congruent": _over_shape(htuple.weakly_congruent),
    "compatible": _over_shape(shape.compatible),
    "prefix_products": _over_shape(shape.prefix_products),
    "coords": _over_shape(tables.colexicographic),
    "colexicographic": _over_shape(tables.colexicographic),
    "lexicographic": _over_shape(tables.lexicographic),
    "idx2crd": words.idx2crd,
    "crd2idx": words.crd2idx,
    "crd2crd": shape.crd2crd,
    "natural": words.natural,
    "common_refinement": words.refinement,
    "common_coarsening": domain.common_coarsening,
    "greatest_common_domain": domain.greatest_common_domain,
    # Semimodule elements.
    "scale": words.scale,
    "sum": words.total,
    "difference": words.difference,
    # Building.
    "make_layout": build.make_layout,
    "make_ordered_layout": build.make_ordered_layout,
    "make_layout_like": lift(build.make_layout_like),
    "make_identity_layout": build.make_identity_layout,
    "make_layout_tv": build.make_layout_tv,
    "make_basis_like": build.make_basis_like,
    "tiler_to_layout": tiler_to_layout,
    "with_shape": lift(build.with_shape),
    "layout_of": words.values_layout,
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
    "composition": lifted.compose,
    "complement": lifted.complement,
    "right_inverse": lifted.right_inverse,
    "left_inverse": lifted.left_inverse,
    "inverse": lifted.inverse_of,
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
    "slice_and_offset": words.slice_and_offset,
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
    "swizzle": words.swizzle,
    "as_xor": as_xor,
    "as_swizzle": as_swizzle,
    # Values and claims.
    "eval": tables.evaluate,
    "apply": tables.apply,
    "values": tables.values,
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
    "table": tables.table,
    "tv_table": tables.tv_table,
    "tile_table": tables.tile_table,
    "mark_table": tables.mark_table,
    "copy_map": tables.copy_map,
    "gemm_mnk": tables.gemm_mnk,
}
"""name -> function."""
