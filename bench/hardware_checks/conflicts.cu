// Runs warp instructions on shared memory, one kernel a case, so that a profiler counts the wavefronts of each.
// Input: lines "CASE INSTRUCTIONS", each followed by INSTRUCTIONS lines "OP A0 .. A31", byte offsets, -1 for a lane
// that is inactive. Written by conflicts.py, which also judges the counts.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

enum Op { LD1, LD2, LD4, LD8, LD16, ST1, ST2, ST4, ST8, ST16, LDM1, LDM2, LDM4, LDM1T, LDM2T, LDM4T,
          STM1, STM2, STM4, STM1T, STM2T, STM4T };
static const char* const NAMES[] = {"ld1", "ld2", "ld4", "ld8", "ld16", "st1", "st2", "st4", "st8", "st16",
                                    "ldm1", "ldm2", "ldm4", "ldm1t", "ldm2t", "ldm4t",
                                    "stm1", "stm2", "stm4", "stm1t", "stm2t", "stm4t"};

template <bool TURNED> __device__ void load_matrices(int count, uint32_t at, uint32_t (&r)[4]) {
  if constexpr (TURNED) {
    if (count == 1) asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
    if (count == 2) asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at));
    if (count == 4) asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
  } else {
    if (count == 1) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
    if (count == 2) asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at));
    if (count == 4) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
  }
}

template <bool TURNED> __device__ void store_matrices(int count, uint32_t at, const uint32_t (&r)[4]) {
  if constexpr (TURNED) {
    if (count == 1) asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at), "r"(r[0]));
    if (count == 2) asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(r[0]), "r"(r[1]));
    if (count == 4) asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));
  } else {
    if (count == 1) asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(r[0]));
    if (count == 2) asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(r[0]), "r"(r[1]));
    if (count == 4) asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));
  }
}

__device__ void plain(int op, uint32_t at, uint32_t (&r)[4]) {
  switch (op) {
    case LD1: asm volatile("ld.shared.u8 %0, [%1];" : "=r"(r[0]) : "r"(at)); break;
    case LD2: asm volatile("{.reg .u16 h; ld.shared.u16 h, [%1]; cvt.u32.u16 %0, h;}" : "=r"(r[0]) : "r"(at)); break;
    case LD4: asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(at)); break;
    case LD8: asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at)); break;
    case LD16: asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at)); break;
    case ST1: asm volatile("st.shared.u8 [%0], %1;" ::"r"(at), "r"(r[0])); break;
    case ST2: asm volatile("{.reg .u16 h; cvt.u16.u32 h, %1; st.shared.u16 [%0], h;}" ::"r"(at), "r"(r[0])); break;
    case ST4: asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(r[0])); break;
    case ST8: asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(r[0]), "r"(r[1])); break;
    case ST16: asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])); break;
  }
}

__global__ void access(const int* ops, const int* offsets, int count, uint32_t* sink) {
  extern __shared__ __align__(1024) unsigned char memory[];
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(memory));
  uint32_t r[4] = {threadIdx.x, 1, 2, 3}, sum = 0;
  for (int i = 0; i < count; ++i) {
    const int op = ops[i], offset = offsets[32 * i + threadIdx.x];
    const uint32_t at = base + (offset < 0 ? 0 : offset);
    if (op >= STM1T) store_matrices<true>(1 << (op - STM1T), at, r);
    else if (op >= STM1) store_matrices<false>(1 << (op - STM1), at, r);
    else if (op >= LDM1T) load_matrices<true>(1 << (op - LDM1T), at, r);
    else if (op >= LDM1) load_matrices<false>(1 << (op - LDM1), at, r);
    else if (offset >= 0) plain(op, at, r);
    __syncwarp();
    sum += r[0] + r[1] + r[2] + r[3];
  }
  sink[threadIdx.x] = sum;
}

#define CHECK(call) \
  if (cudaError_t e = (call); e != cudaSuccess) { std::printf("%s: %s\n", #call, cudaGetErrorString(e)); return 1; }

int main(int, char** argv) {
  std::ifstream in(argv[1]);
  std::string name;
  int instructions = 0, cases = 0;
  CHECK(cudaFuncSetAttribute(access, cudaFuncAttributeMaxDynamicSharedMemorySize, 220 * 1024));
  uint32_t* sink = nullptr;
  CHECK(cudaMalloc(&sink, 32 * sizeof(uint32_t)));
  while (in >> name >> instructions) {
    std::vector<int> ops, offsets;
    for (int i = 0; i < instructions; ++i) {
      std::string op;
      in >> op;
      int number = 0;
      while (number < int(sizeof(NAMES) / sizeof(*NAMES)) && op != NAMES[number]) ++number;
      if (number == int(sizeof(NAMES) / sizeof(*NAMES))) { std::printf("unknown operation %s\n", op.c_str()); return 1; }
      ops.push_back(number);
      for (int lane = 0; lane < 32; ++lane) { int a; in >> a; offsets.push_back(a); }
    }
    int *d_ops = nullptr, *d_offsets = nullptr;
    CHECK(cudaMalloc(&d_ops, ops.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_offsets, offsets.size() * sizeof(int)));
    CHECK(cudaMemcpy(d_ops, ops.data(), ops.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_offsets, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice));
    access<<<1, 32, 220 * 1024>>>(d_ops, d_offsets, instructions, sink);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_ops));
    CHECK(cudaFree(d_offsets));
    ++cases;
  }
  std::printf("%d cases ran\n", cases);
  return 0;
}
