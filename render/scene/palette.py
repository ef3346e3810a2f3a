"""The only module that knows colours: a theme gives every role its fill and text, every pen its line.

Roles: ``c0``..``c7`` groups (threads, quads, warps, tiles), ``c8``..``c15`` more of them, hatched; ``d0``..``d15`` the
second tone of the same hue; ``o0``.. the ramp of offsets, ``h0``.. that of heat maps, ``plain``, ``mixed`` (everybody,
or too many), ``hole``, ``chosen``, ``differs``. The groups were searched so that any two differ by a CIEDE2000 of 10 to
normal sight and 8 to every kind of colour-blindness; those of "print" differ in lightness too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

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


def code(colour: tuple[int, int, int]) -> str:
    """``#rrggbb`` of red, green and blue."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


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


INK, WHITE = "#111111", "#ffffff"
_RAMP = ("#ffffd4", "#ffdb7e", "#b0d39c", "#67c6c3", "#21a4b4", "#3785b0", "#403da6", "#4c0d4a")
_GREYS = ("#ffffff", "#d0d0d0", "#a9a9a9", "#898989", "#6f6f6f", "#535353", "#343434", "#131313")


@dataclass(frozen=True, slots=True)
class _Base:
    """What the paints and pens of a theme are made of; ``hard`` and ``soft`` lines, ``accent`` for what is picked."""

    groups: tuple[str, ...]
    offsets: tuple[str, ...] = _RAMP
    heat: tuple[str, ...] = _RAMP
    page: str = WHITE
    ink: str = INK
    muted: str = "#565b63"
    hard: str = "#1f2329"
    soft: str = "#c3c8cf"
    rule: str = "#c3c8cf"
    arrow: str = "#4a4f57"
    accent: str = "#b3261e"
    slice: str = "#b3261e"
    plain: Paint = field(default=Paint(WHITE, "#4a4f57"))
    hole: Paint = field(default=Paint(WHITE, "#6b7078"))
    mixed: str = "#dcdfe3"
    chosen: str = "#ffd54a"
    differs: str = "#f48da2"
    thin: float = 0.5
    cyclic: bool = False
    bare: bool = False


_BASES = {
    "laycalc": _Base(
        groups=("#6cadf3", "#d3c75f", "#f08b9f", "#aee49e", "#ba9dbe", "#89c8ba", "#c9a477", "#c5cef6"),
    ),
    # For slides: the same hues, deep; the greater an offset, the brighter.
    "dark": _Base(
        groups=("#02458b", "#6c6015", "#9e3c65", "#46683e", "#4f3460", "#056962", "#66390b", "#555b9d"),
        offsets=_RAMP[::-1],
        heat=_RAMP[::-1],
        page="#16181d",
        ink="#f2f3f5",
        muted="#a9b0ba",
        hard="#d5d8dd",
        soft="#4a5059",
        rule="#4a5059",
        arrow="#a9b0ba",
        accent="#ff7a6b",
        slice="#ff7a6b",
        plain=Paint("#22262d", "#c3c8cf"),
        hole=Paint("#16181d", "#8b919b"),
        mixed="#3a3f47",
        differs="#b3405c",
    ),
    "print": _Base(
        groups=("#bff7c4", "#e99681", "#dfd87b", "#33a9b7", "#c6b0e7", "#909251", "#7bd9b9", "#b36d87"),
        offsets=_GREYS,
        heat=_GREYS,
        hard="#000000",
        soft="#000000",
        accent="#000000",
        slice="#000000",
        chosen=WHITE,
        differs="#b4b4b4",
    ),
    # The eight colours and eight greys of CUTLASS's print_latex, so that figures sit side by side with its own.
    "cute": _Base(
        groups=("#afafff", "#afffaf", "#ffffaf", "#ffafaf", "#d2d2ff", "#d2ffd2", "#ffffd2", "#ffd2d2"),
        offsets=("#ffffff", "#999999", "#cccccc", "#666666", "#e6e6e6", "#808080", "#b3b3b3", "#4d4d4d"),
        hard="#000000",
        soft="#000000",
        slice="#000000",
        chosen="#ffffaf",
        differs="#b4b4b4",
        thin=0.4,
        cyclic=True,
        bare=True,
    ),
}
# A page's own look, which only SVG can follow; every other format takes the light one.
_BASES["auto"] = _BASES["laycalc"]
THEMES = tuple(_BASES)


