#pragma once
#include <cute/tensor.hpp>

using namespace cute;

template <int kTileM, int kTileN, int kTileK, int kStages = 3, class Element = half_t>
struct GemmTraits {
  static constexpr int kThreads = 128;
  static constexpr int kVector = 16 / sizeof(Element);
  static constexpr int kRow = kTileK % 64 == 0 ? 64 : 32;
  static_assert(kTileK % kRow == 0, "a tile has whole rows of shared memory");

  using TiledMma = TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2, _2, _1>>, Tile<_32, _32, _16>>;

  using SmemAtom = decltype(composition(Swizzle<kRow == 64 ? 3 : 2, 3, 3>{},
                                        Layout<Shape<_8, Int<kRow>>, Stride<Int<kRow>, _1>>{}));
  using SmemLayoutA = decltype(tile_to_shape(SmemAtom{}, Shape<Int<kTileM>, Int<kTileK>, Int<kStages>>{}));
  using SmemLayoutB = decltype(tile_to_shape(SmemAtom{}, Shape<Int<kTileN>, Int<kTileK>, Int<kStages>>{}));
  using SmemLayoutC = Layout<Shape<Int<kTileM>, Int<kTileN>>, Stride<Int<kTileN>, _1>>;

  using GmemCopy = decltype(make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, Element>{},
                                            Layout<Shape<Int<kThreads * kVector / kRow>, Int<kRow / kVector>>,
                                                   Stride<Int<kRow / kVector>, _1>>{},
                                            Layout<Shape<_1, Int<kVector>>>{}));
  using SmemCopyAtom = Copy_Atom<SM75_U32x4_LDSM_N, Element>;
};

template <class Traits>
__global__ void gemm(half_t* shared) {
  typename Traits::TiledMma mma;
  Tensor sA = make_tensor(make_smem_ptr(shared), typename Traits::SmemLayoutA{});
  Tensor sC = make_tensor(make_smem_ptr(shared), typename Traits::SmemLayoutC{});

  auto load_a = make_tiled_copy_A(typename Traits::SmemCopyAtom{}, mma).get_slice(threadIdx.x);
  Tensor tXsA = load_a.partition_S(sA);

  auto store_c = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                 Layout<Shape<_32, _4>>{}, Layout<Shape<_1, _8>>{}).get_slice(threadIdx.x);
  Tensor tCsC = store_c.partition_D(sC);
}
