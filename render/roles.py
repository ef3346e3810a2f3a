"""Which role a cell takes: by offset, thread, value, warp, bank, tile or mode."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from .palette import GROUPS, Theme
from .scene import Key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["BANKS", "WARP", "bank_of", "bank_role", "group_role", "offset_roles", "ramp_keys", "thread_roles"]

WARP = 32
"""Threads of a warp."""
QUAD = 4
"""Threads of a quad."""
BANKS = 32
"""Banks of shared memory, four bytes wide each."""


def group_role(k: int) -> str:
    """The role of group k: eight hues, then the same again in the second tone."""
    return f"{'cd'[k // GROUPS % 2]}{k % GROUPS}"


def bank_of(offset: int, bits: int) -> int:
    """The bank that holds an element: offset in elements of ``bits`` bits, 32 banks of 4 bytes."""
    return offset * bits // 32 % BANKS


def bank_role(bank: int) -> str:
    """Four neighbouring banks share a hue; odd ones take the second tone."""
    return f"{'cd'[bank % 2]}{bank // 4 % GROUPS}"


def offset_roles(numbers: Sequence[int], theme: Theme) -> tuple[Callable[[int], str], tuple[Key, ...]]:
    """The role of a number from the range that ``numbers`` span, and the legend that explains it."""
    if theme.cyclic:
        n = theme.steps
        return (lambda v: f"o{v % n}"), tuple(Key(f"o{k}", f"offset mod {n} = {k}") for k in range(n))
    distinct = sorted(set(numbers))
    if len(distinct) <= theme.steps:
        roles = {v: f"o{k}" for k, v in enumerate(distinct)}
        return (lambda v: roles.get(v, "plain")), tuple(Key(r, str(v)) for v, r in roles.items())
    low, span, steps = distinct[0], distinct[-1] - distinct[0] + 1, theme.steps
    return (lambda v: f"o{(v - low) * steps // span}"), _range_keys("o", low, distinct[-1], steps)


def ramp_keys(low: int, high: int, theme: Theme, what: str = "") -> tuple[Key, ...]:
    """The legend of a heat map; ``what`` stands before the numbers."""
    keys = _range_keys("h", low, high, min(theme.heat, high - low + 1))
    return tuple(Key(k.role, what + k.text) for k in keys)


def _range_keys(letter: str, low: int, high: int, steps: int) -> tuple[Key, ...]:
    span = high - low + 1
    bounds = [low + -(-k * span // steps) for k in range(steps + 1)]
    return tuple(
        Key(f"{letter}{k}", f"{a}" if a == b - 1 else f"{a}–{b - 1}") for k, (a, b) in enumerate(pairwise(bounds))
    )


def thread_roles(
    threads: int, color_by: str | None, warp: int = WARP
) -> tuple[Callable[[int], str], Callable[[int], str]]:
    """The role of a thread, and the name of the group that its hue stands for.

    Up to 8 threads have a hue each; a warp is cut into 8 groups (of 4 threads, the quads, where it has 32); more
    threads have a hue for each warp. Odd threads take the second tone, and the text of a cell always names them:
    identity never rests on colour alone.
    """
    if color_by == "warp" or (color_by is None and threads > warp):
        step, name = warp, "warp"
    elif color_by == "quad":
        step, name = QUAD, "quad"
    elif threads <= GROUPS:
        return (lambda t: f"c{t}"), (lambda t: f"T{t}")
    else:
        step = max(QUAD, -(-min(threads, warp) // GROUPS))
        name = "quad" if step == QUAD else "group"

    def role(t: int) -> str:
        return f"{'cd'[t % 2]}{t // step % GROUPS}"

    def group(t: int) -> str:
        if threads > step * GROUPS:
            return f"{name} mod {GROUPS} = {t // step % GROUPS}"
        return f"{name} {t // step} (T{t // step * step}–{t // step * step + step - 1})"

    return role, group
