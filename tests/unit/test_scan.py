"""``laycalc scan``: whole files in, values, unread pieces and findings out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from program import laycalc

TRAITS = """
template <int kHeadDim_, int kBlockM_, typename T = half_t>
struct Traits {
  static constexpr int kHeadDim = kHeadDim_;
  static_assert(kHeadDim % 32 == 0);
  static constexpr int kRow = kHeadDim % 64 == 0 ? 64 : 32;
  using Row = Layout<Shape<_8, Int<kRow>>, Stride<Int<kRow>, _1>>;
  using Atom = decltype(composition(Swizzle<kRow == 64 ? 3 : 2, 3, 3>{}, Row{}));
  using SmemLayoutQ = decltype(tile_to_shape(Atom{}, Shape<Int<kBlockM_>, Int<kHeadDim>>{}));
  static constexpr int kBytes = size(SmemLayoutQ{}) * sizeof(T);
};
"""


@pytest.fixture
def traits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "traits.h"
    path.write_text(TRAITS)
    return path


def answer(*arguments: str) -> tuple[int, str, str]:
    return laycalc(*arguments)


def scanned(*arguments: str) -> dict[str, Any]:
    _, out, _ = answer("scan", "--json", *arguments)
    found = json.loads(out)
    assert found["schema"] == 1
    return found["files"][0]


def values(found: dict[str, Any]) -> dict[str, str]:
    return {value["name"]: value["value"] for value in found["values"]}


def test_what_needs_a_name_is_listed_with_it(traits: Path) -> None:
    found = scanned("traits.h")
    reasons = {piece["line"]: piece["reason"] for piece in found["unread"]}
    assert reasons == {7: "needs kHeadDim_", 8: "needs kHeadDim_", 9: "needs kBlockM_, kHeadDim_"}


def test_definitions_bind_parameters_and_members(traits: Path) -> None:
    found = scanned("traits.h", "-D", "kHeadDim=96", "-D", "kBlockM_=64")
    assert values(found)["SmemLayoutQ"] == "Sw<2,3,3> o 0 o ((8,8),(32,3)):((32,256),(1,2048))"
    assert values(found)["kBytes"] == "12288"
    assert not found["unread"]


def test_a_struct_at_its_arguments_is_a_name_of_the_file(traits: Path) -> None:
    code, out, _ = answer("eval", "traits.h:Traits<64, 128>::SmemLayoutQ")
    assert (code, out.strip()) == (0, "Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))")


def test_another_name_of_a_layout_is_listed_where_the_layout_is_not_read(traits: Path) -> None:
    traits.write_text(
        "auto a = make_layout(make_shape(M,N));\nauto b = a;\nusing C = decltype(b);\nauto n = size(a);\n"
    )
    assert [found["text"] for found in scanned("traits.h")["unread"]] == [
        "make_layout(make_shape(M,N))",
        "a",
        "decltype(b)",
    ]


@pytest.mark.parametrize("name", ["Traits", "Other"])
def test_a_struct_that_no_kernel_asks_for_is_listed_at_its_arguments(traits: Path, name: str) -> None:
    """Under any name, its own too; FILE:NAME finds its members."""
    bound = f"{name}=Traits<64,128>"
    assert f"{name}::SmemLayoutQ" in values(scanned("traits.h", "-D", bound))
    code, out, _ = answer("eval", "traits.h:SmemLayoutQ", "-D", bound)
    assert (code, out) == answer("eval", "traits.h:Traits<64, 128>::SmemLayoutQ")[:2]


def test_a_type_parameter_is_bound_to_a_struct_of_the_file(traits: Path) -> None:
    kernel = "template <class K> void kernel() { using Q = typename K::SmemLayoutQ; auto one = Q{}(3, 5); }"
    traits.write_text(TRAITS + kernel)
    found = values(scanned("traits.h", "-D", "K=Traits<64,128>"))
    assert found["Q"] == "Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))"
    assert found["one"] == "221"


def test_a_name_that_nothing_asks_for_is_refused(traits: Path) -> None:
    code, _, err = answer("scan", "traits.h", "-D", "kHeadDimm=64")
    assert code == 2
    assert "kHeadDimm" in err


def test_a_sweep_tells_which_values_are_refused(traits: Path) -> None:
    code, out, err = answer("scan", "traits.h", "-D", "kHeadDim={64,80}", "-D", "kBlockM_=64")
    assert code == 1
    assert "kHeadDim = 64" in out
    assert "80 % 32 = 16" in err


@pytest.mark.parametrize(("form", "mark"), [("github", "::error file=traits.h,line=5"), ("sarif", '"LC501"')])
def test_findings_in_the_formats_of_a_check(traits: Path, form: str, mark: str) -> None:
    code, out, _ = answer("scan", "traits.h", "-D", "kHeadDim=80", "-D", "kBlockM_=64", "--format", form)
    assert code == 1
    assert mark in out


def test_check_scans_too(traits: Path) -> None:
    assert answer("check", "traits.h")[0] == 0
    code, out, _ = answer("check", "--scan", "traits.h", "-D", "kHeadDim=80", "-D", "kBlockM_=64")
    assert code == 1
    assert "80 % 32 = 16" in out


def test_check_gives_types_and_sweeps_to_the_scan_alone(traits: Path) -> None:
    traits.write_text(TRAITS + "// laycalc: assert size(4:1) == n\n")
    code, out, _ = answer("check", "--scan", "traits.h", "-D", "kHeadDim={64,80}", "-D", "T=float", "-D", "n=4")
    assert code == 1
    assert "kHeadDim = 80" in out
    assert "LC102" not in out


def test_a_picture_of_each_layout(traits: Path, tmp_path: Path) -> None:
    answer("scan", "traits.h", "-D", "kHeadDim=64", "-D", "kBlockM_=8", "--draw", "pictures")
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == ["Atom.svg", "Row.svg", "SmemLayoutQ.svg"]


def test_a_name_of_a_file_is_drawn_and_has_banks(traits: Path, tmp_path: Path) -> None:
    given = ("-D", "kHeadDim=64", "-D", "kBlockM_=128")
    assert answer("draw", "traits.h:SmemLayoutQ", *given, "-o", "q.svg")[0] == 0
    assert (tmp_path / "q.svg").exists()
    code, out, _ = answer("banks", "traits.h:SmemLayoutQ", *given, "--bits", "16", "--access", "ldmatrix")
    assert code == 0
    assert "no conflict" in out


def test_broken_code_leaves_the_rest(traits: Path) -> None:
    traits.write_text("using A = Layout<_8>;\nvoid f( { ]] using B = Layout<;\n}}\nusing C = Layout<_4>;\n")
    found = values(scanned("traits.h"))
    assert found["A"] == "8:1"
    assert found["C"] == "4:1"


@pytest.mark.parametrize(
    "text",
    [
        "template <int N> struct A { using X = typename A<N + 1>::X; };\nusing Y = A<0>::X;\n",
        "using A = Layout<" * 3000,
        "constexpr int a = a + 1;\nusing L = Layout<Int<a>>;\n",
        "using A = Layout<" + "Shape<" * 5000 + "_8" + ">" * 5001 + ";\n",
        "{" * 20000,
    ],
)  # fmt: skip
def test_hostile_text_has_an_end(traits: Path, text: str) -> None:
    traits.write_text(text)
    found = scanned("traits.h")
    assert not found["values"]


def test_layouts_that_double_have_an_end(traits: Path) -> None:
    lines = ["auto a0 = Layout<_8>{};", *(f"auto a{i} = make_layout(a{i - 1}, a{i - 1});" for i in range(1, 40))]
    traits.write_text("\n".join(lines))
    found = scanned("traits.h")
    assert len(found["values"]) == 11
    assert "more than 1,024 extents" in found["unread"][0]["reason"]


def test_ten_thousand_definitions(traits: Path) -> None:
    lines = ["constexpr int n0 = 8;", "using L0 = Layout<Shape<Int<n0>, _8>>;"]
    lines += [f"constexpr int n{i} = n{i - 1} + 1; using L{i} = Layout<Shape<Int<n{i}>, _8>>;" for i in range(1, 2000)]
    traits.write_text("\n".join(lines))
    assert values(scanned("traits.h"))["L1999"] == "(2007,8):(1,2007)"


DSL = """
import cutlass.cute as cute
from cutlass import Float16


