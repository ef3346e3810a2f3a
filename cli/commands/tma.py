"""``laycalc tma``: is a tensor map legal, where does its box land, and which boxes fill a tile?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.language.values import text_of

from ..streams.command import command
from ..streams.inputs import scope_of
from ..streams.options import AsJson, Assume, Define
from ..streams.output import write_json, write_line
from ..streams.unknowns import assumed, conditions, explored, told
from ..streams.value import value_of

if TYPE_CHECKING:
    from laycalc.algebra.symbolic.report import Report
    from laycalc.atoms.memory.tensor_boxes import Filling
    from laycalc.atoms.memory.tensor_global import Dimension
    from laycalc.atoms.memory.tensor_map import TensorMap
    from laycalc.grammar.run.scope import Scope

__all__ = ["run"]

LISTED = 8
"""Boxes that are written out."""

Numbers = Annotated[str, typer.Option(metavar="A,B,..", help="Innermost first.", show_default=False)]


@command(
    84,
    "TMA tensor maps: legal or not, where a box lands, which boxes fill a tile.",
    "laycalc tma '(M,K):(K,1)' --box 64x128 --bits 16 --swizzle 128B",
    "laycalc tma --dtype f16 --gdim 256,64 --gstrides 512 --box 64,16 --swizzle 128B",
)
def run(
    expr: Annotated[str, typer.Argument(metavar="GLOBAL", help="A layout of global memory, in elements.")] = "",
    box: Annotated[str, typer.Option(help="The box, innermost first: 64x128.", show_default="that fills --smem")] = "",
    bits: Annotated[int, typer.Option(help="The width of an element in bits.", show_default="that of --dtype")] = 0,
    swizzle: Annotated[str, typer.Option(help="none, 32B, 64B or 128B.", show_default="that of --smem")] = "",
    smem: Annotated[str, typer.Option(help="The tile of shared memory that boxes fill.")] = "",
    dtype: Annotated[str, typer.Option(help="u8, f16, bf16, tf32, ...", show_default="by the width")] = "",
    gdim: Numbers = "",
    gstrides: Annotated[str, typer.Option(metavar="A,B,..", help="In bytes, without the innermost.")] = "",
    estrides: Annotated[str, typer.Option(metavar="A,B,..", help="Element strides.", show_default="ones")] = "",
    interleave: Annotated[str, typer.Option(help="none, 16B or 32B.")] = "none",
    fill: Annotated[str, typer.Option("--fill", "--oob-fill", help="What lies outside: zero or nan.")] = "zero",
    promotion: Annotated[int, typer.Option(help="L2 promotion, 0 to 3.")] = 0,
    address: Annotated[int, typer.Option(help="The global address.")] = 0,
    at: Annotated[int, typer.Option(help="The shared address, from a 1024-byte boundary.")] = 0,
    coords: Annotated[str, typer.Option(metavar="A,B,..", help="Where a copy starts, innermost first.")] = "",
    store: Annotated[bool, typer.Option("--store", help="The copy writes to global memory.")] = False,
    shared: Annotated[str, typer.Option("--multicast", metavar="A|B", help="The operand that blocks share.")] = "",
    cluster: Annotated[str, typer.Option(help="The thread blocks of a cluster along M and N: 2x1.")] = "",
    mma: Annotated[str, typer.Option(help="The tiled MMA, for one of two thread blocks.")] = "",
    as_json: AsJson = False,
    define: Define = None,
    assume: Assume = None,
) -> int:
    """Hold a tensor map against the rules of the driver, and say where each element of its box lands.

    It is given as a layout of global memory, or by the driver's arguments. An illegal one names the rule, the number
    and the nearest that is legal. Exit code 1 says that it is refused, or that the copy ends the launch.
    """
    scope = assumed(scope_of(define), assume)
    if expr and (gdim or gstrides):
        raise Failure(Diagnostic("LC103", "give either a layout of global memory or --gdim and --gstrides"))
    width = bits or _width(dtype)
    if expr:
        asked = _of_layout(value_of(expr, scope), _tile(smem, scope), width, _numbers("box", box), swizzle, dtype)
    else:
        numbers = (_numbers("gdim", gdim), _numbers("gstrides", gstrides), _numbers("box", box))
        asked = _of_arguments(dtype, width, swizzle or "none", *numbers)
    changes: dict[str, Any] = {"interleave": interleave, "fill": fill, "promotion": promotion}
    changes |= {"address": asked.map.address + address}
    changes |= {"estrides": _numbers("estrides", estrides)} if estrides else {}
    asked = asked.replace(map=asked.map.replace(**changes))
    _check_counts(asked.map)
    try:
        found, report = explored(_accepted, asked.map, scope)
    except LayoutError as error:
        return _refused(asked, error, as_json)
    answer = _answer(asked.replace(map=found), report, at, _numbers("coords", coords), store)
    if shared or cluster or mma:
        answer["multicast"] = _multicast(found, shared, _numbers("cluster", cluster), mma, scope)
    if as_json:
        write_json(answer)
    else:
        _tell(asked.replace(map=found), answer)
    return 1 if answer.get("fault") else 0


def _multicast(m: TensorMap, operand: str, cluster: tuple[int, ...], mma: str, scope: Scope) -> dict[str, Any]:
    """Which thread block of a cluster reads which part of the box."""
    from laycalc.atoms.memory.multicast import multicast
    from laycalc.atoms.tiling.mma_tiling import TiledMMA

    if not operand or not 1 <= len(cluster) <= 2:
        raise Failure(Diagnostic("LC103", "multicast wants both: --multicast A or B, and --cluster as 2x1"))
    value = value_of(mma, scope) if mma else None
    if value is not None and not isinstance(value, TiledMMA):
        raise Failure(Diagnostic("LC103", f"--mma takes a tiled MMA, not {text_of(value)}"))
    # The threads of tcgen05 are thread blocks.
    pair = value.atom.threads if value is not None and value.atom.arch == "SM100" else 1
    return multicast(m, (cluster[0], cluster[-1] if len(cluster) == 2 else 1), operand, pair).as_dict()


class _Asked(Record):
    """The map that is meant, the dimensions of the layout that it is of, and the boxes of the tile to fill."""

    map: TensorMap
    dims: tuple[Dimension, ...] = ()
    filled: Filling | None = None


def _accepted(m: TensorMap) -> TensorMap:
    from laycalc.atoms.memory.tensor_global import accepted

    return accepted(m)


def _numbers(name: str, text: str) -> tuple[int, ...]:
    """``64,128`` or ``64x128`` as numbers; none for an empty text."""
    found = [part for part in re.split(r"\s*[,x]\s*", text.strip().strip("()[]").strip()) if part]
    if not all(re.fullmatch(r"-?[0-9]{1,30}", part) for part in found):
        raise Failure(Diagnostic("LC103", f"--{name} wants numbers, as 64,128, not {text}"))
    return tuple(map(int, found))


def _width(dtype: str) -> int:
    from laycalc.atoms.memory.tensor_map import TYPES

    if dtype and dtype not in TYPES:
        raise Failure(Diagnostic("LC103", f"there is no type {dtype}; there are {', '.join(TYPES)}"))
    return TYPES.get(dtype, 16)


def _tile(smem: str, scope: Scope) -> Any:
    return value_of(smem, scope) if smem else None


def _of_layout(value: Any, tile: Any, bits: int, box: tuple[int, ...], swizzle: str, dtype: str) -> _Asked:
    """A map of a layout in global memory, with the boxes that fill a tile of shared memory."""
    from laycalc.atoms.memory.tensor_boxes import filling
    from laycalc.atoms.memory.tensor_global import dimensions, tensor_map_of

    filled = None if tile is None else filling(value, tile, bits, box)
    if filled is not None:
        if swizzle not in ("", filled.swizzle):
            raise Failure(Diagnostic("LC103", f"the tile has the swizzle {filled.swizzle}, the map {swizzle}"))
        box, swizzle = filled.box, filled.swizzle
    if not box:
        raise Failure(Diagnostic("LC103", "a box is missing: --box 64x128, or the tile that boxes fill, --smem"))
    return _Asked(tensor_map_of(value, box, bits, swizzle or "none", dtype), dimensions(value), filled)


def _of_arguments(
    dtype: str, bits: int, swizzle: str, gdim: tuple[int, ...], gstrides: tuple[int, ...], box: tuple[int, ...]
) -> _Asked:
    """A map by the driver's arguments."""
    from laycalc.atoms.memory.tensor_global import PLAIN
    from laycalc.atoms.memory.tensor_map import TYPES, TensorMap

    dtype = dtype or PLAIN.get(bits, "")
    if TYPES.get(dtype) != bits:
        raise Failure(Diagnostic("LC103", f"no type {dtype or '(none given)'} has {bits} bits"))
    if not box:
        raise Failure(Diagnostic("LC103", "a layout of global memory is missing, or --gdim, --gstrides and --box"))
    return _Asked(TensorMap(dtype, gdim, gstrides, box, (1,) * len(box), swizzle))


