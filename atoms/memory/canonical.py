"""The canonical forms that a matrix descriptor reads, and how a layout is held against one of them.

With T the elements of 16 bytes, V those of a row of W = 32, 64 or 128 bytes, in elements:

    K-major   none           ((8,m),(T,2)):((T,SBO),(1,LBO))
              32B 64B 128B   Sw<1|2|3,M,3> o s o ((8,m),K):((V,SBO),1)
    MN-major  none           ((T,m),(8,2)):((1,SBO),(T,LBO))
              32B 64B 128B   Sw<1|2|3,M,3> o s o ((V,m),(8,2)):((1,LBO),(V,SBO))
              128B_32B       Sw<2,M+1,2> o s o ((V,m),(4,k)):((1,LBO),(V,SBO))      SM100 alone

T = 1 << M. One instruction reads 32 bytes of k, a sparse B 64. What a tile has beyond one instruction are steps of the
start address, and may lie anywhere.
"""

from __future__ import annotations

from typing import Any

from laycalc.algebra.base.decide import at_most, divides, quotient, same, unlisted
from laycalc.algebra.base.derivations import noted, unrecorded
from laycalc.algebra.base.errors import LayoutError, refuse
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.htuple import flatten
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Swizzle

from ..instructions.refusal import argument

__all__ = [
    "MODES",
    "ROW",
    "TURNS",
    "WIDE",
    "Form",
    "Leaves",
    "Operand",
    "groups",
    "in_bytes",
    "leaves",
    "misses",
    "operand_named",
    "run",
]

MODES = ("none", "32B", "64B", "128B")
"""The swizzle modes; mode i swizzles i bits."""

WIDE = "128B_32B"
"""The mode of SM100 that swizzles units of 32 bytes, Sw<2,5,2> on bytes, in atoms of 128 bytes of mn x 4 k."""

ROW = {"none": 16, "32B": 32, "64B": 64, "128B": 128, WIDE: 128}
"""W, the bytes of a row of the pattern."""

TURNS = {"none": 1, "32B": 2, "64B": 4, "128B": 8, WIDE: 4}
"""After how many lines of 128 bytes the pattern repeats."""

Leaves = list[tuple[Any, Any]]
"""The flat modes of a mode that are left: (extent, stride)."""


class Operand(Record):
    """What an instruction reads: operand A or B of ``bits``-bit elements, K- or MN-major."""

    bits: int
    major: str
    letter: str
    arch: str = "sm90"
    sparse: bool = False

    @property
    def unit(self) -> int:
        """T, the elements of 16 bytes."""
        return 128 // self.bits

    @property
    def k(self) -> int:
        """The k of one instruction in elements: 32 bytes, 64 of a sparse B."""
        return (512 if self.sparse and self.letter == "B" else 256) // self.bits

    def __str__(self) -> str:
        major = "MN-major" if self.major == "mn" else "K-major"
        return f"{major} {self.letter} of {self.bits}-bit elements"


ARCHS = ("sm90", "sm100")


def operand_named(bits: int, major: str, letter: str, arch: str = "sm90", sparse: bool = False) -> Operand:
    """The operand of these names; LC103 for one that does not exist."""
    arch, major, letter = arch.lower(), major.lower(), letter.upper()
    widths = (8, 16, 32) if arch == "sm90" else (4, 8, 16, 32)
    named = {
        "arch": (arch, ARCHS),
        "bits": (bits, widths),
        "major": (major, ("k", "mn")),
        "operand": (letter, ("A", "B")),
    }
    for name, (value, known) in named.items():
        if value not in known:
            choices = " or ".join(map(str, known))
            raise argument("descriptor", "{name} is {choices}, not {value}", name=name, choices=choices, value=value)
    if major == "mn" and bits != 16 and arch == "sm90":
        raise argument(
            "descriptor", "wgmma has no MN-major operands of {bits} bits, only of 16: the others have no transpose bit",
            bits=bits,
        )  # fmt: skip
    return Operand(bits, major, letter, arch, sparse)


class Form(Record):
    """A canonical form: an operand in a swizzle mode."""

    operand: Operand
    mode: str

    @property
    def row(self) -> int:
        """V, the elements of a row of the pattern."""
        return ROW[self.mode] * 8 // self.operand.bits

    @property
    def major_run(self) -> int:
        """The elements that lie side by side: T without a swizzle, else V."""
        return self.operand.unit if self.mode == "none" else self.row

    @property
    def height(self) -> int:
        """The rows of an atom."""
        return 4 if self.mode == WIDE else 8

    @property
    def swizzle(self) -> Swizzle:
        """The swizzle in elements, of no bits without one."""
        unit = self.operand.unit.bit_length() - 1
        return Swizzle(2, unit + 1, 2) if self.mode == WIDE else Swizzle(MODES.index(self.mode), unit, 3)

    def __str__(self) -> str:
        """The form with its numbers put in."""
        run, k, rows = self.major_run, self.operand.k, self.height
        swizzle = f"{self.swizzle} o s o " if self.swizzle.bits else ""
        if self.operand.major == "mn":
            inner, outer = ("SBO", "LBO") if self.mode == "none" else ("LBO", "SBO")
            return f"{swizzle}(({run},m),({rows},{k // rows})):((1,{inner}),({run},{outer}))"
        if run >= k:
            return f"{swizzle}((8,m),{k}):(({run},SBO),1)"
        return f"{swizzle}((8,m),({run},{k // run})):(({run},SBO),(1,LBO))"


