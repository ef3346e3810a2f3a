"""Matrix and copy instructions, tiled or not, as CuTe C++ and as the DSL; what a system has no name for is refused."""

from __future__ import annotations

import re
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.atoms.instructions.record import Atom
from laycalc.atoms.tiling.copy_atom import CopyAtom
from laycalc.atoms.tiling.copy_tiling import TiledCopy
from laycalc.atoms.tiling.mma_tiling import TiledMMA

from ..dialects.kinds import dsl_name
from ..reading.reading import cannot
from . import cpp_write, dsl_write

__all__ = ["write_cpp", "write_cpp_call", "write_dsl"]


def write_cpp(value: Any) -> str:
    """``TiledMMA<MMA_Atom<..>,Layout<..>,Tile<..>>{}``, ``TiledCopy<Copy_Atom<..>,Layout<..>,Shape<..>>{}``."""
    match value:
        case TiledMMA():
            parts = [_cpp_atom(value.atom), _type(value.atoms), *_tile(value)]
            return f"TiledMMA<{','.join(parts)}>{{}}"
        case TiledCopy():
            atom = _cpp_copy_atom(value.atom, value.bits)
            return f"TiledCopy<{atom},{_type(value.layout_tv)},{_type(value.tiler)}>{{}}"
        case CopyAtom():
            return f"{_cpp_copy_atom(value.atom, value.bits)}{{}}"
    return f"{_cpp_atom(value) if value.kind == 'mma' else _cpp_copy(value)}{{}}"


def write_cpp_call(value: Any) -> str:
    """The same with ``make_tiled_mma(..)`` and ``make_tiled_copy_impl(..)``."""
    match value:
        case TiledMMA():
            parts = [f"{part}{{}}" for part in (_cpp_atom(value.atom), _type(value.atoms), *_tile(value))]
            return f"make_tiled_mma({', '.join(parts)})"
        case TiledCopy():
            parts = [_cpp_copy_atom(value.atom, value.bits), _type(value.layout_tv), _type(value.tiler)]
            return f"make_tiled_copy_impl({', '.join(f'{part}{{}}' for part in parts)})"
    return write_cpp(value)


def _type(value: Any) -> str:
    return cpp_write.write(value).removesuffix("{}")


def _tile(mma: TiledMMA) -> list[str]:
    """The permutation as a type; nothing where it is the tile of the atoms."""
    if mma.permutation == (None, None, None):
        return []
    return [f"Tile<{','.join('Underscore' if p is None else _type(p) for p in mma.permutation)}>"]


def _cpp_atom(atom: Atom) -> str:
    if not atom.cpp:
        raise cannot(f"C++ CuTe has no name for {atom.name}")
    return f"MMA_Atom<{atom.cpp}>"


def _cpp_copy_atom(atom: Atom, bits: int) -> str:
    return f"Copy_Atom<{_cpp_copy(atom)},{_unsigned(bits)}>"


def _cpp_copy(atom: Atom) -> str:
    """``UniversalCopy<uint128_t>``: the width of the name as a type."""
    if atom.vendor != "nvidia" or atom.template is not None:
        raise cannot(f"C++ CuTe has no name for {atom.name} without its tensor map")
    name, width = _named(atom)
    if name == "AutoVectorizingCopyWithAssumedAlignment":
        return f"{name}<{width}>"
    return f"{name}<{_unsigned(width)}>" if width else name


def _named(atom: Atom) -> tuple[str, int]:
    """The name without the width, and the width in bits where the name has one."""
    found = re.fullmatch(r"(UniversalCopy|AutoVec\w+|SM80_CP_ASYNC_\w+)_(\d+)(b?|B)", atom.name)
    if found is None:
        return atom.name, 0
    return found[1], int(found[2]) * (8 if found[3] == "B" else 1)


def _unsigned(bits: int) -> str:
    """The unsigned type of a width, which stands for every element so wide."""
    if bits in (8, 16, 32, 64, 128):
        return f"uint{bits}_t"
    if bits in (1, 4):
        return f"cutlass::uint{bits}b_t"
    raise cannot(f"no unsigned type has {bits} bits")


