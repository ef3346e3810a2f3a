"""Tiled MMAs, tiled copies and their atoms as C++ and as the DSL: what is written reads back as the same value."""

from __future__ import annotations

import random
from typing import Any

import pytest

from laycalc.atoms.instructions.catalogue import atom, entries
from laycalc.atoms.memory.smem_atoms import kinds_of
from laycalc.atoms.tiling.copy_atom import copy_atom
from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import read_any, write
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import evaluate, run_reading

FORMS = ("cpp", "cpp-call", "dsl")


def read_back(text: str) -> Any:
    outcomes = list(run_reading(read_any(text), Scope()))
    assert outcomes[-1].error is None, (text, outcomes[-1].error)
    return outcomes[-1].value


def same(found: Any, value: Any) -> bool:
    """Equal in what an instruction and a tiling are; a DSL operation may stand as its name."""
    found = atom(found.value) if type(found).__name__ == "Text" else found
    fields = [
        name for name in ("atom", "atoms", "permutation", "layout_tv", "tiler", "bits", "name") if hasattr(value, name)
    ]
    return all(getattr(found, name) == getattr(value, name) for name in fields)


def same_values(found: Any, value: Any) -> bool:
    return list(found.values()) == list(value.values())


TILED = (
    'tiled_mma("SM80_16x8x16_F32F16F16F32_TN")',
    'tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), (32,32,16))',
    'tiled_mma("SM80_16x8x16_F32BF16BF16F32_TN", (4,1,1):(1,0,0), <64,(8,2):(1,8),_>)',
    'tiled_mma("SM90_64x128x16_F32F16F16_SS", (2,1,1))',
    'tiled_mma("SM90_64x64x32_F32E4M3E5M2_RS_TN")',
    'tiled_mma("UniversalFMA_F32", (16,16,1):(16,1,0))',
    'tiled_copy("SM75_U32x4_LDSM_N", (8,4):(4,1), (2,4):(4,1), 16)',
    'tiled_copy("SM80_CP_ASYNC_CACHEGLOBAL_16B", (16,8):(8,1), (1,8), 16)',
    'tiled_copy("UniversalCopy_128b", (32,8), (4,1), 32)',
    'tiled_copy_A("SM75_U32x4_LDSM_N", tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), (32,32,16)))',
    'copy_atom("SM90_U16x8_STSM_T", 16)',
)


@pytest.mark.parametrize("text", TILED)
@pytest.mark.parametrize("form", FORMS)
def test_a_tiling_reads_back(form: str, text: str) -> None:
    value = evaluate(text)
    assert same(read_back(write(value, form)), value)


def test_the_text_is_what_a_kernel_says() -> None:
    mma = evaluate('tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1), (32,32,16))')
    assert write(mma, "cpp") == (
        "TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>,Layout<Shape<_2,_2,_1>,Stride<_1,_2,_4>>,Tile<_32,_32,_16>>{}"
    )
    assert write(mma, "dsl") == (
        "cute.make_tiled_mma(cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16)), "
        "cute.make_layout((2, 2, 1), stride=(1, 2, 4)), permutation_mnk=(32, 32, 16))"
    )


def test_a_swizzled_atom_is_told_by_its_name() -> None:
    for kind, bits in (("K_SW128", 16), ("MN_SW64", 8), ("K_SW32", 32)):
        value = evaluate(f'smem_atom("{kind}", {bits})')
        assert (kind, bits) in kinds_of(value)
        assert same_values(read_back(write(value, "cpp")), value)
    assert kinds_of(evaluate("(8,8):(8,1)")) == () == kinds_of(evaluate("Sw<3,3,3> o 0 o (16,64):(64,1)"))


@pytest.mark.parametrize("form", FORMS)
def test_an_instruction_reads_back_or_is_refused_by_name(form: str) -> None:
    written = 0
    for entry in random.Random(7).sample(entries(), 400):
        value: Any = atom(entry.name)
        if value.kind == "copy" and value.template is None:
            value = copy_atom(value, max(8, value.value_bits or 8))
        try:
            text = write(value, form)
        except Failure as failure:
            assert entry.name in failure.diagnostic.message or "bits" in failure.diagnostic.message
            continue
        written += 1
        if "AutoVectorizing" in entry.name:  # its width is chosen when it runs: read, it counts as one element
            continue
        assert same(read_back(text), value), text
    assert written > (50 if form == "dsl" else 300)


@pytest.mark.parametrize(("bits", "same"), [(3, True), (2, False)])
def test_a_type_that_is_computed_is_compared_by_its_value(bits: int, same: bool) -> None:
    made = "decltype(composition(Swizzle<3,3,3>{}, Layout<_8>{}))"
    assert evaluate(f"is_same_v<{made}, ComposedLayout<Swizzle<{bits},3,3>,_0,Layout<_8>>>", Scope()) is same