def is_one(x: Any) -> bool:
    """Is it the number 1? An unknown number is not asked: an extent that may be 1 is kept."""
    return type(x) is int and x == 1


def leaves(mode: Layout) -> Leaves:
    """The flat modes of one mode, without those of extent 1."""
    return [(s, d) for s, d in zip(flatten(mode.shape), flatten(mode.stride), strict=True) if not is_one(s)]


def misses(form: Form, where: str, needs: str, has: str) -> LayoutError:
    """LC320: the canonical form that a layout misses, by the mode and the numbers; the caller raises it."""
    return refuse(
        "LC320",
        "no descriptor reads it as {operand}: form {mode} is {form}; mode {where} needs {needs}, it has {has}",
        op="descriptor", operand=str(form.operand), mode=form.mode, form=str(form), where=where, needs=needs, has=has,
        left_path=(0 if where == "mn" else 1,),
    )  # fmt: skip


def run(form: Form, where: str, parts: Leaves, count: Any, stride: Any) -> Leaves:
    """Take the first ``count`` elements of a mode, which lie ``stride`` apart; what is left. LC320 if they do not."""
    needs, total, first = f"{count} elements {stride} apart", count, stride
    rest = list(parts)
    while not is_one(count):
        if not rest:
            raise misses(form, where, needs, f"{quotient(total, count)} of them")
        extent, step = rest[0]
        if not same(step, stride):
            place = "" if total is count else f" after the first {quotient(total, count)}"
            raise misses(form, where, needs, f"{extent} elements {step} apart{place}")
        if divides(count, extent):
            left = quotient(extent, count)
            noted("run", where=where, count=total, stride=first)
            return [*([] if is_one(left) else [(left, count * step)]), *rest[1:]]
        if not divides(extent, count):
            raise misses(form, where, needs, f"{extent} of them in a row")
        count, stride = quotient(count, extent), stride * extent
        rest.pop(0)
    noted("run", where=where, count=total, stride=first)
    return rest


def groups(form: Form, where: str, parts: Leaves, count: Any) -> tuple[Any, Leaves]:
    """The distance of the next ``count`` groups of a mode, None if there is but one, and what is left.

    The distance is a field of the descriptor, which counts 16 bytes.
    """
    if same(count, 1):
        return None, parts
    if not parts:
        raise misses(form, where, f"{count} groups", "one")
    stride = aligned(form, where, parts[0][1])
    with unrecorded():
        rest = run(form, where, parts, count, stride)
    noted("groups", where=where, count=count, stride=stride, unit=form.operand.unit)
    return stride, rest


def aligned(form: Form, where: str, distance: Any) -> Any:
    """A distance in elements that is a multiple of 16 bytes; LC320 otherwise."""
    unit = form.operand.unit
    if not divides(unit, distance):
        needs = f"distances that are multiples of {unit} elements (16 bytes)"
        raise misses(form, where, needs, f"the distance {distance}")
    return distance


def in_bytes(bits: int, elements: Any) -> Any:
    """A number of elements as bytes; the number is one of whole bytes."""
    return elements * (bits // 8) if bits >= 8 else quotient(elements * bits, 8)


def rows_of(operand: Operand, extent: Any) -> Any:
    """The rows of an instruction: 64 for A (128 on SM100 where they divide), for B up to 256 in steps of 8."""
    if operand.letter == "A":
        wide = operand.arch == "sm100" and divides(128, extent)
        rows = 128 if wide else 64
        if divides(rows, extent):
            return rows
        raise _rows(operand, extent, "is no multiple of the 64 rows of an instruction")
    if not divides(8, extent):
        raise _rows(operand, extent, "is no multiple of 8")
    if at_most(extent, 256):
        return extent
    if type(extent) is int:
        return next(n for n in range(256, 0, -8) if extent % n == 0)
    if divides(256, extent):
        return 256
    # Of a number the largest divisor is found, perhaps below 256.
    unlisted("coincidence")
    raise _rows(operand, extent, "is neither up to 256 nor a multiple of it")


def _rows(operand: Operand, extent: Any, why: str) -> LayoutError:
    return refuse(
        "LC320", "no descriptor reads it as {operand}: extent {extent} of mode mn {why}",
        op="descriptor", operand=str(operand), extent=extent, why=why, left_path=(0,),
    )  # fmt: skip
