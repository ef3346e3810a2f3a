"""Proposals of ``design smem`` on the machine: the profiler's wavefronts beside those that were foretold.

Run ``python bench/conflicts.py [--count 20]`` where a GPU, nvcc and ncu are. For each proposal one warp runs every
instruction of every access of lanes, at the offsets of the proposed layout; the counters are
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld and _op_st. The exit code is 1 if one number differs.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

COUNTERS = tuple(f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st"))
"""Wavefronts of loads and of stores: one kernel has either."""

KERNEL = """
#include <cstdint>
#include <cstdio>
#include <vector>
extern __shared__ __align__(1024) unsigned char smem[];
template <int OP> __global__ void access(const int* offsets, int count, uint32_t* sink) {
  uint32_t base = (uint32_t)__cvta_generic_to_shared(smem), lane = threadIdx.x;
  uint32_t a = 0, b = 0, c = 0, d = 0, sum = 0;
  for (int i = 0; i < count; ++i) {
    int offset = offsets[32 * i + lane];
    uint32_t at = base + offset;
    if (OP == 20) { asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at)); sum += a ^ b ^ c ^ d; continue; }
    if (OP == 21) { asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%4], {%0,%1,%2,%3};"
                                 :: "r"(a), "r"(b), "r"(c), "r"(d), "r"(at)); continue; }
    if (offset < 0) continue;
    if (OP == 1) asm volatile("ld.shared.u8 %0, [%1];" : "=r"(a) : "r"(at));
    if (OP == 2) asm volatile("{.reg .u16 h; ld.shared.u16 h, [%1]; cvt.u32.u16 %0, h;}" : "=r"(a) : "r"(at));
    if (OP == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(at));
    if (OP == 8) asm volatile("ld.shared.v2.u32 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
    if (OP == 16) asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
    sum += a ^ b ^ c ^ d;
    if (OP == 101) asm volatile("st.shared.u8 [%1], %0;" :: "r"(a), "r"(at));
    if (OP == 102) asm volatile("{.reg .u16 h; cvt.u16.u32 h, %0; st.shared.u16 [%1], h;}" :: "r"(a), "r"(at));
    if (OP == 104) asm volatile("st.shared.u32 [%1], %0;" :: "r"(a), "r"(at));
    if (OP == 108) asm volatile("st.shared.v2.u32 [%2], {%0,%1};" :: "r"(a), "r"(b), "r"(at));
    if (OP == 116) asm volatile("st.shared.v4.u32 [%4], {%0,%1,%2,%3};" :: "r"(a), "r"(b), "r"(c), "r"(d), "r"(at));
  }
  sink[lane] = sum;  // so that no load is dropped
}
template <int OP> void launch(const std::vector<int>& offsets) {
  int* device;
  uint32_t* sink;
  cudaMalloc(&sink, 128);
  cudaMalloc(&device, offsets.size() * 4);
  cudaMemcpy(device, offsets.data(), offsets.size() * 4, cudaMemcpyHostToDevice);
  cudaFuncSetAttribute(access<OP>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
  access<OP><<<1, 32, 200 * 1024>>>(device, offsets.size() / 32, sink);
  cudaError_t error = cudaDeviceSynchronize();
  if (error) { printf("%s\\n", cudaGetErrorString(error)); exit(1); }
}
"""


class Run(NamedTuple):
    """One access of a proposal: its name, its kernel, the byte offsets of its lanes, its wavefronts."""

    name: str
    layout: str
    op: int
    offsets: list[int]
    wavefronts: int
    ideal: int


def read(text: str) -> Any:
    """An integer layout from its text."""
    from laycalc.algebra.values.layout import Layout

    return Layout(*map(ast.literal_eval, text.split(":")))


def runs(count: int) -> list[Run]:
    """The accesses of so many proposals."""
    from laycalc.atoms.memory.banks import operation
    from laycalc.design.smem.search import search
    from laycalc.design.tasks.smem import stated

    found: list[Run] = []
    proposals = 0
    for line in (ROOT / "tests" / "golden" / "design.jsonl").read_text(encoding="utf-8").splitlines():
        task = json.loads(line)
        if task["kind"] != "smem" or proposals == count:
            continue
        problem = stated(task, read)
        best = search(problem).best
        if best is None or not problem.walks:
            continue
        proposals += 1
        table = best.candidate.layout.values()
        for walk, cost, ideal in zip(problem.walks, best.wavefronts, problem.ideal, strict=True):
            op = operation(walk.op)
            # cp.async from dense rows is foretold as a store of its width.
            kernel = (20 if op.load else 21) if op.matrices else op.bytes + (0 if op.load else 100)
            offsets = []
            for lanes in walk.instructions:
                filled = [-1 if at is None else table[at] * problem.bits // 8 for at in lanes]
                offsets += (filled + [-1] * 32)[:32]
            if op.matrices and -1 in offsets:
                continue  # an instruction of fewer matrices
            found.append(Run(f"{task['id']} {walk.op}", str(best.candidate.layout), kernel, offsets, cost, ideal))
    return found


def program(wanted: list[Run]) -> str:
    """The CUDA program that launches a kernel for each access, in order."""
    lines = [f"  launch<{run.op}>({{{','.join(map(str, run.offsets))}}});" for run in wanted]
    return KERNEL + "int main() {\n" + "\n".join(lines) + "\n}\n"


def measured(wanted: list[Run]) -> list[int]:
    """The wavefronts of each kernel, in order."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "conflicts.cu"), Path(folder, "conflicts")
        source.write_text(program(wanted), encoding="utf-8")
        subprocess.run(["nvcc", "-arch=sm_90", "-O1", "-o", binary, source], check=True)
        words = ["ncu", "--clock-control", "none", "--csv", "--metrics", ",".join(COUNTERS), str(binary)]
        told = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    table = told[told.index('"ID"') :]
    found = [0] * len(wanted)
    for row in csv.DictReader(StringIO(table)):
        found[int(row["ID"])] += int(float(row["Metric Value"].replace(",", "")))
    return found


def main() -> int:
    """Run, compare, tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20, help="proposals that are run")
    wanted = runs(parser.parse_args().count)
    counters = measured(wanted)
    equal = 0
    for run, counter in zip(wanted, counters, strict=True):
        equal += run.wavefronts == counter
        print(f"{run.name:<14} {run.layout:<44} {run.ideal} ideal, {run.wavefronts} foretold, {counter} counted")
    print(f"{equal} of {len(wanted)} accesses as foretold")
    return int(equal < len(wanted))


if __name__ == "__main__":
    sys.exit(main())
