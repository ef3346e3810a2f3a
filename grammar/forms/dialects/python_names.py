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
const_expr(value)                                        value
arch::thread_idx()                                       @thread
arch::block_idx()                                        @thread
arch::make_warp_uniform(value)                           value

# parts
size(obj, mode=None)                                     size(obj[mode])
cosize(obj, mode=None)                                   cosize(obj[mode])
rank(obj, mode=None)                                     rank(obj[mode])
depth(a)                                                 depth(a)
shape(input, *, mode=None)                               @shape_of
get(obj, mode=None)                                      obj[mode]
select(obj, mode)                                        select(obj, mode)
group_modes(input, begin, end)                           group(input, begin, end)
group_modes(input, begin)                                group(input, begin, rank(input))
flatten(a)                                               flatten(a)
flatten_to_tuple(a)                                      flatten(a)
product_like(a, target_profile)                          @product_like
product(a)                                               size(a)
coalesce(input, *, target_profile=None)                  coalesce(input, target_profile)
filter(input)                                            filter(input)
filter_zeros(input, *, target_profile=None)              filter_zeros(input, target_profile)
crd2idx(coord, layout)                                   layout(coord)
idx2crd(idx, shape)                                      idx2crd(idx, shape)
slice_(src, coord)                                       @kept src coord
domain_offset(coord, tensor)                             @domain_offset
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
local_tile(input, tiler, coord, proj=None)               local_tile(input, tiler, coord, proj)
local_partition(target, tiler, index, proj=None)         local_partition(target, tiler, index, proj)
ceil_div(input, tiler)                                   ceil_div(input, tiler)
is_congruent(a, b)                                       congruent(a, b)
is_weakly_congruent(a, b)                                weakly_congruent(a, b)
size_in_bytes(dtype, layout)                             cosize(layout) * dtype.bits / 8
make_layout_tv(thr_layout, val_layout)                   make_layout_tv(thr_layout, val_layout)

# tuples
min(*x)                                                  @least
max(*x)                                                  @greatest
tuple_cat(*t)                                            @joined
product_each(a)                                          product_each(a)
append(input, elem, up_to_rank=None)                     append(input, elem, up_to_rank)
append_ones(t, up_to_rank=None)                          append(t, 1, up_to_rank)
prepend(input, elem, up_to_rank=None)                    prepend(input, elem, up_to_rank)
round_up(a, b)                                           round_up(a, b)
shape_div(lhs, rhs)                                      shape_div(lhs, rhs)
dice(src, dicer)                                         dice(dicer, src)
is_static(x)                                             @static
is_major(mode, stride)                                   @is_major
leading_dim(shape, stride)                               @leading
get_nonswizzle_portion(layout)                           layout.layout
make_rmem_tensor(layout_or_shape, dtype)                 make_layout(layout_or_shape)
make_fragment_like(src, dtype=None)                      make_fragment_like(src)

# shared memory
make_smem_layout_atom(kind, element_type)                smem_atom(kind, element_type.bits)
tcgen05::make_smem_layout_atom(kind, element_type)       @umma_atom
get_smem_layout_atom(layout, element_type, major_mode_size)       @smem_kind
sm90_utils::make_smem_layout_a(a_layout, mma_tiler_mnk, a_dtype, num_stages)   @smem_a
sm90_utils::make_smem_layout_b(b_layout, mma_tiler_mnk, b_dtype, num_stages)   @smem_b
sm90_utils::make_smem_layout_epi(epi_dtype, epi_layout, epi_tile, epi_stage, smem_trg_shape=None, smem_order=None)   @smem_epi
sm100_utils::make_smem_layout_a(tiled_mma, mma_tiler_mnk, a_dtype, num_stages, *, is_k_major=None)   @umma_smem_a
sm100_utils::make_smem_layout_b(tiled_mma, mma_tiler_mnk, b_dtype, num_stages, *, is_k_major=None)   @umma_smem_b
sm100_utils::make_smem_layout_epi(epi_dtype, epi_layout, epi_tile, epi_stage)   @smem_epi

