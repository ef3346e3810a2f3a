"""The tile and the permutations of a tiled MMA."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laycalc.atoms.memory.walks import Tile

from ..base.task import Read, Task
from ..copy.sides import side_of
from ..mma.search import Block, search
from ..smem.passes import fault

__all__ = ["TASK", "block_of"]


def block_of(task: Mapping[str, Any], read: Read) -> Block:
    """The block that a task asks for; LC103 for extents, stores or orders that are none."""
    match task["mnk"], task["atom_mnk"], task["bits"], task["warps"]:
        case [int(m), int(n), int(k)], [int(am), int(an), int(ak)], int(bits), int(warps) if min(
            m, n, k, am, an, ak, warps
        ) > 0 and bits in (4, 8, 16, 32, 64):
            pass
        case _:
            raise fault("mnk and atom_mnk are three extents, bits and warps numbers")
    order, bits_of_c, store = task["c_order"], task["c_bits"], task["store_bytes"]
    if order not in ("row", "col") or not isinstance(bits_of_c, int) or not isinstance(store, int) or store < 1:
        raise fault("c_order is row or col, c_bits and store_bytes are numbers")
    if bits_of_c < 1 or ((8 * store) % bits_of_c and 8 * store > bits_of_c):
        raise fault("stores of {store} bytes are no whole elements of {bits} bits", store=store, bits=bits_of_c)
    sides = (
        side_of(Tile(m, k), bits, "shared", read(str(task["smem_A"])), load=True),
        side_of(Tile(n, k), bits, "shared", read(str(task["smem_B"])), load=True),
    )
    along, run = "N" if order == "row" else "M", max(1, 8 * store // bits_of_c)
    return Block((m, n, k), (am, an, ak), bits, warps, sides, along, run, bool(task.get("rows_by_warp")))


def _answer(task: Mapping[str, Any], read: Read) -> Mapping[str, Any]:
    best = search(block_of(task, read))[0]
    return {
        "warps": [best.m.warps, best.n.warps],
        "tile": list(best.tile),
        "permM": None if best.m.permutation is None else str(best.m.permutation),
        "permN": None if best.n.permutation is None else str(best.n.permutation),
    }


NEEDS = ("mnk", "warps", "atom_mnk", "bits", "smem_A", "smem_B", "c_order", "c_bits", "store_bytes")
TASK = Task("mma", "a tiled MMA", NEEDS, _answer)
