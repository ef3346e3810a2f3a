import cutlass.cute as cute
from cutlass import Float16, Float32
from cutlass.cute.nvgpu import cpasync, warp


class Gemm:
    def __init__(self, tile=(128, 128, 64), stages=3):
        self.tile = tile
        self.stages = stages

    @cute.jit
    def __call__(self, mA: cute.Tensor, mB: cute.Tensor):
        bM, bN, bK = self.tile
        op = warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))
        tiled_mma = cute.make_tiled_mma(op, (2, 2, 1), permutation_mnk=(32, 32, 16))

        rows = cute.make_layout((8, bK), stride=(bK, 1))
        atom = cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, rows)
        smem_a = cute.tile_to_shape(atom, (bM, bK, self.stages), (0, 1, 2))
        smem_b = cute.tile_to_shape(atom, (bN, bK, self.stages), (0, 1, 2))

        vector = 128 // Float16.width
        threads = cute.make_layout((tiled_mma.size // (bK // vector), bK // vector), stride=(bK // vector, 1))
        async_copy = cute.make_copy_atom(cpasync.CopyG2SOp(), Float16, num_bits_per_copy=128)
        load = cute.make_tiled_copy_tv(async_copy, threads, cute.make_layout((1, vector)))
        gA = cute.local_tile(mA, (bM, bK), (0, None))
