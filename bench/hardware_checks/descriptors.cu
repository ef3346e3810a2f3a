// Reads a tile of shared memory by wgmma and a descriptor, and prints the byte address of every element that was read.
// Input: lines "NAME BITS OPERAND TURNED ROWS DESCRIPTOR COUNT START..", start addresses in bytes from a 1024-byte
// boundary, the descriptor for start 0. Output: a line "NAME ADDRESS.." an instruction, by (mn, k), k fastest.
// Written for descriptors.py, which also judges the addresses.
//
// An element holds a digit of its own number, in base 64, one digit a pass; the other operand is a one-hot matrix, so
// the product is the digit itself, exact in every type.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>
#include <cuda_fp16.h>

constexpr int PASSES = 3, DIGIT = 64;
constexpr uint32_t TILE = 4096;              // bytes from the base to the tile: the one-hot operand lies before it
constexpr uint32_t SHARED = 216 * 1024;      // bytes of dynamic shared memory
constexpr int MOST = 128 * 32;               // elements that an instruction reads

#define T4 "%0,%1,%2,%3"
#define T8 "%0,%1,%2,%3,%4,%5,%6,%7"
#define T16 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15"
#define T32 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15," \
  "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define T64 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15," \
  "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31," \
  "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47," \
  "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define O4(c, d, i) c(d[i]), c(d[i + 1]), c(d[i + 2]), c(d[i + 3])
#define O8(c, d, i) O4(c, d, i), O4(c, d, i + 4)
#define O16(c, d, i) O8(c, d, i), O8(c, d, i + 8)
#define O32(c, d, i) O16(c, d, i), O16(c, d, i + 16)
#define O64(c, d, i) O32(c, d, i), O32(c, d, i + 32)

// COUNT accumulators; A and B are the numbers of the descriptors' operands, P that of a zero: D = A*B.
#define MULTIPLY(COUNT, A, B, P, SHAPE, TAIL, C, ...)                                                              \
  asm volatile("{.reg .pred p; setp.ne.b32 p, %" P ", 0;\n"                                                        \
               "wgmma.mma_async.sync.aligned." SHAPE " {" T##COUNT "}, %" A ", %" B ", p" TAIL ";}"                \
               : O##COUNT(C, d, 0) : "l"(a), "l"(b), "r"(0) __VA_ARGS__)

template <int TA, int TB> __device__ void multiply(float (&d)[8], uint64_t a, uint64_t b) {
  MULTIPLY(8, "8", "9", "10", "m64n16k16.f32.f16.f16", ", 1, 1, %11, %12", "+f", , "n"(TA), "n"(TB));
}
template <int TA, int TB> __device__ void multiply(float (&d)[32], uint64_t a, uint64_t b) {
  MULTIPLY(32, "32", "33", "34", "m64n64k16.f32.f16.f16", ", 1, 1, %35, %36", "+f", , "n"(TA), "n"(TB));
}
template <int TA, int TB> __device__ void multiply(float (&d)[64], uint64_t a, uint64_t b) {
  MULTIPLY(64, "64", "65", "66", "m64n128k16.f32.f16.f16", ", 1, 1, %67, %68", "+f", , "n"(TA), "n"(TB));
}
__device__ void multiply_tf32(float (&d)[4], uint64_t a, uint64_t b) {
  MULTIPLY(4, "4", "5", "6", "m64n8k8.f32.tf32.tf32", ", 1, 1", "+f");
}
__device__ void multiply_tf32(float (&d)[32], uint64_t a, uint64_t b) {
  MULTIPLY(32, "32", "33", "34", "m64n64k8.f32.tf32.tf32", ", 1, 1", "+f");
}
__device__ void multiply_s8(int (&d)[16], uint64_t a, uint64_t b) {
  MULTIPLY(16, "16", "17", "18", "m64n32k32.s32.s8.s8", "", "+r");
}
__device__ void multiply_s8(int (&d)[32], uint64_t a, uint64_t b) {
  MULTIPLY(32, "32", "33", "34", "m64n64k32.s32.s8.s8", "", "+r");
}

struct Case {
  int bits, rows, k;
  bool is_a, turned;
  uint64_t desc;
};

__device__ void put(unsigned char* at, int bits, int value) {
  if (bits == 16) *reinterpret_cast<__half*>(at) = __float2half(float(value));
  else if (bits == 32) *reinterpret_cast<float*>(at) = float(value);
  else *reinterpret_cast<signed char*>(at) = static_cast<signed char>(value);
}

// Accumulator i of a thread of the warp group is element (row, column) of the 64 x N product.
template <class T, int COUNT> __device__ void store(const T (&d)[COUNT], const Case& c, int* out) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    const int row = 16 * warp + lane / 4 + 8 * (i % 4 / 2), column = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
    // The one-hot matrix is the identity: D is A itself, or B turned in its first k rows.
    if (c.is_a && column < c.k) out[row * c.k + column] = int(d[i]);
    if (!c.is_a && row < c.k) out[column * c.k + row] = int(d[i]);
  }
}

