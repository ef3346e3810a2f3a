"""Coalesce: the same function with the fewest flat modes (CuTe paper, section 3.3)."""

from __future__ import annotations

from typing import Any

from ..base.decide import known_same
from ..base.errors import refuse
from ..base.words import word
from .htuple import Nested, Pattern, format_htuple
from .layout import Layout, make, nested
from .semimodule import continues

Modes = list[tuple[Any, Any]]


def merged(shape: tuple[Any, ...], stride: tuple[Any, ...]) -> Modes:
    """Flat modes (extent, stride) without size-1 modes, neighbours merged wherever one continues the other."""
    modes: Modes = []
    s0: Any = 1
    d0: Any = 0
    for s, d in zip(shape, stride, strict=True):
        # Asked in place where all are integers: coalescing is a part of nearly everything.
        if s == 1 if type(s) is int else known_same(s, 1):
            continue
        if modes and (d == s0 * d0 if type(d) is type(d0) is type(s0) is int else continues(s0, d0, d)):
            s0 = s0 * s
            modes[-1] = (s0, d0)
        else:
            s0, d0 = s, d
            modes.append((s, d))
    return modes


def open_modes(layout: Layout) -> Modes:
    """The modes of the left operand of a composition, at least one: `merged`, and a trailing size-1 mode is kept.

    A final 1:d matters because it defines the values past the end; it is dropped only where it continues
    the mode before it (d = s*d_prev), which then says the same.
    """
    shape, stride = layout.flat()
    modes = merged(shape, stride)
    if not shape:
        return [(1, 0)]
    if known_same(shape[-1], 1) and not (modes and continues(*modes[-1], stride[-1])):
        modes.append((1, stride[-1]))
    return modes


def extend(modes: Modes, s: Any, d: Any) -> None:
    """Append s:d to integer modes; it merges where it continues the last one."""
    if modes:
        extent, stride = modes[-1]
        if known_same(d, extent * stride):
            modes[-1] = (extent * s, stride)
            return
    modes.append((s, d))


def pair(modes: Modes) -> tuple[Nested, Nested]:
    """Shape and stride from flat modes: ``1:0`` for none, depth 0 for one."""
    if len(modes) == 1:
        return modes[0]
    if not modes:
        return 1, 0
    return tuple([s for s, _ in modes]), tuple([d for _, d in modes])


def unwrap(modes: Modes) -> Layout:
    """A layout from flat modes: ``1:0`` for none, depth 0 for one."""
    return make(*pair(modes))


@word("""
    algebra: coalesce(L: any-layout, profile: profile?)
    the same function with the fewest modes; by mode with a profile
    law: R(i) = L(i)
    coalesce((2,(1,6)):(1,(6,2)))
    over: inside
""")
def coalesce(layout: Layout, profile: Pattern = None) -> Layout:
    """The layout of minimal rank with the same integer function; with a profile, mode by mode.

    Law: ``coalesce(L)(i) = L(i)`` for 0 <= i < |L|, depth at most 1. In ``profile`` a leaf other than None coalesces
    that mode (``(1, 1)``: two modes, each on its own), None leaves it alone, and surplus modes stay. LC305 if the
    profile is longer than the layout. Source: paper 3.3.

    >>> coalesce(Layout((2, (1, 6)), (1, (6, 2))))
    Layout('12:1')
    >>> coalesce(Layout(((2, 2), 2), ((2, 4), 1)), (1, 1))
    Layout('(4,2):(2,1)')
    """
    if profile is None:
        return unwrap(merged(*layout.flat()))
    return coalesce_by(layout, profile)


def coalesce_by(layout: Layout, profile: Pattern) -> Layout:
    """`coalesce` by mode; the leaves of ``profile`` say where."""
    if not isinstance(profile, tuple):
        return layout if profile is None else coalesce(layout)
    modes = layout.modes()
    if len(profile) > len(modes) or not isinstance(layout.shape, tuple):
        raise refuse(
            "LC305",
            "profile {profile} of rank {left} for a layout of rank {right}",
            op="coalesce",
            profile=format_htuple(profile),
            left=len(profile),
            right=len(modes),
            right_path=(),
        )
    done = [coalesce_by(mode, p) for mode, p in zip(modes, profile, strict=False)]
    done += modes[len(profile) :]
    return nested(done)