class Gemm:
    def __init__(self, tile=(128, 64)):
        self.tile = tile
        self.stages = None
        self._setup()

    def _setup(self):
        self.stages = 3
        bM, bK = self.tile
        self.smem = cute.make_layout((bM, bK, self.stages), stride=(bK, 1, bM * bK))

    @cute.jit
    def run(self, mA: cute.Tensor, swap: bool):
        half = self.half(bits=Float16.width)
        gA = cute.local_tile(mA, self.tile, (0, None))
        if swap:
            order = (1, 0)
        else:
            order = (0, 1)
        ordered = cute.make_ordered_layout((8, 8), order=order)

    def half(self, bits):
        return cute.make_layout((bits, 2))
"""


def test_classes_of_python(traits: Path, tmp_path: Path) -> None:
    (tmp_path / "gemm.py").write_text(DSL)
    found = scanned("gemm.py")
    assert values(found)["self.smem"] == "(128,64,3):(64,1,8192)"
    assert values(found)["half"] == "(16,2):(1,16)"
    assert {piece["reason"] for piece in found["unread"]} == {"needs mA", "needs swap"}
    assert values(scanned("gemm.py", "-D", "swap=True"))["ordered"] == "(8,8):(8,1)"
    assert values(scanned("gemm.py", "-D", "tile=(64,32)"))["self.smem"] == "(64,32,3):(32,1,2048)"


ROOT = Path(__file__).parents[2]


def test_the_page_shows_the_kernel_of_the_gallery() -> None:
    page = (ROOT / "docs" / "kernels.md").read_text("utf-8")
    shown = page.split("<<'END'\n", 1)[1].split("\n> END", 1)[0]
    written = (ROOT / "gallery" / "kernels" / "gemm.cuh").read_text("utf-8").rstrip("\n")
    assert "\n".join(line.removeprefix(">").removeprefix(" ") for line in shown.split("\n")) == written


def test_the_kernels_of_the_gallery_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "gallery" / "kernels")
    traits = values(scanned("gemm.cuh", "-D", "Traits=GemmTraits<128,64,64>"))
    assert traits["Traits::SmemLayoutA"] == "Sw<3,3,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))"
    found = scanned("gemm.py")
    assert values(found)["smem_a"] == traits["Traits::SmemLayoutA"]
    assert [piece["reason"] for piece in found["unread"]] == ["needs mA"]


def test_a_store_that_conflicts_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "gallery" / "kernels")
    found = scanned("gemm.cuh", "-D", "Traits=GemmTraits<128,64,64>")
    assert [(finding["code"], finding["line"]) for finding in found["findings"]] == [("LC421", 39)]


def test_a_swizzle_that_reaches_too_far_is_a_finding(traits: Path) -> None:
    traits.write_text("using A = decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}));")
    (finding,) = scanned("traits.h")["findings"]
    assert finding["code"] == "LC423"


TRANSPOSE = """
template <class T, int BM, int BN>
__global__ void transpose(T const* in, int M, int N) {
  auto gIn = make_tensor(make_gmem_ptr(in), make_shape(M, N), make_stride(N, Int<1>{}));
  auto tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, T>{},
                               make_layout(make_shape(Int<32>{}, Int<8>{}), LayoutRight{}),
                               make_layout(make_shape(Int<1>{}, Int<4>{})));
  auto tile = local_tile(gIn, make_shape(Int<BM>{}, Int<BN>{}), make_coord(blockIdx.x, blockIdx.y));
  auto src = tiled.get_thread_slice(threadIdx.x).partition_S(tile);
}
"""


@pytest.fixture
def transpose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "transpose.cu").write_text(TRANSPOSE)


@pytest.mark.usefixtures("transpose")
def test_a_tile_of_a_tensor_of_unknown_extents_is_partitioned() -> None:
    found = values(scanned("transpose.cu", "-D", "T=float", "-D", "BM=32", "-D", "BN=32"))
    assert found["src"] == "{0} o ((4,1),1,1):((1,0),0,0)"


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("eval", "gIn"), 0, "{0} o (M,N):(N,1)"),
        (("draw", "gIn"), 2, "needs the values of its extents"),
        (("info", "tile"), 2, "depends on BM, BN, M, N; -D gives names their values"),
        (("eval", "T"), 2, "T is a parameter of transpose.cu"),
        (("eval", "gin"), 2, "transpose.cu has no gin; it has gIn"),
        (("eval", "til"), 2, "it has tile"),
        (("eval", "nothing"), 2, "transpose.cu has no nothing; it has gIn, tiled, tile, src"),
    ],
)
@pytest.mark.usefixtures("transpose")
def test_a_name_of_a_file_has_its_value_or_the_reason_why_not(words: tuple[str, str], code: int, told: str) -> None:
    command, name = words
    done = answer(command, f"transpose.cu:{name}")
    assert done[0] == code
    assert told in done[1] + done[2]


def test_a_definition_may_have_keywords_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernel.py").write_text("import cutlass.cute as cute\ndef f(base):\n    tiled = cute.coalesce(base)\n")
    found = values(scanned("kernel.py", "-D", "base=cute.make_layout((4, 8), stride=(1, 4))"))
    assert found["tiled"] == "32:1"


NARROW = """
struct T {
  using TiledMma = TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2, _2, _1>>, Tile<_32, _32, _16>>;
  using SmemLayoutA = Layout<Shape<_80, _64>, Stride<_64, _1>>;
  using SmemLayoutB = Layout<Shape<_64, _64>, Stride<_64, _1>>;
  using GmemCopyA = decltype(make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint64_t>, half_t>{},
      Layout<Shape<_8, _16>, Stride<_16, _1>>{}, Layout<Shape<_1, _4>>{}));
};
__global__ void f(half_t* p) {
  auto store = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
      Layout<Shape<_32, _4>>{}, Layout<Shape<_1, _8>>{}).get_slice(0);
  Tensor gC = make_tensor(make_gmem_ptr(p), Layout<Shape<_32, _32>>{});
  Tensor tCgC = store.partition_D(gC);
  Tensor gD = make_tensor(make_gmem_ptr(p), Layout<Shape<_32, _32>, Stride<_32, _1>>{});
  Tensor tDgD = store.partition_D(gD);
}
"""


def test_narrow_vectors_and_tiles_that_do_not_fit_are_findings(traits: Path) -> None:
    traits.write_text(NARROW)
    told = [(f["code"], f["line"], f["message"]) for f in scanned("traits.h")["findings"]]
    assert [(code, line) for code, line, _ in told] == [("LC424", 4), ("LC422", 6), ("LC422", 13)]
    assert told[0][2].startswith("mode 0 of its tile 80x64 is no multiple of 32: TiledMma takes A in tiles of 32x16")
    assert "moves 64 bits" in told[1][2] and "a thread has 64 bits of the tile, no more" in told[1][2]
    assert "moves 128 bits, but only 16 bits" in told[2][2] and "assumed to be aligned" in told[2][2]


DSL_NARROW = """
import cutlass.cute as cute
from cutlass import Float16, Float32
from cutlass.cute.nvgpu import cpasync, warp
def kernel():
    op = warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))
    mma = cute.make_tiled_mma(op, (2, 2, 1), permutation_mnk=(32, 32, 16))
    sA_layout = cute.make_layout((64, 40), stride=(40, 1))
    sB_layout = cute.make_layout((64, 48), stride=(48, 1))
    simple = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float16, num_bits_per_copy=32)
    threads = cute.make_layout((8, 16), stride=(16, 1))
    smem_copy_b = cute.make_tiled_copy_tv(simple, threads, cute.make_layout((6, 8), stride=(8, 1)))
    other = cute.make_tiled_copy_tv(simple, threads, cute.make_layout((6, 8), stride=(8, 1)))
"""


def test_a_kernel_of_the_dsl_is_told_of_narrow_vectors_and_tiles(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(DSL_NARROW)
    told = [(f["code"], f["line"], f["message"]) for f in scanned(str(path))["findings"]]
    assert [(code, line) for code, line, _ in told] == [("LC424", 8), ("LC422", 12), ("LC424", 12)]
    assert "moves 32 bits" in told[1][2] and "as its name says" in told[1][2] and "has 768 bits" in told[1][2]
    assert "mode 0 of its tile 48x128 is no multiple of 32" in told[2][2]
