"""The only module that knows colours: a theme gives every role its fill and text, every pen its line.

Roles: ``c0``..``c7`` groups (threads, quads, warps, tiles), ``c8``..``c15`` more of them, hatched; ``d0``..``d15`` the
second tone of the same hue; ``o0``.. the ramp of offsets, ``h0``.. that of heat maps, ``plain``, ``mixed`` (everybody,
or too many), ``hole``, ``chosen``, ``differs``. The groups were searched so that any two differ by a CIEDE2000 of 10 to
normal sight and 8 to every kind of colour-blindness; those of "print" differ in lightness too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from laycalc.algebra.base.errors import refuse

GROUPS = 8
"""How many groups have a hue of their own."""
SERIES = 2 * GROUPS
"""How many groups are told apart: those beyond the hues are hatched."""


@dataclass(frozen=True, slots=True)
class Paint:
    """Fill and text of a role, ``#rrggbb``; ``hatch`` is the colour of the lines across it, or ""."""

    fill: str
    text: str
    hatch: str = ""


@dataclass(frozen=True, slots=True)
class Pen:
    """A line: colour, width in points of 1/72 inch at scale 1, and dashes (on, off) or ()."""

    colour: str
    width: float
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Theme:
    """A look.

    ``steps`` is the length of the offset ramp, ``heat`` that of heat maps; ``cyclic`` colours an offset by its
    remainder instead. ``bare`` leaves away nested headers, names, captions and tile borders, as print_latex does.
    """

    name: str
    page: str
    ink: str
    muted: str
    steps: int
    heat: int
    cyclic: bool
    bare: bool
    paints: dict[str, Paint] = field(repr=False)
    pens: dict[str, Pen] = field(repr=False)

    def paint(self, role: str) -> Paint:
        """The paint of a role; an unknown one is plain."""
        return self.paints.get(role) or self.paints["plain"]

    def pen(self, kind: str) -> Pen:
        """The pen of a frame or line; an unknown one is that of cells."""
        return self.pens.get(kind) or self.pens["cell"]


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of ``#rrggbb``."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mix(one: str, other: str, share: float) -> str:
    return "#" + "".join(
        f"{round(a + (b - a) * share):02x}" for a, b in zip(channels(one), channels(other), strict=True)
    )


def contrast(one: str, other: str) -> float:
    """The WCAG contrast of two colours, 1 to 21."""

    def luminance(colour: str) -> float:
        r, g, b = (c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in channels(colour))
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


INK = "#111111"
MUTED = "#565b63"
PAGE = "#ffffff"
_RAMP = ["#ffffd4", "#ffdb7e", "#b0d39c", "#67c6c3", "#21a4b4", "#3785b0", "#403da6", "#4c0d4a"]


def _on(fill: str, *, hatched: bool = False) -> Paint:
    """Dark text unless white is the easier to read."""
    text = INK if contrast(fill, INK) >= contrast(fill, "#ffffff") else "#ffffff"
    return Paint(fill, text, _mix(fill, text, 0.28) if hatched else "")


