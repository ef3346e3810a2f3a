"""Other systems where they are installed: our reading of what they print is what they compute, at every index.

Run with ``pytest -m peers``; each test says which package it lacks.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import read_any, write
from laycalc.grammar.run.statements import evaluate

pytestmark = pytest.mark.peers


# ---- Triton ----

# The builder does not keep its context alive.
_ALIVE: list[Any] = []


@pytest.fixture(scope="module")
def triton() -> Any:
    """(builder, layout classes) of Gluon, whose C++ computes linear layouts without a GPU."""
    pytest.importorskip("triton", reason="triton is not installed: its linear layouts are not compared")
    from triton._C.libtriton import gluon_ir, ir
    from triton.experimental.gluon.language import _layouts

    context = ir.context()
    ir.load_dialects(context)
    builder = gluon_ir.GluonOpBuilder(context)
    _ALIVE.append(context)
    return builder, _layouts


def power(generator: random.Random, low: int, high: int) -> int:
    return 1 << generator.randint(low, high)


def split(generator: random.Random, bits: int, rank: int) -> list[int]:
    """Powers of two with a product of 2^bits."""
    found = [0] * rank
    for _ in range(bits):
        found[generator.randrange(rank)] += 1
    return [1 << b for b in found]


def order(generator: random.Random, rank: int) -> list[int]:
    return generator.sample(range(rank), rank)


def distributed(generator: random.Random, classes: Any, kind: str) -> tuple[Any, list[int]]:
    """A random layout of Gluon and the shape of its tensor."""
    rank = generator.choice([1, 2, 2, 3]) if kind in ("blocked", "cga") else 2
    shape = [power(generator, 0, 7) for _ in range(rank)]
    if kind == "blocked":
        tables = [split(generator, n, rank) for n in (generator.randint(0, 4), 5, 2)]
        return classes.BlockedLayout(*tables, order(generator, rank)), shape
    if kind == "cga":
        shape = [power(generator, 3, 7) for _ in range(rank)]
        axis = generator.randrange(rank)
        tables = [split(generator, n, rank) for n in (2, 5, 2)]
        basis = [int(k == axis) for k in range(rank)]
        return classes.BlockedLayout(*tables, order(generator, rank), [basis]), shape
    if kind == "slice":
        parent, shape = distributed(generator, classes, generator.choice(["blocked", "mma"]))
        rank = len(shape)
        if rank == 1:
            return distributed(generator, classes, kind)
        dim = generator.randrange(rank)
        return classes.SliceLayout(dim, parent), shape[:dim] + shape[dim + 1 :]
    shape = [power(generator, 3, 8), power(generator, 3, 8)]
    if kind == "mma":
        version = generator.choice([2, 3])
        warps = split(generator, 2, 2) if version == 2 else [4, generator.choice([1, 2])]
        instruction = [16, 8] if version == 2 else [16, power(generator, 3, 8), 16]
        return classes.NVMMADistributedLayout([version, 0], warps, instruction), shape
    if kind == "mfma":
        size = generator.choice([[32, 32, 8], [16, 16, 16]])
        from triton.experimental.gluon.language.amd._layouts import AMDMFMALayout

        return AMDMFMALayout(3, size, generator.random() < 0.5, split(generator, 2, 2)), shape
    if kind == "wmma":
        from triton.experimental.gluon.language.amd._layouts import AMDWMMALayout

        version, warps = (
            generator.choice([1, 2]),
            generator.choice([[[0, 1], [1, 0]], [[1, 0], [2, 0]], [[1, 0], [0, 1]]]),
        )
        return AMDWMMALayout(version, generator.random() < 0.5, warps), shape
    assert kind == "dot"
    version = generator.choice([2, 2, 3])
    warps = split(generator, generator.randint(0, 3), 2) if version == 2 else [4, generator.choice([1, 2])]
    parent = classes.NVMMADistributedLayout([version, 0], warps, [16, 8] if version == 2 else [16, 64, 16])
    k = generator.choice([1, 2, 4, 8])
    operand = generator.randrange(2) if version == 2 else 0
    shape = [power(generator, 4, 7), power(generator, 6, 8)]
    return classes.DotOperandLayout(operand, parent, k), shape if operand == 0 else shape[::-1]


@pytest.mark.parametrize("kind", ["blocked", "cga", "slice", "mma", "dot", "mfma", "wmma"])
def test_distributed_layouts_of_triton(triton: Any, kind: str) -> None:
    builder, classes = triton
    generator = random.Random(kind)
    for _ in range(60):
        layout, shape = distributed(generator, classes, kind)
        theirs = builder.to_linear_layout(layout._to_ir(builder), shape)
        ours = read_any(repr(layout), "triton", shape)
        expected = {
            "register": theirs.reg_bases,
            "lane": theirs.lane_bases,
            "warp": theirs.warp_bases,
            "block": theirs.block_bases,
        }
        assert ours.facts["bases"] == expected, (layout, shape)
        if covers(expected, shape):
            assert write(ours.value, "triton-linear", shape) == read_back(expected)


def read_back(bases: dict[str, list[list[int]]]) -> str:
    return "#ttg.linear<{" + ", ".join(f"{k} = {v}" for k, v in bases.items()) + "}>"


def covers(bases: dict[str, list[list[int]]], shape: list[int]) -> bool:
    """Is every cell owned, and are the lanes 32?"""
    columns = [b for bits in bases.values() for b in bits]
    cells = 1
    for n in shape:
        cells *= n
    return 1 < 1 << sum(any(b) for b in columns) == cells and len(bases["lane"]) == 5


@pytest.mark.parametrize("kind", ["swizzled", "nvmma"])
def test_shared_layouts_of_triton(triton: Any, kind: str) -> None:
    builder, classes = triton
    generator = random.Random(kind)
    for _ in range(60):
        shape = [power(generator, 3, 7), power(generator, 3, 7)]
        if kind == "swizzled":
            layout = classes.SwizzledSharedLayout(
                power(generator, 0, 3), power(generator, 0, 2), power(generator, 0, 3), order(generator, 2)
            )
        else:
            bits, width = generator.choice([8, 16, 32]), generator.choice([32, 64, 128])
            across = 8 * width // bits
            transposed = generator.random() < 0.3
            shape = [power(generator, 3, 6), across * power(generator, 0, 2)]
            layout = classes.NVMMASharedLayout(width, bits, 2, transposed)
            shape = shape[::-1] if transposed else shape
        theirs = builder.to_linear_layout(layout._to_ir(builder), shape)
        ours = read_any(repr(layout), "triton", shape)
        text = write(ours.value, "triton-linear", shape)
        assert text == f"#ttg.shared_linear<{{offset = {theirs.offset_bases}}}, alignment = 16>", (layout, shape)


# ---- isl ----


def samples() -> list[Any]:
    generator = random.Random(3)
    shapes: list[Any] = [4, (4, 8), (2, (3, 4)), ((2, 2), (4, 2)), (5, (1, 2), 3)]
    found: list[Any] = []
    for shape in shapes:
        leaves = str(shape).count(",") + 1
        for _ in range(3):
            strides = iter([generator.choice([0, 1, 2, 3, 5, 8, 12, 16, -3]) for _ in range(leaves * 3)])
            found.append(Layout(shape, _filled(shape, strides)))
    found += [
        Composed(Swizzle(2, 0, 2), 0, Layout((4, 8), (8, 1))),
        Composed(Swizzle(1, 1, 2), 3, Layout((4, 4), (4, 1))),
    ]
    found += [
        evaluate("((2,2),4):((f4,f10),f1)"),
        evaluate("{7} o (4,8):(8,1)"),
        evaluate("((4,8),(2,2)):((2e1,e0),(e1,8e0))"),
    ]
    return found


def _filled(shape: Any, strides: Any) -> Any:
    return tuple(_filled(s, strides) for s in shape) if isinstance(shape, tuple) else next(strides)


def test_isl_evaluates_what_we_write() -> None:
    islpy = pytest.importorskip("islpy", reason="islpy is not installed: isl maps are not compared")
    for value in samples():
        text = write(value, "isl")
        relation = islpy.Map(text)
        assert relation.is_single_valued()
        found: dict[tuple[int, ...], tuple[int, ...]] = {}

        def visit(point: Any, found: dict[tuple[int, ...], tuple[int, ...]] = found, relation: Any = relation) -> None:
            count = relation.dim(islpy.dim_type.in_)
            numbers = [
                point.get_coordinate_val(islpy.dim_type.set, k).to_python()
                for k in range(point.get_space().dim(islpy.dim_type.set))
            ]
            found[tuple(numbers[:count])] = tuple(numbers[count:])

        relation.wrap().foreach_point(visit)
        assert len(found) == value.size
        for at, image in found.items():
            expected = value(at if len(at) > 1 else at[0])
            assert image == (tuple(expected) if isinstance(expected, tuple) else (expected,)), (text, at)


# ---- torch and numpy ----


def strided() -> list[Any]:
    return [v for v in samples() if not isinstance(v, Composed) and "e" not in str(v) and "f" not in str(v)]


def test_numpy_strides() -> None:
    numpy = pytest.importorskip("numpy", reason="numpy is not installed: strides are not compared")
    base = numpy.arange(4096, dtype=numpy.int32)
    for value in strided():
        if min(value.values()) < 0:
            continue  # as_strided reads before the array
        text = write(value, "numpy")
        view = eval(text.partition("#")[0], {"np": numpy, "x": base})
        assert view.flatten(order="F").tolist() == value.values(), text
        printed = f"shape={view.shape} strides={view.strides} itemsize={view.itemsize}"
        expected = getattr(value, "layout", value)
        assert evaluate(read_any(printed).expression).values() == expected.values()


VIEWS = [
    "np.zeros((4, 8)).T",
    "np.zeros((6, 8))[1:5:2, ::-1]",
    "np.zeros((2, 3, 4)).transpose(2, 0, 1)",
    "np.zeros((4, 6)).reshape(4, 2, 3).swapaxes(0, 2)",
    "np.broadcast_to(np.zeros((1, 5)), (4, 5))",
    "np.lib.stride_tricks.sliding_window_view(np.zeros((10,)), 3)",
    "np.zeros((4, 6))[2]",
    "np.zeros((4, 6))[:, None, 1]",
]


@pytest.mark.parametrize("text", VIEWS)
def test_numpy_views(text: str) -> None:
    numpy = pytest.importorskip("numpy", reason="numpy is not installed: views are not compared")
    view = eval(text, {"np": numpy})
    base = view
    while base.base is not None:
        base = base.base
    offset = (view.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // view.itemsize
    expected = Layout(view.shape, tuple(s // view.itemsize for s in view.strides))
    found = evaluate(read_any(text).expression)
    assert getattr(found, "offset", 0) == offset
    # A size-1 dimension may have any stride.
    assert found.values() == [offset + v for v in expected.values()]


def test_torch_strides() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: strides are not compared")
    base = torch.arange(4096)
    for value in strided():
        try:
            text = write(value, "torch")
        except Failure:
            continue  # a negative stride
        view = eval(text.partition("#")[0], {"torch": torch, "x": base})
        printed = f"{view.size()} {view.stride()} {view.storage_offset()}"
        assert evaluate(read_any(printed).expression).values() == value.values()
        assert view.permute(*reversed(range(view.dim()))).reshape(-1).tolist() == value.values()


# ---- pycute and tensor-layouts ----


def test_pycute_layouts() -> None:
    pycute = pytest.importorskip("pycute", reason="pycute is not installed: its layouts are not compared")
    for value in samples():
        try:
            text = write(value, "pycute")
        except Failure:
            continue
        theirs = eval(text, vars(pycute))
        assert [theirs(i) for i in range(value.size)] == value.values(), text
        assert evaluate(read_any(repr(theirs), "pycute").expression).values() == value.values()


def test_tensor_layouts() -> None:
    peer = pytest.importorskip("tensor_layouts", reason="tensor-layouts is not installed: its layouts are not compared")
    for value in samples():
        try:
            text = write(value, "tensor-layouts")
        except Failure:
            continue
        if isinstance(getattr(value, "layout", value), Layout) and not str(text).startswith("Tensor"):
            theirs = eval(text, vars(peer))
            assert [theirs(i) for i in range(value.size)] == value.values(), text
            assert evaluate(read_any(repr(theirs), "tensor-layouts").expression).values() == value.values()
            assert evaluate(read_any(str(theirs), "tensor-layouts").expression).values() == value.values()