# instructions
nvgpu::MmaUniversalOp(abacc_dtype)                       @fma
warp::MmaF16BF16Op(ab_dtype, acc_dtype, shape_mnk)       @mma_sync
warp::MmaFP8Op(ab_dtype, acc_dtype, shape_mnk)           @mma_sync
warp::MmaTF32Op(shape_mnk)                               @mma_tf32
warpgroup::MmaF16BF16Op(ab_dtype, acc_dtype, instruction_shape, a_src, a_major_mode, b_major_mode)   @wgmma
warpgroup::MmaF8Op(a_dtype, b_dtype, acc_dtype, instruction_shape, a_src, a_major_mode, b_major_mode)   @wgmma_pair
warpgroup::MmaI8Op(a_dtype, b_dtype, acc_dtype, instruction_shape, a_src, a_major_mode, b_major_mode)   @wgmma_pair
tcgen05::MmaF16BF16Op(ab_dtype, acc_dtype, instruction_shape, cta_group, a_src, a_major_mode, b_major_mode)   @umma
sm90_utils::make_trivial_tiled_mma(a_dtype, b_dtype, a_leading_mode, b_leading_mode, acc_dtype, atom_layout_mnk, tiler_mn, a_source=None)   @wgmma_tiled
sm100_utils::make_trivial_tiled_mma(ab_dtype, b_dtype, a_leading_mode, b_leading_mode, acc_dtype, cta_group, mma_tiler_mn, a_source=None)   @umma_tiled
sm100_utils::make_trivial_tiled_mma(ab_dtype, a_leading_mode, b_leading_mode, acc_dtype, cta_group, mma_tiler_mn, a_source=None)   @umma_tiled
nvgpu::CopyUniversalOp()                                 @copy_universal
cpasync::CopyG2SOp(cache_mode=None)                      @copy_async
warp::LdMatrix8x8x16bOp(transpose=None, num_matrices=None)   @ldmatrix
warp::StMatrix8x8x16bOp(transpose=None, num_matrices=None)   @stmatrix
make_mma_atom(op)                                        atom(op)
make_copy_atom(op, copy_internal_type, num_bits_per_copy=None)   @copy_of_bits
make_tiled_mma(op_or_atom)                               tiled_mma(op_or_atom)
make_tiled_mma(op_or_atom, atom_layout_mnk, permutation_mnk=None)   tiled_mma(op_or_atom, atom_layout_mnk, permutation_mnk)
make_tiled_mma(op_or_atom, *, permutation_mnk)           tiled_mma(op_or_atom, (1, 1, 1), permutation_mnk)
make_tiled_copy_tv(atom, thr_layout, val_layout)         tiled_copy(atom, thr_layout, val_layout)
make_tiled_copy(atom, layout_tv, tiler_mn)               tiled_copy_tv(atom, layout_tv, tiler_mn)
make_tiled_copy_A(atom, tiled_mma)                       tiled_copy_A(atom, tiled_mma)
make_tiled_copy_B(atom, tiled_mma)                       tiled_copy_B(atom, tiled_mma)
make_tiled_copy_C(atom, tiled_mma)                       tiled_copy_C(atom, tiled_mma)
make_tiled_copy_C_atom(atom, mma)                        tiled_copy_C_atom(atom, mma)
make_cotiled_copy(atom, atom_layout_tv, data_layout)     cotiled_copy(atom, atom_layout_tv, data_layout)
make_tiled_copy_S(atom, tiled_copy)                      tiled_copy_tv(atom, tiled_copy.S, tiled_copy.tiler)
make_tiled_copy_D(atom, tiled_copy)                      tiled_copy_tv(atom, tiled_copy.D, tiled_copy.tiler)

# members
.shape                                                   shape(self)
.stride                                                  stride(self)
.layout                                                  @inside
.inner                                                   self.swizzle
.outer                                                   self.layout
.size                                                    size(self)
.shape_mnk                                               self.atom.shape
.thr_id                                                  self.atom.thr_id
.thr_layout_vmnk                                         self.thr_vmnk
.tv_layout_A                                             self.atom.A
.tv_layout_B                                             self.atom.B
.tv_layout_C                                             self.atom.C
.tv_layout_A_tiled                                       self.A
.tv_layout_B_tiled                                       self.B
.tv_layout_C_tiled                                       self.C
.layout_tv_tiled                                         self.layout_tv
.layout_src_tv_tiled                                     self.S
.layout_dst_tv_tiled                                     self.D
.tiler_mn                                                self.tiler
.get_tile_size(i)                                        self.tile[i]
.get_slice(i)                                            get_slice(self, i)
.partition_A(t)                                          partition(self, "A", t)
.partition_B(t)                                          partition(self, "B", t)
.partition_C(t)                                          partition(self, "C", t)
.make_fragment_A(x)                                      @fragment_of
.make_fragment_B(x)                                      @fragment_of
.make_fragment_C(x)                                      @accumulator
.retile(x)                                               retile(self, "D", x)
.partition_S(t)                                          partition(self, "S", t)
.partition_D(t)                                          partition(self, "D", t)
.partition_shape_A(extents)                              shape(fragment(self, "A", extents))
.partition_shape_B(extents)                              shape(fragment(self, "B", extents))
.partition_shape_C(extents)                              shape(fragment(self, "C", extents))
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
