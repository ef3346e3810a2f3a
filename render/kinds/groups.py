"""The hues of owners: one for each group of threads, and one for each set of groups that share cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..scene.palette import GROUPS, SERIES
from ..scene.roles import QUAD, group_role
from ..scene.scene import Key
from .owners import ranges

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..scene.options import Options
    from ..scene.scene import Cell, Panel
    from .operands import Held
    from .owners import Owner

Set = tuple[int, ...]
"""The numbers of the groups that own a cell."""


class Groups:
    """One assignment of hues for all the operands of a scene.

    Up to 8 threads have a hue each; a warp is cut into 8 groups (of 4 threads, the quads, where it has 32); more
    threads have a hue for each warp. Cells of several groups have a hue for each set of them. Odd threads take the
    second tone, and the text of a cell always names them: identity never rests on colour alone.
    """

    def __init__(self, operands: Iterable[Held], options: Options) -> None:
        owners = {own for held in operands for own in held.owned.values() if own}
        self.options = options
        self.by = options.color_by
        self.unit = "V" if self.by == "value" else next((held.operand.unit for held in operands), "T")
        self.threads = max((t for own in owners for t, _ in own), default=0) + 1
        self.step, self.noun = self._step()
        self.known: dict[tuple[Owner, ...], Set] = {own: self._groups(own) for own in owners}
        self.everyone = tuple(sorted({g for groups in self.known.values() for g in groups}))
        sets = set(self.known.values())
        self.hues = self._hues(sets)
        self.pixels = {groups: self._pixel(groups) for groups in sorted(sets)}

    def _step(self) -> tuple[int, str]:
        """How many threads a group has, and what it is called."""
        if self.by == "value" or self.unit == "CTA":
            return 1, self.unit
        if self.by == "warp" or (self.by is None and self.threads > self.options.warp):
            return self.options.warp, "warp"
        if self.by == "quad":
            return QUAD, "quad"
        if self.by == "thread" or self.threads <= GROUPS:
            return 1, "T"
        step = max(QUAD, -(-min(self.threads, self.options.warp) // GROUPS))
        return step, "quad" if step == QUAD else "group"

    def _groups(self, own: tuple[Owner, ...]) -> Set:
        return tuple(sorted({(v if self.by == "value" else t // self.step) for t, v in own}))

    def _hues(self, sets: set[Set]) -> dict[Set, int]:
        """Groups have the hue of their number, sets the ones after; more sets than there are hues have none."""
        single = [groups for groups in sets if len(groups) == 1]
        hues: dict[Set, int] = {groups: groups[0] % SERIES for groups in single}
        shared = sorted(groups for groups in sets if len(groups) > 1 and groups != self.everyone)
        first = max((groups[0] for groups in single), default=-1) + 1
        if first + len(shared) <= SERIES:
            hues |= {groups: first + k for k, groups in enumerate(shared)}
        return hues

    def role(self, own: tuple[Owner, ...]) -> str:
        """The role of a cell with these owners."""
        if self.by == "none":
            return "plain"
        # print_latex knows one owner only, and so does its theme.
        if self.options.bare and self.by is None:
            return f"c{own[0][0] % GROUPS}"
        hue = self.hues.get(self.known[own])
        if hue is None:
            return "mixed"
        odd = self.step > 1 and all(t % 2 for t, _ in own)
        return group_role(hue, second=odd)

    def pixel(self, own: tuple[Owner, ...]) -> str:
        """The role of a cell in a heat map: no tone for odd threads, the second one for what would be hatched."""
        return self.pixels[self.known[own]]

    def _pixel(self, groups: Set) -> str:
        hue = self.hues.get(groups)
        if hue is None or self.by == "none":
            return "plain" if self.by == "none" else "mixed"
        return group_role(hue % GROUPS, second=hue >= GROUPS)

    def legend(self, panels: Sequence[Panel]) -> tuple[Key, ...]:
        """What the colours and marks of some panels mean, groups first."""
        if any(panel.raster for panel in panels):
            return tuple(self._heat_keys())
        cells = [cell for panel in panels for cell in panel.cells if cell.owners]
        roles = {cell.role: self.known[cell.owners] for cell in cells if cell.role not in ("plain", "chosen")}
        everyone = roles.pop("mixed", None)
        hues = {role.replace("d", "c"): self._named(groups) for role, groups in roles.items()}
        found = [Key(role, hues[role]) for role in sorted(hues, key=lambda role: int(role[1:]))]
        found += [Key(role, "fainter: odd threads") for role in sorted(roles) if role[0] == "d"][:1]
        return (*found, *self._marks(cells, everyone))

    def _marks(self, cells: list[Cell], everyone: Set | None) -> Iterator[Key]:
        """What the mark of shared cells means, and the colour of those that too many share."""
        if any(cell.mark == "shared" and cell.role != "mixed" for cell in cells):
            yield Key("plain", "several owners", "shared")
        if everyone is not None:
            text = f"every {self._noun}" if everyone == self.everyone else "owners of several groups"
            yield Key("mixed", text, "shared")

    @property
    def _noun(self) -> str:
        return self.noun if self.step > 1 else "thread"

    def _heat_keys(self) -> list[Key]:
        found: dict[str, str] = {}
        for groups, role in self.pixels.items():
            if role not in ("plain", "mixed"):
                found.setdefault(role, self._named(groups))
        everyone = [Key("mixed", f"every {self._noun}, or several of them")]
        return [Key(role, found[role]) for role in sorted(found)] + everyone

    def _named(self, groups: Set) -> str:
        """A group or a set of them in words."""
        if self.options.bare and self.by is None:
            return f"thread mod {GROUPS} = {groups[0] % GROUPS}"
        if len(groups) == 1 and self.everyone[-1] >= SERIES:
            return f"{self.noun} mod {SERIES} = {groups[0] % SERIES}"
        if self.step == 1:
            return f"{self.noun}{ranges(groups)}"
        if len(groups) > 1:
            return f"{self.noun}s {ranges(groups)}"
        first = groups[0] * self.step
        return f"{self.noun} {groups[0]} (T{first}–{first + self.step - 1})"