def _check_counts(m: TensorMap) -> None:
    """As many extents and strides as there are dimensions; a rank that the driver refuses is its matter."""
    rank = len(m.gdim)
    if not 1 <= rank <= 5:
        return
    for name, values, count in (
        ("gstrides", m.gstrides, rank - 1), ("box", m.box, rank), ("estrides", m.estrides, rank)
    ):  # fmt: skip
        if len(values) != count:
            raise Failure(Diagnostic("LC103", f"--{name} wants {count} numbers for rank {rank}, not {len(values)}"))


# ---- the answer ----


def _arguments(asked: _Asked) -> dict[str, Any]:
    """The arguments of the driver's call as plain data, and the modes that its dimensions are."""
    m = asked.map
    found: dict[str, Any] = {
        name: [x if type(x) is int else str(x) for x in getattr(m, name)]
        for name in ("gdim", "gstrides", "box", "estrides")
    }
    found |= {"dtype": m.dtype, "swizzle": m.swizzle, "interleave": m.interleave, "fill": m.fill}
    found |= {"address": m.address}
    return found | ({"modes": [d.mode for d in asked.dims]} if asked.dims else {})


def _refused(asked: _Asked, error: LayoutError, as_json: bool) -> int:
    if error.code != "LC321":
        raise error
    if not as_json:
        raise error
    empty = dict.fromkeys(("layout", "tx_bytes", "footprint_bytes"))
    facts = {"rule": error.facts["rule"], "why": error.facts["why"], "nearest": error.facts["nearest"] or None}
    write_json({"schema": 1, "accepted": False, **facts, **empty, "arguments": _arguments(asked)})
    return 1