def write_dsl(value: Any) -> str:
    """``cute.make_tiled_mma(..)``, ``cute.make_tiled_copy(..)``, ``cute.make_copy_atom(..)``."""
    match value:
        case TiledMMA():
            permutation = ""
            if value.permutation != (None, None, None):
                permutation = f", permutation_mnk=({', '.join(map(_entry, value.permutation))})"
            return f"cute.make_tiled_mma({_dsl_op(value.atom)}, {dsl_write.write(value.atoms)}{permutation})"
        case TiledCopy():
            atom, tv = _dsl_copy_atom(value.atom, value.bits), dsl_write.write(value.layout_tv)
            return f"cute.make_tiled_copy({atom}, {tv}, {dsl_write.write(value.tiler)})"
        case CopyAtom():
            return _dsl_copy_atom(value.atom, value.bits)
    if value.kind != "mma":
        raise cannot("the DSL makes a copy atom with the type of its elements: write copy_atom(.., bits)")
    return f"cute.make_mma_atom({_dsl_op(value)})"


def _entry(entry: Layout | int | None) -> str:
    return "None" if entry is None else dsl_write.write(entry)


_OPERATIONS = (
    (r"UniversalFMA_\w+", "MmaUniversalOp({C})"),
    (r"SM80_\w+_(F16|F32)(B?F16){2}\1_TN", "warp.MmaF16BF16Op({A}, {C}, {shape})"),
    (r"SM80_\w+_F32TF32TF32F32_TN", "warp.MmaTF32Op({shape})"),
    (r"SM89_\w+_F32E4M3E4M3F32_TN|SM89_\w+_F32E5M2E5M2F32_TN", "warp.MmaFP8Op({A}, {C}, {shape})"),
    (r"SM90_\w+_(F16F16F16|F32F16F16|F32BF16BF16)_(SS|RS)", "warpgroup.MmaF16BF16Op({A}, {C}, {wgmma})"),
    (r"SM90_\w+_F(16|32)(E\dM\d){2}_(SS|RS)_TN", "warpgroup.MmaF8Op({A}, {B}, {C}, {wgmma})"),
    (r"SM90_\w+_S32[SU]8[SU]8_(SS|RS)_TN", "warpgroup.MmaI8Op({A}, {B}, {C}, {wgmma})"),
    (r"SM100_MMA_F16BF16_(2x1SM_)?SS_\d+x\d+_\w+", "tcgen05.MmaF16BF16Op({A}, {C}, {umma})"),
)
"""The name of an instruction, and the operation of the DSL that makes it."""


def _dsl_op(atom: Atom) -> str:
    template = next((made for name, made in _OPERATIONS if re.fullmatch(name, atom.name)), None)
    if template is None or atom.types is None or atom.shape is None:
        raise cannot(f"the DSL has no operation for {atom.name}")
    source = "RMEM" if "_RS" in atom.name else "SMEM"
    where = ["OperandSource." + source, "OperandMajorMode.K", "OperandMajorMode.K"]
    group = "CtaGroup.TWO" if "2x1SM" in atom.name else "CtaGroup.ONE"
    holes = {
        **{x: "cutlass." + _dsl_type(getattr(atom.types, x)) for x in "ABC"},
        "shape": str(atom.shape),
        "wgmma": ", ".join([str(atom.shape), *(f"cute.nvgpu.warpgroup.{word}" for word in where)]),
        "umma": ", ".join([str(atom.shape), *(f"cute.nvgpu.tcgen05.{word}" for word in (group, *where))]),
    }
    return "cute.nvgpu." + template.format(**holes)


def _dsl_type(kind: str) -> str:
    found = dsl_name(kind)
    if found is None:
        raise cannot(f"the DSL has no type {kind}")
    return found


def _dsl_copy_atom(atom: Atom, bits: int) -> str:
    name, width = _named(atom)
    if bits not in (8, 16, 32, 64, 128):
        raise cannot(f"the DSL has no unsigned type of {bits} bits")
    element = f"cutlass.{_dsl_type(f'u{bits}')}"
    if name == "UniversalCopy":
        return f"cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), {element}, num_bits_per_copy={width})"
    if cached := re.fullmatch(r"SM80_CP_ASYNC_CACHE(ALWAYS|GLOBAL)", name):
        mode = f"cute.nvgpu.cpasync.LoadCacheMode.{cached[1]}"
        operation = f"cute.nvgpu.cpasync.CopyG2SOp(cache_mode={mode})"
        return f"cute.make_copy_atom({operation}, {element}, num_bits_per_copy={width})"
    matrices = re.fullmatch(r"SM(?:75|90)_U(16|32)x(\d)_(LDSM|STSM)_[NT]", name)
    if matrices is None:
        raise cannot(f"the DSL has no operation for {atom.name}")
    turned = matrices[1] == "16"
    count = int(matrices[2]) // (2 if turned else 1)
    operation = f"{'LdMatrix' if matrices[3] == 'LDSM' else 'StMatrix'}8x8x16bOp"
    return f"cute.make_copy_atom(cute.nvgpu.warp.{operation}(transpose={turned}, num_matrices={count}), {element})"
