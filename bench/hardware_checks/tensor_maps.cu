// Makes tensor maps, copies one box of each into shared memory, and prints all of that memory.
// Input: lines "NAME TYPE RANK SWIZZLE GDIM.. GSTRIDES.. BOX.. COORDINATES.. SMEM BYTES", innermost first, the numbers of
// the driver's enumerations. Output: "NAME accepted HEX HEX HEX", the memory for each digit of the byte offset that
// global memory holds, or "NAME refused CODE". Written for tensor_maps.py, which also judges.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>
#include <cuda.h>
#include <cuda_runtime.h>

constexpr int PASSES = 3;
constexpr uint32_t SHARED = 64 * 1024;   // bytes of shared memory that are looked at
constexpr int UNTOUCHED = 0xA5;

#define COPY(RANK, COORDS, ...)                                                                                     \
  asm volatile("cp.async.bulk.tensor." RANK "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "      \
               "[%1, {" COORDS "}], [%2];" ::"r"(to), "l"(&map), "r"(barrier), __VA_ARGS__ : "memory")

struct Coordinates { int c[5]; };

__global__ void copy(const __grid_constant__ CUtensorMap map, int rank, Coordinates at, uint32_t smem, uint32_t bytes,
                     unsigned char* out) {
  extern __shared__ __align__(1024) unsigned char memory[];
  __shared__ __align__(8) uint64_t arrived;
  const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(memory)) + smem;
  const uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&arrived));
  for (uint32_t i = threadIdx.x; i < SHARED; i += blockDim.x) memory[i] = UNTOUCHED;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    const int* c = at.c;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
    if (rank == 1) COPY("1", "%3", "r"(c[0]));
    if (rank == 2) COPY("2", "%3, %4", "r"(c[0]), "r"(c[1]));
    if (rank == 3) COPY("3", "%3, %4, %5", "r"(c[0]), "r"(c[1]), "r"(c[2]));
    if (rank == 4) COPY("4", "%3, %4, %5, %6", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
    if (rank == 5) COPY("5", "%3, %4, %5, %6, %7", "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]));
  }
  uint32_t done = 0;
  for (int tries = 0; tries < 1 << 20 && !done; ++tries) {
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done) : "r"(barrier) : "memory");
  }
  if (!done) __trap();   // the bytes that were said are not those that came
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < SHARED; i += blockDim.x) out[i] = memory[i];
}

__global__ void fill(unsigned char* global, uint64_t bytes, int pass) {
  for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += gridDim.x * blockDim.x) {
    global[i] = i >> (8 * pass) & 255;
  }
}

#define CHECK(call) \
  if (cudaError_t e = (call); e != cudaSuccess) { std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e)); return 1; }

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                            const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

int main(int argc, char** argv) {
  if (argc < 2) { std::fprintf(stderr, "a file of cases is missing\n"); return 2; }
  void* symbol = nullptr;
  cudaDriverEntryPointQueryResult status;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &symbol, 12000, cudaEnableDefault, &status));
  if (symbol == nullptr) { std::fprintf(stderr, "the driver has no cuTensorMapEncodeTiled\n"); return 1; }
  const auto encode = reinterpret_cast<Encode>(symbol);
  CHECK(cudaFuncSetAttribute(copy, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
  unsigned char* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, SHARED));
  std::ifstream in(argv[1]);
  std::string name;
  int type = 0, rank = 0, swizzle = 0, cases = 0;
  while (in >> name >> type >> rank >> swizzle) {
    std::vector<cuuint64_t> gdim(rank), gstrides(rank);  // one more than is read: the driver refuses a null pointer
    std::vector<cuuint32_t> box(rank), ones(rank, 1);
    Coordinates at{};
    uint32_t smem = 0, bytes = 0;
    for (auto& x : gdim) in >> x;
    for (int i = 0; i + 1 < rank; ++i) in >> gstrides[i];
    for (auto& x : box) in >> x;
    for (int i = 0; i < rank; ++i) in >> at.c[i];
    in >> smem >> bytes;
    uint64_t extent = gdim[0] * 8;
    for (int i = 1; i < rank; ++i) extent += gstrides[i - 1] * gdim[i];
    unsigned char* global = nullptr;
    CHECK(cudaMalloc(&global, extent));
    CUtensorMap map;
    const CUresult made = encode(&map, static_cast<CUtensorMapDataType>(type), rank, global, gdim.data(), gstrides.data(),
                                 box.data(), ones.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 static_cast<CUtensorMapSwizzle>(swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    ++cases;
    if (made != CUDA_SUCCESS) {
      std::printf("%s refused %d\n", name.c_str(), int(made));
      CHECK(cudaFree(global));
      continue;
    }
    std::printf("%s accepted", name.c_str());
    std::vector<unsigned char> out(SHARED);
    for (int pass = 0; pass < PASSES; ++pass) {
      fill<<<256, 256>>>(global, extent, pass);
      copy<<<1, 128, SHARED>>>(map, rank, at, smem, bytes, d_out);
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      CHECK(cudaMemcpy(out.data(), d_out, SHARED, cudaMemcpyDeviceToHost));
      std::printf(" ");
      for (unsigned char byte : out) std::printf("%02x", byte);
    }
    std::printf("\n");
    CHECK(cudaFree(global));
  }
  std::fprintf(stderr, "%d tensor maps ran\n", cases);
  return 0;
}