def _answer(asked: _Asked, report: Report | None, at: int, coords: tuple[int, ...], store: bool) -> dict[str, Any]:
    from laycalc.atoms.memory.tensor_told import traps

    m = asked.map
    answer: dict[str, Any] = {
        "schema": 1, "accepted": True, "rule": None, "layout": text_of(m.layout(at)), "tx_bytes": m.tx_bytes,
        "footprint_bytes": m.footprint, "arguments": _arguments(asked), "notes": list(traps(m)),
    }  # fmt: skip
    if report is not None:
        answer |= {**conditions(report), "told": told(report)}
    if asked.filled is not None:
        answer["boxes"] = _filled(asked.filled)
    if coords or at:
        answer |= _copy(m, coords or (0,) * len(m.gdim), at, store)
    return answer


def _filled(found: Filling) -> dict[str, Any]:
    return {
        "count": found.count, "box": list(found.box), "origins": [list(origin) for origin in found.origins],
        "places": list(found.places),
    }  # fmt: skip


def _copy(m: TensorMap, coords: tuple[int, ...], at: int, store: bool) -> dict[str, Any]:
    """A copy that starts at some coordinates: what lies outside, and what ends the launch."""
    from laycalc.atoms.memory.tensor_map import fault

    if len(coords) != len(m.gdim):
        raise Failure(Diagnostic("LC103", f"--coords wants {len(m.gdim)} numbers, not {len(coords)}"))
    if any(type(x) is not int for x in m.gdim):
        raise Failure(Diagnostic("LC106", "--coords needs the extents of the tensor; give values with -D"))
    ends = fault(m, coords, at, store=store)
    found: dict[str, Any] = {"coords": list(coords), "at": at, "outside": m.outside(coords)}
    found |= {"outside_value": f"0x{m.outside_value:0{2 * m.bytes}x}", "fault": None}
    return found if ends is None else {**found, "fault": {"rule": ends.rule, "why": ends.why}}


