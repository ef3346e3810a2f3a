"""The steps of `conflicts` in words: lanes, words, banks, wavefronts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["ACCESSES"]

Detail = list[tuple[str, str]]
"""Lines below a step that it implies: (rule, words)."""


def _access(facts: dict[str, Any]) -> tuple[str, Detail]:
    passes, lanes = facts["passes"], facts["lanes"]
    served = f"all {lanes} lanes in one pass" if passes == 1 else f"{passes} passes of {lanes} lanes"
    if facts["op"].startswith(("ldm", "stm")):
        served = f"{passes} passes of 8 lines" if passes > 1 else "one pass of 8 lines"
    text = f"{facts['instructions']} instructions {facts['op']}, {facts['width']} bytes a lane: {served}"
    return text, [("machine", f"{facts['machine'].name}: {facts['machine'].known}")]


def _lanes(facts: dict[str, Any]) -> tuple[str, Detail]:
    """A pass over F2: the words it asks for, and the banks that they lie in."""
    offsets = ", ".join(map(str, facts["offsets"]))
    words, banks = facts["words"], facts["banks"]
    each = 1 << (words - banks)
    spread = f"{1 << words} words in {1 << banks} bank{'s' * (banks > 0)}"
    text = f"the lanes of a pass start at XORs of the offsets {offsets}: {spread}"
    return text, [("banks", f"each bank has {each} word{'s' * (each > 1)} to give, one a wavefront")]


def _bank(facts: dict[str, Any]) -> tuple[str, Detail]:
    more = f", {facts['more']} more" if facts["more"] > 0 else ""
    counted = "; cp.async.ca counts lanes, not words" if facts["copy"] else ""
    return f"the dearest, {facts['label']}: bank {facts['bank']} gives {facts['told']}{more}{counted}", []


def _requests(facts: dict[str, Any]) -> tuple[str, Detail]:
    text = "cp.async.cg passes the load and store pipe by: no wavefront, no bank conflict"
    return text, [("sectors", f"{facts['sectors']} requests of 32-byte sectors, {facts['ideal']} would be ideal")]


def _wavefronts(facts: dict[str, Any]) -> tuple[str, Detail]:
    total, ideal = facts["total"], facts["ideal"]
    return f"{total} wavefronts, {ideal} without any conflict: {total - ideal} too many", []


ACCESSES: dict[str, Callable[[dict[str, Any]], tuple[str, Detail]]] = {
    "access": _access,
    "lanes": _lanes,
    "bank": _bank,
    "requests": _requests,
    "wavefronts": _wavefronts,
}
"""The words of each step."""