__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void end() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

#define RUN(T, COUNT, CALL) { T d[COUNT] = {}; begin(); CALL; end(); store(d, c, out); }

__global__ void __launch_bounds__(128) read(Case c, const int* starts, int count, int* found) {
  extern __shared__ __align__(1024) unsigned char memory[];
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(memory));
  const int size = c.bits / 8;
  for (int pass = 0; pass < PASSES; ++pass) {
    for (uint32_t i = threadIdx.x; i < TILE; i += blockDim.x) memory[i] = 0;
    __syncthreads();
    // The identity, K-major without swizzle: LBO 128, SBO 256.
    for (int i = threadIdx.x; i < c.k; i += blockDim.x) {
      const int bytes = i * size;
      put(memory + i % 8 * 16 + i / 8 * 256 + bytes / 16 * 128 + bytes % 16, c.bits, 1);
    }
    for (uint32_t e = threadIdx.x; e < (SHARED - TILE) / size; e += blockDim.x) {
      put(memory + TILE + e * size, c.bits, e >> (6 * pass) & (DIGIT - 1));
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const uint64_t one = uint64_t(base >> 4) | uint64_t(128 >> 4) << 16 | uint64_t(256 >> 4) << 32;
    for (int n = 0; n < count; ++n) {
      int* out = found + (pass * count + n) * MOST;
      const uint64_t it = c.desc + ((base + TILE + starts[n]) >> 4);
      if (c.bits == 16 && c.is_a) {
        if (c.turned) RUN(float, 8, (multiply<1, 0>(d, it, one))) else RUN(float, 8, (multiply<0, 0>(d, it, one)))
      } else if (c.bits == 16 && c.rows == 64) {
        if (c.turned) RUN(float, 32, (multiply<0, 1>(d, one, it))) else RUN(float, 32, (multiply<0, 0>(d, one, it)))
      } else if (c.bits == 16) {
        if (c.turned) RUN(float, 64, (multiply<0, 1>(d, one, it))) else RUN(float, 64, (multiply<0, 0>(d, one, it)))
      } else if (c.bits == 32) {
        if (c.is_a) RUN(float, 4, multiply_tf32(d, it, one)) else RUN(float, 32, multiply_tf32(d, one, it))
      } else {
        if (c.is_a) RUN(int, 16, multiply_s8(d, it, one)) else RUN(int, 32, multiply_s8(d, one, it))
      }
    }
    __syncthreads();
  }
}

#define CHECK(call) \
  if (cudaError_t e = (call); e != cudaSuccess) { std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e)); return 1; }

int main(int argc, char** argv) {
  if (argc < 2) { std::fprintf(stderr, "a file of cases is missing\n"); return 2; }
  std::ifstream in(argv[1]);
  std::string name, letter, desc;
  Case c{};
  int turned = 0, count = 0, cases = 0;
  CHECK(cudaFuncSetAttribute(read, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
  while (in >> name >> c.bits >> letter >> turned >> c.rows >> desc >> count) {
    c.is_a = letter == "A";
    c.turned = turned != 0;
    c.desc = std::stoull(desc, nullptr, 16);
    c.k = 256 / c.bits;
    const bool known = c.is_a ? c.rows == 64 : c.rows == 64 || (c.rows == 128 && c.bits == 16);
    if (!known) { std::fprintf(stderr, "%s: no instruction here reads %d rows\n", name.c_str(), c.rows); return 2; }
    std::vector<int> starts(count), found(PASSES * count * MOST);
    for (int& start : starts) in >> start;
    int *d_starts = nullptr, *d_found = nullptr;
    CHECK(cudaMalloc(&d_starts, starts.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_found, found.size() * sizeof(int)));
    CHECK(cudaMemcpy(d_starts, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice));
    read<<<1, 128, SHARED>>>(c, d_starts, count, d_found);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(found.data(), d_found, found.size() * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_starts));
    CHECK(cudaFree(d_found));
    for (int n = 0; n < count; ++n) {
      std::printf("%s", name.c_str());
      for (int i = 0; i < c.rows * c.k; ++i) {
        long number = 0;
        for (int pass = PASSES - 1; pass >= 0; --pass) number = number * DIGIT + found[(pass * count + n) * MOST + i];
        std::printf(" %ld", number * (c.bits / 8));
      }
      std::printf("\n");
    }
    ++cases;
  }
  std::fprintf(stderr, "%d descriptors ran\n", cases);
  return 0;
}
