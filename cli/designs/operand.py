"""``laycalc design copy --mma``: between shared memory and the registers of a tiled MMA."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from laycalc.atoms.memory.walks import Tile

from ..streams.output import write_json, write_line
from .request import Request, refuse

if TYPE_CHECKING:
    from laycalc.design.copy.operands import OperandCopy

__all__ = ["operand_copy"]

_SHARED = re.compile(r"shared\s+(.+)")


def operand_copy(request: Request, tile: Tile, bits: int, arch: str) -> int:
    """Tell which instructions load or store an operand; exit code 1 if the best has conflicts."""
    from laycalc.atoms.tiling.mma_tiling import TiledMMA
    from laycalc.design.copy.operands import operand_copies
    from laycalc.grammar.forms import write
    from laycalc.grammar.run.statements import evaluate

    letter, text = _operand(request), request.options["mma"]
    store = letter == "C"
    shared = _SHARED.fullmatch(request.options["dst" if store else "src"].strip())
    if shared is None or request.options["src" if store else "dst"].strip() not in ("register", "registers"):
        raise refuse("with --mma, A and B go from 'shared LAYOUT' to 'register', C from 'register' to 'shared LAYOUT'")
    layout, mma = request.layout(shared[1]), request.value(text)
    if not isinstance(mma, TiledMMA):
        raise refuse(f"--mma {text} is no tiled MMA")
    if [mode.size for mode in (layout[0], layout[1])] != [tile.rows, tile.columns]:
        raise refuse(f"{layout} is no layout of {tile}")
    found = operand_copies(mma, letter, layout, bits, arch, store=store)
    checks = _checks(found[0], str(layout), text)
    if request.options["json"]:
        copies = [{"atom": c.atom, "wavefronts": c.wavefronts, "ideal": c.ideal} for c in found]
        write_json({"schema": 1, "operand": letter, "copies": copies, "check": checks})
    else:
        for copy in found:
            write_line(f"{copy.atom}: {copy.wavefronts} wavefronts, {copy.ideal} ideal")
        write_line(f"C++   {write(evaluate(found[0].tiled(text), request.scope), 'cpp')}")
        for line in checks:
            write_line(f"check // laycalc: {line}")
    return 0 if found[0].wavefronts == found[0].ideal else 1


def _operand(request: Request) -> str:
    letter: str = (request.options["operand"] or "A").upper()
    if letter not in "ABC" or len(letter) != 1:
        raise refuse(f"--operand is A, B or C, not {letter}")
    return letter


def _checks(copy: OperandCopy, layout: str, mma: str) -> list[str]:
    way = "write" if copy.operand == "C" else "read"
    return [f'assert conflicts({layout}, {copy.bits}, "{way}", {copy.tiled(mma)}) == {copy.wavefronts - copy.ideal}']
