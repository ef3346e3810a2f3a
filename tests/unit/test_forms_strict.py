"""Readers account for all that they are given: one keyword, argument, attribute, qualifier or constraint more fails."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import read_any
from laycalc.grammar.forms.triton.fields import SIGNATURES

# Texts that are read, by form, and the shape that they need.
PYTHON = [
    ("torch", "torch.empty(4, 6, 8)"),
    ("torch", "torch.zeros((4, 6)).t()"),
    ("torch", "torch.empty_strided((4, 6), (6, 1)).transpose(0, 1).contiguous()"),
    ("torch", "torch.full((4, 6), 1.0).permute(1, 0).clone()"),
    ("torch", "torch.movedim(torch.arange(24).view(2, 3, 4), 0, 2)"),
    ("torch", "torch.empty(4, 6).diagonal().unsqueeze(0).expand(3, 4)"),
    ("torch", "torch.empty(4, 6).narrow(0, 1, 2).select(1, 2)"),
    ("torch", "torch.empty(2, 3, 4).flatten(1).unflatten(1, (3, 4)).squeeze()"),
    ("torch", "torch.as_strided(x, (4, 8), (8, 1))"),
    ("torch", "torch.empty(8, 8).to(torch.float16).half().cuda().flip(0).repeat(2, 1)"),
    ("torch", "torch.empty_like(torch.empty(4, 8)).new_zeros(3, 4).detach()"),
    ("torch", "torch.empty(8).unfold(0, 2, 1).split(2)[0].chunk(1)[0].unbind(1)[0]"),
    ("torch", "assert_size_stride(arg0_1, (64, 128), (128, 1))"),
    ("torch", "reinterpret_tensor(buf0, (8, 16, 4), (64, 1, 16), 32)"),
    ("torch", "empty_strided_cuda((64, 32), (1, 64), torch.float32)"),
    ("torch", "FixedLayout('cuda:0', torch.float32, size=[8, 64], stride=[64, 1])"),
    ("torch", "_MeshLayout.from_sizes_strides((2, 4), (4, 1))"),
    ("numpy", "np.zeros((4, 8))"),
    ("numpy", "np.full((4, 8), 1, order='F').transpose(1, 0)"),
    ("numpy", "np.ndarray((4, 6), dtype=np.int16, buffer=b, offset=10, strides=(12, 2))"),
    ("numpy", "np.lib.stride_tricks.as_strided(np.zeros(64), shape=(4, 8), strides=(64, 8))"),
    ("numpy", "np.lib.stride_tricks.sliding_window_view(np.zeros((10,)), 3)"),
    ("numpy", "np.moveaxis(np.swapaxes(np.zeros((2, 3, 4)), 0, 2), 0, 1)"),
    ("numpy", "np.broadcast_to(np.expand_dims(np.arange(4), 0), (3, 4))"),
    ("numpy", "np.rot90(np.flip(np.zeros((4, 6)), 0)).copy().astype(np.float32).view(np.int32)"),
    ("numpy", "np.ascontiguousarray(np.zeros((4, 6)).T).reshape(3, 8).ravel().squeeze()"),
    ("tilelang", "Layout([4, 4], lambda i, j: (j, i)).repeat(0, 2).expand([3])"),
    ("tilelang", "Fragment([16], forward_fn=lambda i: (i, 0)).repeat([2]).replicate(2)"),
    ("tilelang", "make_full_bank_swizzled_layout(T.Buffer((8, 64), 'float16'))"),
    ("lego", "OrderBy(Row(4, 4)).OrderBy(RegP([2, 8], [1, 0])).GroupBy([(4, 4)])"),
    ("lego", "OrderBy(GenP([4, 4], lambda x: x[0] * 4 + x[1], None), Col(2, 2)).TileBy([4, 4], [2, 2])"),
    ("triton", "SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8, order=[1, 0])"),
    ("triton", "gl.SliceLayout(1, gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0]))"),
    ("triton", "gl.DotOperandLayout(0, gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8]), 2)"),
    ("triton", "DistributedLinearLayout([[0, 1]], [[1, 0], [2, 0]], [], [], [4, 2])"),
    ("triton", "NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)"),
    ("triton", "SharedLinearLayout(offset_bases=[[0, 1], [1, 0]])"),
    ("triton", "PaddedSharedLayout([[2, 1]], [[0, 1], [1, 0]], [], [2, 2])"),
    ("triton", "PaddedSharedLayout.with_identity_for([[2, 1]], [2, 2], [1, 0])"),
    ("triton", "AMDWMMALayout(2, False, [[0, 1], [1, 0]])"),
    ("triton", "AMDMFMALayout(3, [32, 32, 8], False, [2, 2])"),
    ("triton", "TensorMemoryLayout((128, 64), 1)"),
]
SHAPES = {"gl.SliceLayout": (64,), "TensorMemoryLayout": (128, 64)}


def shape_of(form: str, text: str) -> tuple[int, ...] | None:
    if form != "triton" or text.startswith(("DistributedLinear", "SharedLinear", "Padded")):
        return None
    return next((s for head, s in SHAPES.items() if text.startswith(head)), (64, 64))


def calls(text: str) -> Iterator[tuple[int, bool]]:
    """Where the argument list of every call ends, and whether it is empty."""
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.Call):
            assert node.end_col_offset is not None
            yield node.end_col_offset - 1, not node.args and not node.keywords


def refused(text: str, form: str, shape: tuple[int, ...] | None = None) -> None:
    with pytest.raises(Failure) as caught:
        read_any(text, form, shape)
    assert caught.value.diagnostic.code in ("LC101", "LC103"), text


@pytest.mark.parametrize(("form", "text"), PYTHON, ids=[text for _, text in PYTHON])
def test_a_call_takes_no_further_keyword(form: str, text: str) -> None:
    shape = shape_of(form, text)
    read_any(text, form, shape)
    for end, empty in calls(text):
        wrong = f"{text[:end]}{'' if empty else ', '}colour=3{text[end:]}"
        with pytest.raises(Failure) as caught:
            read_any(wrong, form, shape)
        assert caught.value.diagnostic.code == "LC103", wrong
        assert "colour" in caught.value.diagnostic.message, wrong


# What collects arguments by position has no number of them that is too many.
VARIADIC = re.compile(
    r"(?:empty|zeros|ones|permute|transpose|view|reshape|expand|repeat|new_zeros|Row|Col|OrderBy|GroupBy|TileBy)$"
)


@pytest.mark.parametrize(("form", "text"), PYTHON, ids=[text for _, text in PYTHON])
def test_a_call_takes_no_further_argument(form: str, text: str) -> None:
    for node in ast.walk(ast.parse(text, mode="eval")):
        if not isinstance(node, ast.Call) or VARIADIC.search(ast.unparse(node.func)):
            continue
        assert node.end_col_offset is not None
        # Behind the arguments by position, in front of those by name.
        end = node.keywords[0].col_offset if node.keywords else node.end_col_offset - 1
        many = ", ".join(["None"] * 9)
        before = ", " if node.args and not node.keywords else ""
        refused(f"{text[:end]}{before}{many}{', ' if node.keywords else ''}{text[end:]}", form, shape_of(form, text))


@pytest.mark.parametrize(("form", "text"), PYTHON, ids=[text for _, text in PYTHON])
def test_nothing_unknown_follows_or_precedes(form: str, text: str) -> None:
    shape = shape_of(form, text)
    for wrong in (f"{text}.colour()", f"{text}.colour", f"{text} colour", f"{text}, 3", f"colour {text}"):
        refused(wrong, form, shape)


ENCODINGS = {
    "blocked": "sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]",
    "slice": "dim = 2, parent = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [8, 4, 1], "
    "warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>",
    "nvidia_mma": "versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]",
    "mma": "versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]",
    "dot_op": "opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], "
    "instrShape = [16, 8]}>, kWidth = 2",
    "amd_mfma": "version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = false",
    "amd_wmma": "version = 2, isTranspose = false, ctaLayout = {warp = [[0, 1], [1, 0]]}",
    "linear": "register = [[0, 1]], lane = [[1, 0]], warp = [], block = []",
    "swizzled_shared": "vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]",
    "shared": "vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = false",
    "amd_rotating_shared": "vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]",
    "nvmma_shared": "swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16",
    "shared_linear": "offset = [[0, 1], [1, 0]]",
    "padded_shared": "order = [1, 0], shape = [64, 64]",
    "tensor_memory_encoding": "blockM = 64, blockN = 64, colStride = 1",
}


def encoding(kind: str, fields: str) -> str:
    intervals = "[128:+4] " if kind == "padded_shared" else ""
    dialect = "ttng" if kind.startswith("tensor_memory") else "ttg"
    return f"#{dialect}.{kind}<{intervals}{{{fields}}}>"


def test_every_encoding_is_tried() -> None:
    assert set(ENCODINGS) == set(SIGNATURES)


@pytest.mark.parametrize("kind", ENCODINGS)
def test_an_encoding_has_no_further_attribute(kind: str) -> None:
    shape = None if kind in ("linear", "shared_linear") else (64, 64)
    good = encoding(kind, ENCODINGS[kind])
    read_any(good, "triton", shape)
    for place in (m.end() for m in re.finditer(r"\{", good)):
        wrong = f"{good[:place]}colour = 3, {good[place:]}"
        with pytest.raises(Failure) as caught:
            read_any(wrong, "triton", shape)
        assert "colour" in caught.value.diagnostic.message
    refused(good.replace("{", "{colour, ", 1), "triton", shape)
    refused(f"{good} colour", "triton", shape)
    refused(f"{good}\ncolour", "triton", shape)
    refused(encoding(kind, f"{ENCODINGS[kind]}, {ENCODINGS[kind].split(', ')[0]}"), "triton", shape)


def distribution(replicas: str = "sequence<>", buffer: str = "sequence<1>, sequence<1>", further: str = "") -> str:
    dims = "tuple<sequence<4, 8>>, tuple<sequence<1>>, tuple<sequence<0>>"
    return f"tile_distribution_encoding<{replicas}, {dims}, {buffer}{further}>"


def test_a_distribution_that_is_whole_is_read() -> None:
    assert read_any(distribution(), "ck").expression == "(4,8):(8e0,e0)"


@pytest.mark.parametrize(
    ("text", "form", "shape"),
    [
        ("!ttg.memdesc<64x64xf16, #ttg.shared<{FIELDS}>, #smem, mutable, colour>", "triton", None),
        ("!ttg.memdesc<64x64xf16, #ttg.shared<{FIELDS}>, #smem, mutable, 128x64>", "triton", None),
        ("tensor<64x64xf16, #ttg.swizzled_shared<{FIELDS}>, mutable>", "triton", None),
        ("tensor<64x64xf16, #ttg.swizzled_shared<{FIELDS}>>", "triton", (64, 128)),
        ("#ttg.swizzled_shared<{FIELDS, CGALayout = [[1, 0]]}>", "triton", (64, 64)),
        ("#ttg.colour<{FIELDS}>", "triton", (64, 64)),
        (" - register=1 -> (1)\n - colour=1 -> (2)\nwhere out dims are: [dim0 (size 4)]", "triton", None),
        (" - register=1 -> (1)\n register=4 -> (2)\nwhere out dims are: [dim0 (size 4)]", "triton", None),
        (" - register=1 -> (1)\ncolour\nwhere out dims are: [dim0 (size 2)]", "triton", None),
        (distribution(further=", sequence<1>"), "ck", None),
        (distribution() + " colour", "ck", None),
        (distribution(buffer="sequence<>, sequence<>"), "ck", None),
        (distribution(buffer="sequence<1, 1>, sequence<1, 1>"), "ck", None),
        (distribution(buffer="sequence<1>, sequence<1, 0>"), "ck", None),
        (distribution(replicas="sequence<2>"), "ck", None),
        ("f32[64,256]{1,0:T(8,128)Q(3)}", "xla", None),
        ("f32[64,256]{1,0:T(8,128)T(2)}", "xla", None),
        ("f32[64,256]{1,0:T(8,128)SC(0:1)}", "xla", None),
        ("f32[64,256]{1,0:D(C,C)}", "xla", None),
        ("f32[64,256]{1,0,2}", "xla", None),
        ("f32[64,256]{1,0:colour}", "xla", None),
        ("f32[64,256]{1,0} colour", "xla", None),
        ("f32[64,<=<=256]{1,0}", "xla", None),
        ("Layout((8, 4) -> (32,), transform: (_i, _j) -> (_i * 4 + _j,), colour: 3)", "tilelang", None),
        ("Layout((8, 4) -> (32,), transform: (_i, _j) -> (_i * 4 + _j,)) colour", "tilelang", None),
        ("Layout((8, 4) -> (16,), transform: (_i, _j) -> (_i * 4 + _j,))", "tilelang", None),
        ("Fragment((8,) -> (1,), replicate: 1, forward_thread: _i, forward_index: (0,), colour: 3)", "tilelang", None),
        ("Layout([4, 4], lambda i, j=2: (j, i))", "tilelang", None),
        ("Layout([4, 4], lambda i, *j: (i, i))", "tilelang", None),
        ("Fragment([16], forward_fn=lambda i: (i, 0), forward_index_fn=lambda i: 0)", "tilelang", None),
        ("Fragment([16], forward_thread_fn=lambda i: i // 4)", "tilelang", None),
        ("{ [i] -> [i] : 0 <= i < 8 and colour(i) < 3 }", "isl", None),
        ("{ [i] -> [i] : 0 <= i < 8 and not i = 3 }", "isl", None),
        ("{ [i] -> [i] : 0 <= i < 8 or i = 9 }", "isl", None),
        ("{ [i] -> [i] : 0 <= i < 8; [j] -> [j] : 0 <= j < 2 }", "isl", None),
        ("{ [i] -> [i] : 0 <= i < 8 } colour", "isl", None),
        ("{ [i] -> [i + k] : 0 <= i < 8 }", "isl", None),
        ("{ [i] -> [i] : 0 <= i < 8 and k = 3 }", "isl", None),
        ("[N] -> { [i] -> [i] : 0 <= i < N and N mod 4 = 0 }", "isl", None),
        ("[N] -> { [i] -> [i] : 0 <= i < N and N >= 8 }", "isl", None),
        ("[N] -> { [i] -> [i] : 0 <= i < N and i < 8 }", "isl", None),
        ("[N] -> { [i] -> [i] : 0 <= i < N and i mod 2 = 0 }", "isl", None),
        ("[5/2,6/4] colour", "helayers", None),
        ("[5/2,6~~/4]", "helayers", None),
        ("[5/2,*~/4]", "helayers", None),
        ("[5/2,6/4/2]", "helayers", None),
        ("A:[(4,8):(1,4)].fp32.GL.colour", "graphene", None),
        ("A:[(4,8):(1,4)].colour", "graphene", None),
        ("A:[(4,8):(1,4)]:[(1,2)]", "graphene", None),
        ("memref<4x8xf32, strided<[8, 1], offset: 16, colour: 3>>", "memref", None),
        ("memref<4x8xf32, colour>", "memref", None),
        ("memref<4x8xf32, strided<[8, 1]>, 3, 4>", "memref", None),
        ("memref<4x8xf32, strided<[8, 1, 1]>>", "memref", None),
        ("memref<*xf32>", "memref", None),
        ("size=(4, 8), stride=(8, 1), colour=3", "torch", None),
        ("size=(4, 8), stride=(8, 1), stride=(1, 4)", "torch", None),
        ("size=(4, 8), stride=(8, 1) colour", "torch", None),
        ("{'shape': (2, 3), 'strides': (24, 8), 'typestr': '<i8', 'colour': 3}", "numpy", None),
        ("shape=(3, 4) strides=(32, 8) itemsize=8 dtype=float32", "numpy", None),
        ("torch.Size([2, 3]) (3, 1) 0 7", "torch", None),
        ("f32[8, 64][64, 1]cuda:0 colour", "torch", None),
        ("torch.zeros(8)[::-1]", "torch", None),
        ("torch.zeros(8)[[1, 2]]", "torch", None),
        ("np.zeros((4, 8))[1, 2, 3]", "numpy", None),
        ("np.zeros(4, dtype='f4').strides -> (8,)", "numpy", None),
    ],
)  # fmt: skip
def test_what_a_reader_does_not_know_is_refused(text: str, form: str, shape: tuple[int, ...] | None) -> None:
    refused(text.replace("FIELDS", ENCODINGS["swizzled_shared"]), form, shape)


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("{ [i] -> [i] : 0 <= i and 3i <= 21 }", "8:1"),
        ("{ [i] -> [i] : 0 <= i < 16 and floor(i/2) <= 3 }", "8:1"),
        ("{ [i] -> [i] : 0 <= i < 16 and i <= 7 and i < 12 }", "8:1"),
        ("{ [i,j] -> [i + 8j] : 0 <= i, j < 8 and i + j < 100 }", "(8,8):(1,8)"),
        ("[N] -> { [i] -> [i] : 0 <= i < N and N > 0 }", "N:1"),
        ("{ [i] -> [o] : 0 <= i < 12 and 4o <= i < 4o + 4 }", "(4,3):(0,1)"),
        ("f32[4]{0:T(3)(2)}", "(3,2):(1,4)"),
        ("f32[6,4]{1,0:T(3)(2)}", "(6,(3,2)):(8,(1,4))"),
        ("f32[8]{0:T(4)L(8)E(4)S(5)}", "8:1"),
        ("torch.empty_strided((4,6),(6,1)).t()", "(6,4):(1,6)"),
        ("torch.as_strided(x, (4,6), (6,1)).t()", "(6,4):(1,6)"),
        ("reinterpret_tensor(buf0, (8, 16, 4), (64, 1, 16), 32).permute(1, 0, 2)", "{32} o (16,8,4):(1,64,16)"),
        ("torch.empty(2,8,4,5).contiguous(memory_format=torch.channels_last)", "(2,8,4,5):(160,1,40,8)"),
        ("torch.empty(64)[8:].as_strided((3, 3), (2, 1))", "{8} o (3,3):(2,1)"),
        ("FixedLayout('cpu', torch.float32, size=[8, 64], stride=[64, 1], offset=7)", "{7} o (8,64):(64,1)"),
        ('np.zeros((4, 8), order="F")', "(4,8):(1,4)"),
        ("np.zeros((2, 4, 6)).mT", "(2,6,4):(24,1,6)"),
        ("np.ndarray((4, 6), strides=(48, 8))", "(4,6):(6,1)"),
        ("np.zeros((4, 8)).astype(np.float32).T", "(8,4):(1,8)"),
        ("np.zeros((4, 8))[:, ::-1]", "{7} o (4,8):(8,-1)"),
        ("np.zeros((4, 6))[1, 2]", "{8} o 1:0"),
        ("(64, 32) strides (4, 256) float32", "(64,32):(1,64)"),
        ('arg0_1: "f16[128, 64][64, 1]cuda:0"', "(128,64):(64,1)"),
        ("x.size() = torch.Size([4, 8]), x.stride() = (8, 1)", "(4,8):(8,1)"),
        ("torch.empty(4, 64 * 2 // 4)", "(4,32):(32,1)"),
        ("assert_size_stride(arg0_1, (s0, 128), (128, 1))", "(s0,128):(128,1)"),
    ],
)
def test_all_that_a_text_says_counts(text: str, expression: str) -> None:
    assert read_any(text).expression == expression


def test_several_encodings_are_kept_by_name() -> None:
    blocked = f"#b = {encoding('blocked', ENCODINGS['blocked'])}"
    mma = f"#m = {encoding('nvidia_mma', ENCODINGS['nvidia_mma'])}"
    line = "%1 = ttg.convert_layout %0 : tensor<64x64xf16, #b> -> tensor<64x64xf16, #m>"
    reading = read_any(f"{blocked}\n{mma}\n{line}")
    assert [name for name, _ in reading.named] == ["tensor<64x64xf16, #b>", "tensor<64x64xf16, #m>"]
    partly = read_any(f"{blocked}\n{line}")
    assert any("#m is defined nowhere" in note for note in partly.notes)
    with pytest.raises(Failure) as caught:
        read_any(line)
    assert "#b is defined nowhere" in caught.value.diagnostic.message


def test_buffers_of_a_pipeline_are_the_slowest_dimension() -> None:
    def read(kind: str, dims: str) -> str:
        return read_any(
            f"#s = {encoding(kind, ENCODINGS[kind])}\n!ttg.memdesc<{dims}xf16, #s, #smem, mutable>"
        ).expression

    assert read("swizzled_shared", "3x128x64") == "Sw<3,3,3> o 0 o (3,128,64):(8192,64,1)"
    assert read("nvmma_shared", "3x64x128") == "Sw<3,3,3> o 0 o (3,64,(64,2)):(8192,64,(1,4096))"


def test_strides_of_numpy_need_the_size_of_an_element() -> None:
    for text in ("shape=(3, 4) strides=(32, 8)", "np.lib.stride_tricks.as_strided(x, shape=(4, 4), strides=(8, 4))"):
        with pytest.raises(Failure) as caught:
            read_any(text)
        assert caught.value.diagnostic.code == "LC106"


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("torch", "torch.empty(1099511627776).unbind(0)[0]"),
        ("torch", "torch.empty(1099511627776).split(1)[0]"),
        ("isl", "{ [i] -> [o] : 0 <= i < 4096 and exists (e, f : 0 <= e < 100 and 0 <= f < 100 and o = e + f + i) }"),
    ],
)
def test_work_has_a_limit(form: str, text: str) -> None:
    with pytest.raises(Failure) as caught:
        read_any(text, form)
    assert caught.value.diagnostic.code in ("LC103", "LC104")
