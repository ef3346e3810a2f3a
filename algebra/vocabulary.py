"""The index of the algebra: every function of the expression language by name, over plain values.

Arguments are integers, nested tuples (None for ``_``), layouts, swizzles, composed layouts, tensors, tilers and
semimodule elements. Tables and lists come back as plain data.
"""

from __future__ import annotations

from collections.abc import Callable
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
)
from .coalesce import coalesce
from .errors import refuse
from .htuple import HTuple
from .layout import Layout, concat
from .lift import lift
from .linear import linear_form
from .refinement import common_refinement, layout_add
from .semimodule import Xor
from .swizzle import Composed, Swizzle
from .swizzle_algebra import as_swizzle, as_xor
from .synthesis import layout_of
from .tensor import Tensor, slice_layout
from .tiler import tiler_to_layout
from .vector import max_alignment, max_common_layout, max_common_vector

__all__ = ["VOCABULARY"]


def _shape_of(x: Any) -> HTuple:
    return x.shape if isinstance(x, (Layout, Composed, Tensor)) else x


def _over_shape(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of nested tuples that takes layouts for their shapes."""

    def over(*args: Any) -> Any:
        return f(*map(_shape_of, args))

    over.__doc__ = f.__doc__
    over.__name__ = f.__name__
    return over


def stride_of(x: Any) -> HTuple:
    """The strides of a layout."""
    return x.stride if isinstance(x, Layout) else x.layout.stride


def scale(n: Any, element: Any) -> Any:
    """``n * m`` in the semimodule of m: product, leafwise product, carry-less product.

    >>> scale(3, Xor(3))
    f5
    """
    return n * element


def total(*elements: Any) -> Any:
    """The sum in a semimodule: integers add, coordinates add leafwise, XOR values add without carry.

    >>> total(Xor(5), Xor(10))
    f15
    """
    result: Any = 0
    for element in elements:
        result = result + element
    return result


def difference(a: Any, b: Any) -> Any:
    """``a - b``; over F2 that is the sum.

    >>> difference(Xor(5), Xor(1))
    f4
    """
    return a + b if isinstance(b, Xor) else a - b


def values_layout(*values: Any) -> Layout:
    """The layout of least rank with the given values; LC303 if no layout has them.

    >>> values_layout(0, 15, 30, 100, 115, 130)
    Layout('(3,2):(15,100)')
    """
    found = layout_of(values)
    if found is None:
        raise refuse("LC303", "no layout has these values", op="layout_of", values=str(values))
    return found


def refinement(a: Any, b: Any) -> Any:
    """The common refinement of two shapes, or of two layouts as a pair over one shape."""
    if isinstance(a, Layout) and isinstance(b, Layout):
        return common_refinement(a, b)
    return domain.refined_shape(a, b)


def slice_and_offset(operand: Any, coordinate: HTuple) -> Tensor:
    """``slice``, and always with its offset: ``{offset} o rest``."""
    return slice_layout(operand, coordinate)


def idx2crd(index: Any, shape_: HTuple, stride: HTuple = None) -> HTuple:
    """`shape.idx2crd`; with strides the coordinate of an offset, leaf by leaf."""
    if stride is None:
        return shape.idx2crd(index, _shape_of(shape_))
    return shape.idx2crd_strided(index, shape_, stride)


def crd2idx(coordinate: HTuple, shape_: HTuple, stride: HTuple = None) -> Any:
    """`shape.crd2idx`; with strides the value of the layout at the coordinate."""
    if stride is None:
        return shape.crd2idx(coordinate, _shape_of(shape_))
    return Layout(shape_, stride)(coordinate)


def swizzle(operand: Swizzle, index: Any) -> Any:
    """The swizzled index."""
    return operand(index.value if isinstance(index, Xor) else index)


VOCABULARY: dict[str, Callable[..., Any]] = {
    # Nested tuples, shapes and coordinates.
    "rank": _over_shape(htuple.rank),
    "depth": _over_shape(htuple.depth),
    "size": _over_shape(shape.size),
    "shape": _shape_of,
    "stride": stride_of,
    "congruent": _over_shape(htuple.congruent),
    "weakly_congruent": _over_shape(htuple.weakly_congruent),
    "compatible": _over_shape(shape.compatible),
    "prefix_products": _over_shape(shape.prefix_products),
    "coords": _over_shape(tables.colexicographic),
    "colexicographic": _over_shape(tables.colexicographic),
    "lexicographic": _over_shape(tables.lexicographic),
    "idx2crd": idx2crd,
    "crd2idx": crd2idx,
    "crd2crd": shape.crd2crd,
    "natural": lambda c, s: shape.natural(c, _shape_of(s)),
    "common_refinement": refinement,
    "common_coarsening": domain.common_coarsening,
    "greatest_common_domain": domain.greatest_common_domain,
    # Semimodule elements.
    "scale": scale,
    "sum": total,
    "difference": difference,
    # Building.
    "make_layout": build.make_layout,
    "make_ordered_layout": build.make_ordered_layout,
    "make_layout_like": lift(build.make_layout_like),
    "make_identity_layout": build.make_identity_layout,
    "make_layout_tv": build.make_layout_tv,
    "make_basis_like": build.make_basis_like,
    "tiler_to_layout": tiler_to_layout,
    "with_shape": lift(build.with_shape),
    "layout_of": values_layout,
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
    "slice_and_offset": slice_and_offset,
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
    "swizzle": swizzle,
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
