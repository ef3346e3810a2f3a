"""``laycalc descriptor``: the matrix descriptor of wgmma and tcgen05 that reads a shared-memory layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.values import a_kind, text_of

from ..streams.command import command
from ..streams.inputs import scope_of
from ..streams.options import AsJson, Assume, Bits, Define, LayoutText
from ..streams.output import remark, write_json, write_line
from ..streams.unknowns import assumed, conditions, explored, told
from ..streams.value import value_of

if TYPE_CHECKING:
    from laycalc.atoms.memory.descriptor import Descriptor
    from laycalc.atoms.memory.descriptor_told import Difference

__all__ = ["run"]

LISTED = 8
"""Start addresses that are written out."""


@command(
    82,
    "The wgmma descriptor of a shared-memory layout: mode, LBO, SBO, base offset, k steps.",
    "laycalc descriptor 'Sw<3,3,3> o 0 o (128,64):(64,1)' --bits 16",
    "laycalc descriptor '((8,8),(8,2)):((8,128),(1,64))' --bits 16 --check 0x1000080800",
)
def run(
    expr: LayoutText,
    bits: Bits = 16,
    major: Annotated[str, typer.Option(help="Which mode is contiguous: k or mn.", show_default="found out")] = "",
    operand: Annotated[str, typer.Option(help="A or B.", show_default="A where 64 divides mn")] = "",
    arch: Annotated[str, typer.Option(help="sm90 (measured) or sm100 (as documented).")] = "sm90",
    sparse: Annotated[bool, typer.Option("--sparse", help="The operand of a sparse instruction.")] = False,
    at: Annotated[int, typer.Option(help="Bytes from a 1024-byte boundary to the tile.")] = 0,
    tma: Annotated[
        bool, typer.Option("--tma", help="TMA wrote the tile: its swizzle follows the address, not the tile.")
    ] = False,
    check: Annotated[str, typer.Option(help="A descriptor: does it read the layout?")] = "",
    as_json: AsJson = False,
    define: Define = None,
    assume: Assume = None,
) -> int:
    """Find the descriptor that reads a layout from (mn,k) to elements, mode by mode and with every k step.

    If none does, the error names the canonical form that it misses and the nearest layout that has one. Exit code 1
    says so, and that the descriptor of --check reads something else.
    """
    from laycalc.atoms.memory.descriptor import descriptor

    scope = assumed(scope_of(define), assume)
    value = value_of(expr, scope)
    if not isinstance(value, (Layout, Composed, Tensor)):
        raise Failure(Diagnostic("LC103", f"descriptor takes a layout, not {a_kind(value)}"))

    def work(layout: Any) -> Descriptor:
        return descriptor(layout, bits, major, operand, arch, int(sparse))

    placed = _placed(value, at, bits, tma)
    found, report = explored(work, placed, scope)
    if found.layout.rank != placed.rank:
        remark((f"the modes were read as ((MmaM,MmaK),RestM,RestK,..), as the tile {found.layout}",))
    differs = _differs(check, found) if check else None
    if as_json:
        write_json(_object(found, differs) | (conditions(report) if report is not None else {}))
    else:
        _tell(found, differs)
        for sentence in told(report) if report is not None else ():
            write_line(f"  {sentence}")
    return 1 if differs is not None and differs.wrong else 0


def _placed(value: Any, at: int, bits: int, tma: bool) -> Any:
    """The layout where it lies: the pattern begins with the tile, or with --tma at the boundary."""
    if not at:
        return value
    if at * 8 % bits:
        raise Failure(Diagnostic("LC103", f"--at {at} is no whole number of {bits}-bit elements"))
    by = at * 8 // bits
    outside, inside = (value.offset, value.layout) if isinstance(value, Tensor) else (0, value)
    if not (tma and isinstance(inside, Composed)):
        return Tensor(outside + by, inside)
    moved = Composed(inside.swizzle, inside.offset + by, inside.layout)
    return Tensor(outside, moved) if outside else moved


def _differs(check: str, found: Descriptor) -> Difference:
    from laycalc.atoms.memory.descriptor_bits import decode
    from laycalc.atoms.memory.descriptor_told import difference

    try:
        value = int(check.strip(), 0)
    except ValueError:
        raise Failure(Diagnostic("LC103", f"--check wants the 64 bits, as 0x4000004000010000, not {check}")) from None
    return difference(decode(value, found.operand.arch), found)


def _object(found: Descriptor, differs: Difference | None) -> dict[str, Any]:
    from laycalc.atoms.memory.descriptor_told import traps

    numbers = {name: _number(getattr(found, name)) for name in ("lbo", "sbo", "base_offset", "start")}
    answer: dict[str, Any] = {
        "schema": 1, "layout": text_of(found.layout), "arch": found.operand.arch, "bits": found.operand.bits,
        "major": found.operand.major, "operand": found.operand.letter, "mode": found.mode, **numbers,
        "desc": found.desc, "advance": _number(found.advance),
        "encoded": {name: _units(getattr(found, name)) for name in ("lbo", "sbo", "start", "advance")},
        "instruction": [_number(found.rows), found.operand.k],
        "steps": {"mn": str(found.steps_mn), "k": str(found.steps_k), "stages": str(found.stages)},
        "notes": list(traps(found)),
    }  # fmt: skip
    if differs is not None:
        fields = [{"field": name, "has": has, "needs": needs} for name, has, needs in differs.found]
        answer["check"] = {"reads": not differs.wrong, "wrong": differs.wrong, "fields": fields}
    return answer


def _number(x: Any) -> Any:
    return x if x is None or type(x) is int else str(x)


def _units(x: Any) -> Any:
    """A number of bytes in units of 16."""
    return x // 16 if type(x) is int else None


def _tell(found: Descriptor, differs: Difference | None) -> None:
    from laycalc.atoms.memory.descriptor_told import traps

    operand = found.operand
    swizzle = "no swizzle" if found.mode == "none" else f"{found.mode} swizzle"
    write_line(f"{swizzle}, {operand}, {operand.arch}: {found.rows} x {operand.k} an instruction")
    lines = [
        ("descriptor", "needs the numbers" if found.desc is None else f"{found.desc} for start 0"),
        ("start", _measure(found.start)),
        ("LBO", "not read" if found.lbo is None else _measure(found.lbo)),
        ("SBO", "not read" if found.sbo is None else _measure(found.sbo)),
        ("base offset", str(found.base_offset)),
        ("k step", "where the next tile lies" if found.advance is None else "+" + _measure(found.advance)),
    ]
    for name, text in lines:
        write_line(f"  {name:<12} {text}")
    for name, steps in (("k", found.steps_k), ("mn", found.steps_mn), ("stage", found.stages)):
        if steps.size != 1:
            write_line(f"  starts by {name:<2} {_listed(steps)}")
    for note in traps(found):
        write_line(f"  note: {note}")
    if differs is not None:
        _tell_difference(differs)


def _measure(x: Any) -> str:
    return f"{x} bytes, encoded {x // 16}" if type(x) is int else f"{x} bytes"


def _listed(steps: Layout) -> str:
    """The first steps in bytes, or the layout where the numbers are not known."""
    if type(steps.size) is not int:
        return str(steps)
    shown = steps.elements()[:LISTED] if steps.size <= 1 << 16 else []
    more = ", ..." if steps.size > len(shown) else ""
    return ", ".join(f"+{x}" for x in shown) + more if shown else str(steps)


def _tell_difference(differs: Difference) -> None:
    if not differs.wrong:
        write_line("the descriptor given reads this layout")
        return
    write_line(f"the descriptor given does not read it: {differs.wrong:.1%} of the elements lie elsewhere")
    for name, has, needs in differs.found:
        write_line(f"  {name} is {has}, {needs} is needed")
