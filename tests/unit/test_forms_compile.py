"""C++ that we write compiles, and the compiler computes the same values: many layouts in one translation unit."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import pytest

from laycalc.algebra.values.htuple import flatten, map_leaves
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.grammar.forms import read_any, write
from laycalc.grammar.run.statements import evaluate

SHAPES = [4, (4, 8), (2, (3, 4)), ((2, 2), (4, 2)), (1, 8), ((4,), 3), (5, (1, 2), 3)]

PRELUDE = """
#include <cute/tensor.hpp>
#include <cute/swizzle_layout.hpp>
using namespace cute;
template <class L, int... V> constexpr bool same(L const& l, seq<V...>) {
  int i = 0; bool ok = int(size(l)) == int(sizeof...(V));
  ((ok = ok && int(l(i++)) == V), ...);
  return ok;
}
template <int K, class T> constexpr int axis(T const& t) {
  if constexpr (is_tuple<T>::value) {
    if constexpr (K < int(tuple_size<T>::value)) { return int(get<K>(t)); } else { return 0; }
  } else { return int(t); }
}
template <int K, class T, int N> constexpr int axis(ScaledBasis<T, N> const& t) { return N == K ? int(t.value()) : 0; }
template <int K, class L, int... V> constexpr bool axes(L const& l, seq<V...>) {
  int i = 0; bool ok = true;
  ((ok = ok && axis<K>(l(i++)) == V), ...);
  return ok;
}
"""


def includes() -> list[Path]:
    """Directories of the CuTe and CUDA headers; skips with the reason where one is missing."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    try:
        headers = [f for f in files("nvidia-cutlass") or () if str(f).endswith("include/cute/layout.hpp")]
    except PackageNotFoundError:
        pytest.skip("the package nvidia-cutlass is not installed: its headers are needed")
    if not headers:
        pytest.skip("nvidia-cutlass is installed without the headers of CuTe")
    cute = Path(str(headers[0].locate())).parent.parent
    cuda = [
        d
        for d in cuda_directories()
        if (d / "cuda_runtime_api.h").exists() or (d / "cuda" / "std" / "utility").exists()
    ]
    if not any((d / "cuda_runtime_api.h").exists() for d in cuda):
        pytest.skip("no headers of CUDA: neither nvcc nor CUDA_HOME nor the package nvidia-cuda-runtime says where")
    return [cute, *cuda]


def cuda_directories() -> Iterator[Path]:
    """Where CUDA's headers may be: what nvcc uses, CUDA_HOME, the wheels of NVIDIA."""
    if (nvcc := shutil.which("nvcc")) is not None:
        dry = subprocess.run(
            [nvcc, "--dryrun", "-E", "-x", "cu", os.devnull], capture_output=True, text=True, check=False
        )
        for found in re.findall(r'"-I([^"]+)"', dry.stderr):
            yield Path(found)
            yield Path(found) / "cccl"
        for found in re.findall(r"TOP=(\S+)", dry.stderr):
            yield Path(found) / "include"
            yield Path(found) / "include" / "cccl"
    if home := os.environ.get("CUDA_HOME"):
        yield Path(home) / "include"
        yield Path(home) / "include" / "cccl"
    for package in ("nvidia-cuda-runtime", "nvidia-cuda-runtime-cu12", "nvidia-cuda-cccl", "nvidia-cuda-cccl-cu12"):
        try:
            listed = files(package) or []
        except PackageNotFoundError:
            continue
        for f in listed:
            if str(f).endswith(("include/cuda_runtime_api.h", "cuda/std/utility")):
                depth = 1 if str(f).endswith(".h") else 3
                yield Path(str(f.locate())).parents[depth - 1]


def integers(generator: random.Random, shape: Any) -> Layout:
    strides = iter([generator.choice([0, 1, 2, 3, 5, 8, 12, 16, -1, -4]) for _ in flatten(shape)])
    return Layout(shape, map_leaves(lambda _: next(strides), shape))


def coordinates(generator: random.Random, shape: Any) -> Layout:
    strides = iter(
        [Coordinate.of([((generator.randrange(2),), generator.choice([1, 2, 4, -3]))]) for _ in flatten(shape)]
    )
    return Layout(shape, map_leaves(lambda _: next(strides), shape))


