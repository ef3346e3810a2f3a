"""One hardware instruction as data: what it computes or moves, and which thread holds which element.

Conventions. The layouts of a matrix instruction map (thread, value) to the column-major index of the operand's
tile: m + M*k for A, n + N*k for B, m + M*n for C, plus (M*K, N*K, M*N)*block where one instruction makes several
products. The layouts of a copy map (thread, bit) to a bit number. ``thr_id`` sends the logical thread of the
layouts to the lane of the warp.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from laycalc.algebra.base.above import Pictured, written
from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Atom", "Entry", "Types", "read_layout"]


class Types(NamedTuple):
    """The element types of a matrix instruction; ``SF`` is the type of the scale factors, if it has any."""

    A: str
    B: str
    C: str
    D: str
    SF: str | None = None


class Entry(NamedTuple):
    """A line of the catalogue: everything that a listing or a filter needs, and no layout.

    ``source`` names the module that makes the atom and ``key`` is what it needs to know for that; ``later`` are
    the architectures after ``arch`` that have the instruction too.
    """

    name: str
    vendor: str
    arch: str
    kind: str
    shape: tuple[int, int, int] | None
    threads: int
    types: Types | None
    source: str
    key: Any
    later: tuple[str, ...] = ()

    @property
    def architectures(self) -> tuple[str, ...]:
        """Every architecture that has the instruction, the first one first."""
        return (self.arch, *self.later)


class Atom(Pictured, Record):
    """A hardware instruction of the catalogue; what does not apply is None or empty.

    ``shape`` is (M, N, K) of one product, ``threads`` counts lanes (thread blocks for tcgen05). ``status`` is how its
    layouts were confirmed: ``hardware`` (element by element on a GPU), ``differs`` (the GPU differs from CuTe's model,
    see ``note``), ``source`` (the vendor's own code or calculator) or ``specification``; ``evidence`` says it in words.
    """

    name: str
    vendor: str
    arch: str
    kind: str
    threads: int
    thr_id: Layout
    shape: tuple[int, int, int] | None = None
    types: Types | None = None
    A: Layout | None = None
    B: Layout | None = None
    C: Layout | None = None
    E: Layout | None = None
    SFA: Layout | None = None
    SFB: Layout | None = None
    src: Layout | None = None
    dst: Layout | None = None
    ref: Layout | None = None
    value_bits: int | None = None
    template: str | None = None
    tmem: Layout | None = None
    ptx: tuple[str, ...] = ()
    cpp: str = ""
    aliases: tuple[str, ...] = ()
    family: str = ""
    places: tuple[str, str, str] | None = None
    broadcast: tuple[str, ...] = ()
    sparse: int = 0
    blocks: int = 1
    containers: tuple[int, int] | None = None
    scale_vector: int | None = None
    architectures: tuple[str, ...] = ()
    target: str = ""
    tile_order: tuple[Layout, Layout, Layout] | None = None
    hardware_dst: Layout | None = None
    note: str = ""
    status: str = "source"
    evidence: str = ""

    __repr__ = written

    def __str__(self) -> str:
        return f'atom("{self.name}")'

    @property
    def operands(self) -> tuple[str, ...]:
        """The names of the layouts that this atom has, in the order that a report shows them."""
        names = ("A", "B", "C", "E", "SFA", "SFB", "src", "dst", "ref")
        return tuple(name for name in names if getattr(self, name) is not None)

    def operand(self, name: str) -> Layout:
        """The thread-value layout of an operand (``D`` is ``C``); LC103 if the atom has none of that name."""
        known = {own.upper(): own for own in self.operands}
        known |= {"S": "src", "D": "dst"} if self.kind == "copy" else {"D": "C"}
        own = known.get(name.upper(), "")
        if own in self.operands:
            layout: Layout = getattr(self, own)
            return layout
        raise refuse(
            "LC103",
            "{atom} has no operand {operand!r}; it has {operands}",
            op="atom",
            atom=self.name,
            operand=name,
            operands=", ".join(self.operands) or f"only the template {self.template}, N bits an instruction",
        )

    def sized(self, bits: int) -> Atom:
        """A parametric copy (TMA) that moves ``bits`` bits an instruction; LC103 for any other atom."""
        if self.template is None:
            raise refuse("LC103", "{atom} has a fixed size", op="atom", atom=self.name)
        side = read_layout(self.template.replace("N", str(bits)))
        return self.replace(src=side, dst=side, ref=side, template=None, value_bits=bits)

    def extents(self, operand: str) -> tuple[int, ...]:
        """The extents of an operand's tile: (M, K), (N, K) or (M, N), and the number of blocks if there are several.

        A sparse A of AMD counts the K/2 kept values and its index E the K/4 groups of four; LC103 for a copy.
        """
        self.operand(operand)
        if self.shape is None:
            raise refuse("LC103", "{atom} is a copy and has no tile", op="atom", atom=self.name)
        m, n, k = self.shape
        halved = self.sparse and self.vendor == "amd"
        pairs = {
            "A": (m, k // 2 if halved else k),
            "B": (n, k),
            "E": (m, k // 4 if halved else k),
            "SFA": (m, k),
            "SFB": (n, k),
        }
        extents = pairs.get(operand.upper(), (m, n))
        return (*extents, self.blocks) if self.blocks > 1 else extents


def read_layout(text: str) -> Layout:
    """A layout of integer strides from its own text, nested parentheses kept.

    >>> read_layout("((4,8),(8)):((64,1),(8))")
    Layout('((4,8),(8)):((64,1),(8))')
    """
    shape, stride = text.replace("(", "[").replace(")", "]").split(":")
    return Layout(json.loads(shape), json.loads(stride))


def tuple_of(values: Iterable[int]) -> Any:
    """A tuple of several values, the value itself for one."""
    found = tuple(values)
    return found[0] if len(found) == 1 else found


def modes(*pairs: tuple[Any, Any]) -> Layout:
    """A layout from (extent, stride) pairs, one a mode; a single mode is a leaf."""
    return Layout(tuple_of(s for s, _ in pairs), tuple_of(d for _, d in pairs))
