"""Names of kernels beyond the golden facts; the values of C++ are those that the headers of CuTe print."""

from __future__ import annotations

import pytest

from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import read_any
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import run_reading

MMA = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{})"
SMEM = "make_tensor(make_smem_ptr(smem), Layout<Shape<_64,_32>,Stride<_32,_1>>{})"
PART_A = f"{MMA}.get_slice(37).partition_A({SMEM})"
PART_C = f"{MMA}.get_slice(37).partition_C({SMEM})"
DSL_MMA = "cute.make_tiled_mma(warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)), (2, 2, 1))"
DSL_PART = DSL_MMA + ".get_slice(37).partition_{}(cute.make_tensor(0, cute.make_layout((64, 32), stride=(32, 1))))"
GMEM = "make_tensor(make_gmem_ptr(gmem), make_layout(make_shape(512,256)))"

VALUES = {
    "Layout<Shape<_4,_8>,Stride<_8,_1>>{}.get_1d_coord(13)": "21",
    "slice(make_coord(_,2,_), Shape<_3,_4,_5>{})": "(3,5)",
    f"outer_partition({GMEM}, Shape<_128,_64>{{}}, make_coord(1,2))": "{1025} o (4,4):(128,32768)",
    "make_tensor(make_smem_ptr(smem), Layout<Shape<_8,_64>,Stride<_64,_1>>{})(_, 8)": "{8} o 8:64",
    f"{MMA}.get_slice(0).make_fragment_C({PART_C})": "((2,2),2,2):((1,2),4,8)",
    f"{MMA}.make_fragment_A({PART_A})": "((2,2,2),2,2):((1,2,4),16,8)",
    "cute.append_ones((8, 2), up_to_rank=4)": "(8,2,1,1)",
    "cute.append_ones(cute.make_layout((8, 2)))": "(8,2,1):(1,8,0)",
    "cute.flatten_to_tuple((8, (2, (3, 4))))": "(8,2,3,4)",
    "cute.product_like(((8, 2), (2, 4)), target_profile=(1, (1, 1)))": "(16,(2,4))",
    f"{DSL_MMA}.make_fragment_C((4, 2, 2))": "(4,2,2):(1,4,8)",
    f"{DSL_MMA}.make_fragment_C({DSL_PART.replace('{}', 'C')})": "((2,2),2,2):((1,2),4,8)",
    f"{DSL_MMA}.make_fragment_C({DSL_MMA}.partition_shape_C((64, 32)))": "((2,2),2,2):((1,2),4,8)",
    f"{DSL_MMA}.make_fragment_A({DSL_PART.replace('{}', 'A')})": "((2,2,2),2,2):((1,2,4),16,8)",
    "sm90_utils.get_smem_layout_atom(layout=LayoutEnum.ROW_MAJOR, element_type=Float16, major_mode_size=32)": "K_SW64",
    "sm90_utils.make_smem_layout_epi(Float16, LayoutEnum.ROW_MAJOR, (64, 32), 4, smem_order=(1, 0, 2))": (
        "Sw<2,3,3> o 0 o ((8,8),(32,1),(1,4)):((32,256),(1,0),(0,2048))"
    ),
    "sm90_utils.make_smem_layout_epi(Float16, LayoutEnum.ROW_MAJOR, (64, 32), 4, smem_trg_shape=(64, 64, 2))": (
        "Sw<2,3,3> o 0 o ((8,8),(32,2),(1,2)):((32,256),(1,2048),(0,4096))"
    ),
}


def value(text: str) -> str:
    outcomes = list(run_reading(read_any(text), Scope()))
    if outcomes[-1].error is not None:
        raise Failure(outcomes[-1].error)
    return text_of(outcomes[-1].value)


@pytest.mark.parametrize("text", VALUES)
def test_a_name_of_the_vocabulary_has_its_value(text: str) -> None:
    assert value(text).strip('"') == VALUES[text]


def test_a_cotiled_copy_has_the_addresses_of_its_threads() -> None:
    text = (
        "make_cotiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_128,_8>,Stride<_8,_1>>{}, DATA)"
    )
    assert (
        value(text.replace("DATA", "Layout<Shape<_64,_64>,Stride<_64,_1>>{}") + ".get_layoutS_TV()")
        == "((8,16),(8,1)):((16,1),(128,0))"
    )
    with pytest.raises(Failure, match="no addresses"):
        value(text.replace("DATA", "Layout<Shape<_64,_64>,Stride<_128,_2>>{}"))


def test_operands_of_two_types_of_a_trivial_mma_are_refused() -> None:
    text = (
        "sm100_utils.make_trivial_tiled_mma(Float16, {}, tcgen05.OperandMajorMode.K, tcgen05.OperandMajorMode.K, "
        "Float32, tcgen05.CtaGroup.ONE, (128, 128))"
    )
    assert "SM100_MMA_F16BF16_SS" in value(text.format("Float16"))
    with pytest.raises(Failure, match="two types"):
        value(text.format("BFloat16"))