def _tell(asked: _Asked, answer: dict[str, Any]) -> None:
    m = asked.map
    names = {"swizzle": m.swizzle, "interleave": m.interleave}
    said = ", ".join(f"{name} {value}" for name, value in names.items() if value != "none") or "no swizzle"
    verdict = "accepted" if "verdict" not in answer else "accepted " + answer["told"][0].removeprefix("valid ")
    write_line(f"{verdict}: {m.dtype}, {said}, innermost first")
    for i, (extent, size) in enumerate(zip(m.gdim, m.box, strict=True)):
        mode = f" (mode {asked.dims[i].mode})" if asked.dims else ""
        stride = f"{m.bytes if i == 0 else m.gstrides[i - 1]} bytes apart"
        write_line(f"  dimension {i}{mode}: {extent} elements {stride}, box {size}")
    write_line(f"  lands at     {answer['layout']}")
    write_line(f"  barrier      {m.tx_bytes} bytes")
    if m.footprint != m.tx_bytes:
        write_line(f"  shared       {m.footprint} bytes")
    if asked.filled is not None:
        _tell_boxes(asked.filled)
    if "multicast" in answer:
        _tell_multicast(answer["multicast"])
    if "outside" in answer:
        write_line(f"  at ({','.join(map(str, answer['coords']))})  {answer['outside']} elements outside the tensor")
        if answer["fault"]:
            write_line(f"  ends the launch by rule {answer['fault']['rule']}: {answer['fault']['why']}")
    for note in [*answer.get("told", [])[1:], *answer["notes"]]:
        write_line(f"  note: {note}")


def _tell_boxes(found: Filling) -> None:
    boxes = "1 box" if found.count == 1 else f"{found.count} boxes"
    write_line(f"  fills        the tile: {boxes} of {' x '.join(map(str, found.box))}")
    for origin, place in list(zip(found.origins, found.places, strict=True))[:LISTED]:
        write_line(f"    at +({','.join(map(str, origin))}) to byte {place}")
    if found.count > LISTED:
        write_line(f"    and {found.count - LISTED} more")


def _tell_multicast(found: dict[str, Any]) -> None:
    size, pair = " x ".join(map(str, found["cluster"])), ", an MMA of two blocks" * (found["pair"] == 2)
    box = " x ".join(map(str, found["box"]))
    shared = f"each reads {box}, {found['sharers']} share a box"
    write_line(f"  multicast    {found['operand']} in a cluster of {size}{pair}: {shared}")
    for part in found["parts"]:
        where = f"+({','.join(map(str, part['origin']))}) to byte {part['place']}"
        receivers = ", ".join(map(str, part["receivers"]))
        block = ",".join(map(str, part["block"]))
        write_line(f"    block {part['rank']} ({block}) reads {where}, for {receivers} (mask {part['mask']})")
