"""The names of Python: the DSL's functions and members, the classes of PyCuTe, tensor-layouts and Mojo (see `rows`)."""

from __future__ import annotations

__all__ = ["CALLS", "CLASSES", "MODULES"]

MODULES = {
    **dict.fromkeys(("cute", "cutlass", "nvgpu", "utils"), "dsl"),
    **dict.fromkeys(("warp", "warpgroup", "cpasync", "tcgen05", "sm90_utils", "sm100_utils"), "dsl"),
    "pycute": "pycute",
    **dict.fromkeys(("tensor_layouts", "tl"), "tensor-layouts"),
}
"""The modules whose names are read, and the form that they belong to."""

CALLS = """
# layouts
make_layout(shape, *, stride=None)                       @layout shape stride
make_ordered_layout(shape, order)                        @ordered
make_layout_like(input)                                  make_layout_like(input)
make_identity_layout(shape)                              @identity
make_identity_tensor(shape)                              @identity
make_swizzle(b, m, s)                                    @swizzle
make_composed_layout(inner, offset, outer)               @composed
make_tensor(iterator, layout)                            @tensor
E(mode)                                                  @basis
ScaledBasis(value, mode)                                 @scaled_basis
Int32(value)                                             value
Int64(value)                                             value
Uint32(value)                                            value
Constexpr(value)                                         value

# parts
size(obj, mode=None)                                     size(obj[mode])
cosize(obj, mode=None)                                   cosize(obj[mode])
rank(obj, mode=None)                                     rank(obj[mode])
depth(a)                                                 depth(a)
shape(input, *, mode=None)                               shape(input[mode])
get(obj, mode=None)                                      obj[mode]
select(obj, mode)                                        select(obj, mode)
group_modes(input, begin, end)                           group(input, begin, end)
group_modes(input, begin)                                group(input, begin, rank(input))
flatten(a)                                               flatten(a)
product(a)                                               size(a)
coalesce(input, *, target_profile=None)                  coalesce(input, target_profile)
filter(input)                                            filter(input)
filter_zeros(input, *, target_profile=None)              filter_zeros(input, target_profile)
crd2idx(coord, layout)                                   layout(coord)
idx2crd(idx, shape)                                      idx2crd(idx, shape)
slice_(src, coord)                                       slice(src, coord)
slice_and_offset(coord, src)                             slice(src, coord)

# the algebra
composition(lhs, rhs)                                    composition(lhs, rhs)
complement(input, cotarget)                              complement(input, cotarget)
left_inverse(input)                                      left_inverse(input)
right_inverse(input)                                     right_inverse(input)
nullspace(layout)                                        nullspace(layout)
logical_divide(target, tiler)                            logical_divide(target, tiler)
zipped_divide(target, tiler)                             zipped_divide(target, tiler)
tiled_divide(target, tiler)                              tiled_divide(target, tiler)
flat_divide(target, tiler)                               flat_divide(target, tiler)
logical_product(block, tiler)                            logical_product(block, tiler)
zipped_product(block, tiler)                             zipped_product(block, tiler)
tiled_product(block, tiler)                              tiled_product(block, tiler)
flat_product(block, tiler)                               flat_product(block, tiler)
blocked_product(block, tiler)                            blocked_product(block, tiler)
raked_product(block, tiler)                              raked_product(block, tiler)
max_common_vector(a, b)                                  max_common_vector(a, b)
max_common_layout(a, b)                                  max_common_layout(a, b)
tile_to_shape(atom, trg_shape, order)                    tile_to_shape(atom, trg_shape, order)
recast_layout(new_type_bits, old_type_bits, src_layout)  recast_layout(src_layout, old_type_bits, new_type_bits)
local_tile(input, tiler, coord)                          local_tile(input, tiler, coord)
local_partition(target, tiler, index)                    local_partition(target, tiler, index)
ceil_div(input, tiler)                                   ceil(input / tiler)
is_congruent(a, b)                                       congruent(a, b)
is_weakly_congruent(a, b)                                weakly_congruent(a, b)
size_in_bytes(dtype, layout)                             cosize(layout) * dtype.bits / 8
make_layout_tv(thr_layout, val_layout)                   make_layout_tv(thr_layout, val_layout)

# members
.shape                                                   shape(self)
.stride                                                  stride(self)
"""

CLASSES = """
# PyCuTe and tensor-layouts
Layout(shape, stride=None)                               @pair
Layout(*parts)                                           @layout
Swizzle(bits, base, shift)                               @swizzle
ComposedLayout(outer, offset, inner)                     @composed
ComposedLayout(outer, inner, *, offset=None)             @composed outer offset inner
Tile(*items)                                             <items>
Tensor(layout, offset=None)                              @placed

# Mojo
IntTuple(*items)                                         (items,)
Layout::row_major(*shape)                                @row_major
Layout::col_major(*shape)                                @col_major
row_major(*shape)                                        @row_major
col_major(*shape)                                        @col_major
row_major<*shape>                                        @row_major
col_major<*shape>                                        @col_major
"""