def samples() -> list[Any]:
    generator = random.Random(7)
    plain = [integers(generator, shape) for shape in SHAPES for _ in range(3)]
    swizzled = [
        Composed(Swizzle(*s), offset, Layout((4, 8), (8, 1)))
        for s in ((2, 0, 2), (1, 1, 3), (2, 1, -2))
        for offset in (0, 3)
    ]
    shifted = [Tensor(5, layout) for layout in plain[:4]]
    return [*plain, *swizzled, *shifted]


def assertions() -> Iterator[str]:
    """One static_assert a layout and spelling: the values are those of the language."""
    for value in samples():
        numbers = ",".join(map(str, value.values()))
        texts = (
            [write(value, "cpp-call")] if isinstance(value, Tensor) else [write(value, "cpp"), write(value, "cpp-call")]
        )
        for text in texts:
            assert evaluate(read_any(text, "cpp").expression).values() == value.values()
            yield f"static_assert(same({text}, seq<{numbers}>{{}}), {str(value)!r});".replace("'", '"')
    generator = random.Random(11)
    for layout in (coordinates(generator, shape) for shape in SHAPES for _ in range(2)):
        for text in (write(layout, "cpp"), write(layout, "cpp-call")):
            for k in (0, 1):
                numbers = ",".join(str(v.axis((k,)) if isinstance(v, Coordinate) else 0) for v in layout.elements())
                yield f'static_assert(axes<{k}>({text}, seq<{numbers}>{{}}), "{layout}");'
    shifted = evaluate("{(3,5)} o (4,8):(e1,2e0)")
    for k in (0, 1):
        numbers = ",".join(str(v.axis((k,))) for v in shifted.elements())
        yield f'static_assert(axes<{k}>({write(shifted, "cpp")}, seq<{numbers}>{{}}), "{shifted}");'
    tiler = evaluate("<4, (2,4):(1,8), _>")
    yield f"using T0 = decltype({write(tiler, 'cpp')});"
    yield 'static_assert(is_same<T0, Tile<_4, Layout<Shape<_2,_4>,Stride<_1,_8>>, Underscore>>::value, "tiler");'
    yield f"constexpr auto t1 = {write(tiler, 'cpp-call')};"


KERNELS = """
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/copy_atom.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>
"""

TILINGS = {
    'tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), (32,32,16))': ("A", "B", "C"),
    'tiled_mma("SM80_16x8x16_F32BF16BF16F32_TN", (2,1,1):(1,0,0), <32,(8,2):(1,8),_>)': ("A", "B", "C"),
    'tiled_mma("SM90_64x8x16_F32F16F16_SS", (2,1,1))': ("C",),
    'tiled_mma("UniversalFMA_F32", (4,4,1):(4,1,0))': ("A", "B", "C"),
    'tiled_copy("SM75_U32x4_LDSM_N", (8,4):(4,1), (2,4):(4,1), 16)': ("S", "D"),
    'tiled_copy("SM80_CP_ASYNC_CACHEGLOBAL_16B", (16,8):(8,1), (1,8), 16)': ("S", "D"),
    'tiled_copy("UniversalCopy_128b", (32,2), (4,1), 32)': ("S", "D"),
}
"""Tilings, and the operands whose thread-value layouts are compared."""


def tilings() -> Iterator[str]:
    """One static_assert a tiling, spelling and operand."""
    for text, operands in TILINGS.items():
        value = evaluate(text)
        for written in (write(value, "cpp"), write(value, "cpp-call")):
            for operand in operands:
                numbers = ",".join(map(str, getattr(value, operand).values()))
                yield f"static_assert(same(decltype({written}){{}}.get_layout{operand}_TV(), seq<{numbers}>{{}}));"


def test_what_we_write_compiles_and_has_the_same_values(tmp_path: Path) -> None:
    compiles(tmp_path, PRELUDE, assertions())


def test_the_tilings_that_we_write_compile_and_have_the_same_layouts(tmp_path: Path) -> None:
    compiles(tmp_path, PRELUDE + KERNELS, tilings())


def compiles(tmp_path: Path, prelude: str, lines: Iterator[str]) -> None:
    """All assertions in one translation unit."""
    directories = includes()
    source = tmp_path / "layouts.cpp"
    source.write_text(prelude + "\n".join(lines) + "\nint main() { return 0; }\n", encoding="utf-8")
    options = [f"-isystem{d}" for d in directories]
    done = subprocess.run(
        ["g++", "-std=c++17", "-fsyntax-only", "-w", "-fmax-errors=5", *options, str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:4000]