def _on(fill: str, *, hatched: bool = False) -> Paint:
    """Dark text unless white is the easier to read."""
    text = INK if contrast(fill, INK) >= contrast(fill, WHITE) else WHITE
    return Paint(fill, text, _mix(fill, text, 0.28) if hatched else "")


def _paints(base: _Base) -> dict[str, Paint]:
    paints: dict[str, Paint] = {}
    for k in range(SERIES):
        hue, hatched = base.groups[k % GROUPS], k >= GROUPS
        paints |= {f"c{k}": _on(hue, hatched=hatched), f"d{k}": _on(_mix(hue, base.page, 0.5), hatched=hatched)}
    paints |= {f"o{k}": _on(c) for k, c in enumerate(base.offsets)}
    paints |= {f"h{k}": _on(c) for k, c in enumerate(base.heat)}
    named = {"mixed": base.mixed, "chosen": base.chosen, "differs": base.differs}
    return paints | {role: _on(c) for role, c in named.items()} | {"plain": base.plain, "hole": base.hole}


def _pens(base: _Base) -> dict[str, Pen]:
    # The arrows of a morphism: "g0".. by the mode that they belong to, "split" for the rest; a second kind is dashed.
    arrows = {"split": Pen(base.muted, 1.0)}
    arrows |= {f"g{k}": Pen(_seen(c, base), 1.3) for k, c in enumerate(base.groups)}
    dashed = {f"{kind}-second": Pen(pen.colour, pen.width, (4, 3)) for kind, pen in arrows.items()}
    hard = {"tile": 1.0, "tile2": 1.9, "block": 1.9, "quad": 0.8, "vector": 0.8, "warp": 2.0, "outer": 1.0, "mark": 0.0}
    return (
        {kind: Pen(base.hard, width) for kind, width in hard.items()}
        | arrows
        | dashed
        | {
            "cell": Pen(base.soft, base.thin),
            "rule": Pen(base.rule, 0.5),
            "hole": Pen(base.rule, 0.6),
            "slice": Pen(base.slice, 2.2),
            "chosen": Pen(base.accent, 2.4),
            "arrow": Pen(base.arrow, 1.2),
            "order": Pen("#9aa1ab", 1.1),
        }
    )


def _seen(colour: str, base: _Base) -> str:
    """A group's colour, nearer to that of ink until a thin line is easy to see."""
    share = 0.0
    while contrast(_mix(colour, base.ink, share), base.page) < 4.5:
        share += 0.05
    return _mix(colour, base.ink, share)


@cache
def theme_of(name: str) -> Theme:
    """The theme of a name; LC103 if there is none."""
    if name not in _BASES:
        said = "theme is one of {choices}, not {given}"
        raise refuse("LC103", said, op="draw", choices=", ".join(THEMES), given=name)
    base = _BASES[name]
    return Theme(
        name,
        base.page,
        base.ink,
        base.muted,
        len(base.offsets),
        len(base.heat),
        base.cyclic,
        base.bare,
        _paints(base),
        _pens(base),
    )


def ramp(theme: Theme, count: int = 255) -> list[tuple[int, int, int]]:
    """The colours of a heat map, low to high: the offset ramp, interpolated."""
    stops = [theme.paints[f"h{k}"].fill for k in range(theme.heat)]
    colours = []
    for i in range(count):
        at = i * (len(stops) - 1) / (count - 1)
        k = min(int(at), len(stops) - 2)
        colours.append(channels(_mix(stops[k], stops[k + 1], at - k)))
    return colours
