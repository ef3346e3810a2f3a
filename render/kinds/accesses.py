"""An access to shared memory: what one pass of a warp instruction asks for, and what each bank has to serve."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from laycalc.algebra.base.errors import refuse

from ..scene.axes import index_axis
from ..scene.crop import cropped
from ..scene.palette import SERIES
from ..scene.roles import BANKS, group_role
from ..scene.sample import Samples
from ..scene.scene import Cell, Key, Panel, Scene, around
from .grid import grid_panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laycalc.atoms.memory.banks import BankReport, Phase
    from laycalc.atoms.memory.pattern import Pattern

    from ..scene.options import Options


def access_scene(value: Any, options: Options) -> Scene:
    """The layout with the lanes of the dearest pass, each in the colour of its wavefront, above the banks that it hits.

    The access is the ``access``-th of those that read the layout, the dearest one unless it is said.
    """
    from laycalc.atoms.memory.pattern import Pattern

    if not 1 <= Samples(value).rank <= 2:
        raise refuse("LC103", "a picture of an access takes a layout of rank 1 or 2", op="draw")
    lanes = options.lanes or "row"
    bits = options.bits or (16 if lanes in ("ldmatrix", "stmatrix") else 32)
    view = view_of(value, Pattern(bits, options.vector, lanes), options)
    return options.scene(
        "bank",
        [view.cells, view.banks],
        f"{value} read by {view.op}, lanes along {lanes}: access {view.number}, {view.served}. Every cell that they "
        f"ask for names its lane and its bank and has the colour of its wavefront; wavefront 0 is framed.",
        caption=f"{value}, elements of {bits} bits\n{lanes}, {view.op}: access {view.number} of {view.among}"
        f"{view.passes}, {view.served}: {view.told}",
        legend=keys_of([view.phase]),
    )


class View(NamedTuple):
    """The dearest pass of an access: its cells, what each bank has to serve, and what is said of it."""

    cells: Panel
    banks: Panel
    op: str
    number: int
    among: int
    phase: Phase
    passes: str
    served: str

    @property
    def told(self) -> str:
        """What the pass costs."""
        return f"{self.phase.wavefronts} wavefront{'s' * (self.phase.wavefronts > 1)}"


def view_of(value: Any, pattern: Pattern, options: Options) -> View:
    """The dearest pass of a pattern on a layout, or of the instruction that ``options.access`` numbers."""
    from laycalc.atoms.memory.banks import bank_conflicts
    from laycalc.atoms.memory.patterns import accesses

    reports = list(map(bank_conflicts, accesses(value, pattern)))
    number = _chosen(reports, options)
    report = reports[number]
    phase = max(report.phases, key=lambda p: p.wavefronts)
    counts = [len({r.address for r in phase.requests if r.bank == bank}) for bank in range(BANKS)]
    grid = grid_panel(value, replace(options, color_by="none", bits=pattern.bits))
    top = _cells(grid if options.crop is None else cropped(grid, options.crop), report, phase, counts, pattern.bits)
    passes = f", pass {report.phases.index(phase)} of {len(report.phases)}" if len(report.phases) > 1 else ""
    served = f"lanes {phase.lanes[0]}–{phase.lanes[-1]}"
    return View(top, _banks(counts), report.access.op, number, len(reports), phase, passes, served)


def _chosen(reports: Sequence[BankReport], options: Options) -> int:
    """The number of the access that is shown; LC103 if there is none of it."""
    if options.access is None:
        return max(range(len(reports)), key=lambda k: (reports[k].wavefronts, -k))
    if options.access < len(reports):
        return options.access
    raise refuse(
        "LC103",
        "access {access} is none of the {count} that read the layout, counted from 0",
        op="draw",
        access=options.access,
        count=len(reports),
    )


def keys_of(phases: Sequence[Phase]) -> list[Key]:
    """The legend of some passes."""
    most = max(phase.wavefronts for phase in phases)
    name = "wavefront" if most <= SERIES else f"wavefront mod {SERIES} ="
    used = sorted({r.wavefront for phase in phases for r in phase.requests})
    return [
        *(Key(group_role(w), f"{name} {w}") for w in used[:SERIES]),
        Key("plain", "its bank is asked for several words", "shared"),
        Key("plain", "not in this pass"),
    ]


def _cells(panel: Panel, report: BankReport, phase: Phase, counts: list[int], bits: int) -> Panel:
    """The cells of the layout's grid: what a lane asks for, what the pass asks for, and the first wavefront framed."""
    width = _bytes(report)
    asked = {start + byte: lane for lane, start in report.access.active() for byte in range(width)}
    wavefronts = {(r.lane, r.address // 4): r.wavefront for r in phase.requests}
    cells, first = [], set()
    for cell in panel.cells:
        byte = int(cell.value) * bits // 8
        lane = asked.get(byte)
        wavefront = None if lane is None else wavefronts.get((lane, byte // 4))
        bank = byte // 4 % BANKS
        said = f" bank {bank}" if lane is None else f" bank {bank} lane {lane}"
        lines = (cell.value,) if lane is None else (f"T{lane}", f"b{bank}")
        if wavefront == 0:
            first.add((cell.row, cell.column))
        if wavefront is not None:
            said += f" wavefront {wavefront}"
        role = "plain" if wavefront is None else group_role(wavefront)
        mark = "shared" if wavefront is not None and counts[bank] > 1 else ""
        cells.append(cell._replace(lines=lines, role=role, title=cell.title + said, mark=mark))
    frame = around("chosen", panel.rows, panel.columns, first)
    return replace(panel, cells=tuple(cells), frames=(*panel.frames, frame))


def _bytes(report: BankReport) -> int:
    from laycalc.atoms.memory.banks import operation

    return operation(report.access.op).bytes


def _banks(counts: list[int]) -> Panel:
    """A row of the 32 banks with how many words each has to serve."""
    cells = tuple(
        Cell(
            0,
            bank,
            (str(words),) if words else (),
            "chosen" if words > 1 else "plain",
            f"bank {bank}: {words} word{'s' * (words != 1)}",
            str(words),
            mark="shared" if words > 1 else "",
        )
        for bank, words in enumerate(counts)
    )
    return Panel(1, BANKS, cells, "words that each bank has to serve", (1, 0), column_axis=index_axis(range(BANKS)))