def _theme(name: str, groups: list[str], offsets: list[str], *, cyclic: bool, bare: bool, chosen: str) -> Theme:
    paints: dict[str, Paint] = {}
    for k in range(SERIES):
        hue, hatched = groups[k % GROUPS], k >= GROUPS
        paints |= {f"c{k}": _on(hue, hatched=hatched), f"d{k}": _on(_mix(hue, "#ffffff", 0.5), hatched=hatched)}
    paints |= {f"o{k}": _on(c) for k, c in enumerate(offsets)}
    stops = offsets if name == "print" else _RAMP
    paints |= {f"h{k}": _on(c) for k, c in enumerate(stops)}
    paints |= {
        "plain": Paint("#ffffff", "#4a4f57"),
        "mixed": _on("#dcdfe3"),
        "hole": Paint("#ffffff", "#6b7078"),
        "chosen": _on(chosen),
        "differs": _on("#f48da2" if name == "laycalc" else "#b4b4b4"),
    }
    soft, hard = ("#c3c8cf", "#1f2329") if name == "laycalc" else ("#000000", "#000000")
    pens = {
        "cell": Pen(soft, 0.5 if name != "cute" else 0.4),
        "rule": Pen("#c3c8cf", 0.5),
        "tile": Pen(hard, 1.0),
        "tile2": Pen(hard, 1.9),
        "block": Pen(hard, 1.9),
        "quad": Pen(hard, 0.8),
        "vector": Pen(hard, 0.8),
        "warp": Pen(hard, 2.0),
        "slice": Pen("#b3261e" if name == "laycalc" else "#000000", 2.2),
        "chosen": Pen("#b3261e" if name != "print" else "#000000", 2.4),
        "outer": Pen(hard, 1.0),
        "hole": Pen("#c3c8cf", 0.6),
        "mark": Pen(hard, 0.0),
        "arrow": Pen("#4a4f57", 1.2),
    }
    # The arrows of a morphism: "g0".. by the mode that they belong to, "split" for the rest; a second kind is dashed.
    arrows = {"split": Pen(MUTED, 1.0)} | {f"g{k}": Pen(_dark(c), 1.3) for k, c in enumerate(groups)}
    pens |= arrows | {f"{kind}-second": Pen(pen.colour, pen.width, (4, 3)) for kind, pen in arrows.items()}
    return Theme(name, PAGE, INK, MUTED, len(offsets), len(stops), cyclic, bare, paints, pens)


def _dark(colour: str) -> str:
    """A group's colour, darkened until a thin line is easy to see."""
    while contrast(colour, PAGE) < 4.5:
        colour = "#" + "".join(f"{c * 9 // 10:02x}" for c in channels(colour))
    return colour


_THEMES: dict[str, dict[str, Any]] = {
    "laycalc": {
        "groups": ["#6cadf3", "#d3c75f", "#f08b9f", "#aee49e", "#ba9dbe", "#89c8ba", "#c9a477", "#c5cef6"],
        "offsets": _RAMP,
        "cyclic": False,
        "bare": False,
        "chosen": "#ffd54a",
    },
    "print": {
        "groups": ["#bff7c4", "#e99681", "#dfd87b", "#33a9b7", "#c6b0e7", "#909251", "#7bd9b9", "#b36d87"],
        "offsets": ["#ffffff", "#d0d0d0", "#a9a9a9", "#898989", "#6f6f6f", "#535353", "#343434", "#131313"],
        "cyclic": False,
        "bare": False,
        "chosen": "#ffffff",
    },
    # The eight colours and eight greys of CUTLASS's print_latex, so that figures sit side by side with its own.
    "cute": {
        "groups": ["#afafff", "#afffaf", "#ffffaf", "#ffafaf", "#d2d2ff", "#d2ffd2", "#ffffd2", "#ffd2d2"],
        "offsets": ["#ffffff", "#999999", "#cccccc", "#666666", "#e6e6e6", "#808080", "#b3b3b3", "#4d4d4d"],
        "cyclic": True,
        "bare": True,
        "chosen": "#ffffaf",
    },
}


@cache
def theme_of(name: str) -> Theme:
    """The theme of a name; LC103 if there is none."""
    if name not in _THEMES:
        raise refuse(
            "LC103", "theme is one of {choices}, not {given}", op="draw", choices=", ".join(_THEMES), given=name
        )
    return _theme(name, **_THEMES[name])


def ramp(theme: Theme, count: int = 255) -> list[tuple[int, int, int]]:
    """The colours of a heat map, low to high: the offset ramp, interpolated."""
    stops = [theme.paints[f"h{k}"].fill for k in range(theme.heat)]
    colours = []
    for i in range(count):
        at = i * (len(stops) - 1) / (count - 1)
        k = min(int(at), len(stops) - 2)
        colours.append(channels(_mix(stops[k], stops[k + 1], at - k)))
    return colours
