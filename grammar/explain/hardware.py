"""The steps of `descriptor` and `tensor_map` in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..language.values import text_of

__all__ = ["HARDWARE"]

Detail = list[tuple[str, str]]
"""Lines below a step that it implies: (rule, words)."""


def _canonical(facts: dict[str, Any]) -> tuple[str, Detail]:
    return f"{facts['operand']} in mode {facts['mode']} is {facts['form']}; the strides are {facts['plain']}", []


def _run(facts: dict[str, Any]) -> tuple[str, Detail]:
    where, count, stride = facts["where"], text_of(facts["count"]), text_of(facts["stride"])
    return f"mode {where}: {count} elements {stride} apart", []


def _groups(facts: dict[str, Any]) -> tuple[str, Detail]:
    where, count, stride = facts["where"], text_of(facts["count"]), text_of(facts["stride"])
    return f"mode {where}: then {count} groups {stride} elements apart, a multiple of {facts['unit']} (16 bytes)", []


def _descriptor(facts: dict[str, Any]) -> tuple[str, Detail]:
    """The fields in bytes, and where the instructions start."""
    found = facts["found"]
    lbo, sbo = ("not read" if x is None else f"{text_of(x)} bytes" for x in (found.lbo, found.sbo))
    detail: Detail = [("fields", f"start {text_of(found.start)}, base offset {found.base_offset}, mode {found.mode}")]
    if found.desc is not None:
        detail.append(("bits", f"the bits for start 0 are {found.desc}"))
    for name, steps in (("k", found.steps_k), ("mn", found.steps_mn)):
        if not (type(steps.size) is int and steps.size == 1):
            detail.append(("steps", f"the start of step i along {name} is +{steps}(i) bytes"))
    return f"LBO is {lbo}, SBO {sbo}", detail


def _tensor_map(facts: dict[str, Any]) -> tuple[str, Detail]:
    """The rules in order, and the formula of the placement with its numbers."""
    m, rule = facts["found"], facts["broken"]
    if rule:
        return f"rule {rule} is broken", []
    order = ", ".join(f"x{i} < {n}" for i, n in enumerate(m.counts))
    size, pitch = m.bytes, m.pitch
    rows = "".join(f" + {pitch * _rows(m.counts, i)}*x{i}" for i in range(1, len(m.counts)))
    detail: Detail = [("placement", f"a = smem + {size}*x0{rows} for {order}")]
    if m.swizzle != "none":
        detail.append(("swizzle", f"address = a XOR ((a >> 7) mod {pitch // 16}) << 4"))
    detail.append(("bytes", f"the barrier counts {m.tx_bytes} bytes, the box spans {m.footprint}"))
    return "the rules R1 to R14 of the driver hold", detail


def _rows(counts: tuple[int, ...], i: int) -> int:
    product = 1
    for n in counts[1:i]:
        product *= n
    return product


HARDWARE: dict[str, Callable[[dict[str, Any]], tuple[str, Detail]]] = {
    "canonical": _canonical,
    "run": _run,
    "groups": _groups,
    "descriptor": _descriptor,
    "tensor map": _tensor_map,
}
"""The words of each step."""
