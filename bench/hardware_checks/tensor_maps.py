"""Tensor maps that laycalc proposes, held against the driver and against where TMA puts each byte.

python bench/hardware_checks/tensor_maps.py emit cases.txt expected.json
nvcc -O2 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -o tensor_maps bench/hardware_checks/tensor_maps.cu
./tensor_maps cases.txt > copied.txt
python bench/hardware_checks/tensor_maps.py judge expected.json copied.txt

Global memory holds the digits of its own byte offsets. A tile of shared memory says which boxes fill it; a map that the
driver would refuse has the nearest one that it accepts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

TILES = (
    ("(300,256):(256,1)", "Sw<3,3,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192))", 16),
    ("(300,256):(256,1)", "Sw<3,3,3> o 0 o ((8,8),(64,2)):((64,1024),(1,512))", 16),
    ("(256,300):(1,256)", "Sw<3,3,3> o 0 o ((64,2),(8,4)):((1,2048),(64,512))", 16),
    ("(300,256):(256,1)", "((8,8),(8,8)):((8,64),(1,512))", 16),
    ("(300,256):(256,1)", "Sw<2,3,3> o 0 o (64,32):(32,1)", 16),
    ("(300,256):(256,1)", "Sw<1,3,3> o 0 o ((8,8),(16,4)):((16,128),(1,1024))", 16),
    ("(300,256):(256,1)", "Sw<3,3,3> o 0 o (16,24):(64,1)", 16),
    ("(100,128):(128,1)", "Sw<3,2,3> o 0 o (128,32):(32,1)", 32),
    ("(100,256):(256,1)", "Sw<3,4,3> o 0 o ((8,8),(128,2)):((128,1024),(1,8192))", 8),
    ("(100,64):(64,1)", "Sw<3,1,3> o 0 o (32,16):(16,1)", 64),
    ("(64,20,6):(1,64,1280)", "Sw<2,3,3> o 0 o (32,8,3):(1,32,256)", 16),
    ("(64,20,6):(1,64,1280)", "(16,8,3):(1,16,128)", 32),
    ("4096:1", "256:1", 16),
)
"""Global memory, the tile of shared memory, bits."""

REFUSED = (
    ("(300,256):(256,1)", (128, 32), 16, "128B"),
    ("(300,256):(256,1)", (20, 32), 16, "none"),
    ("(300,256):(256,1)", (64, 300), 16, "128B"),
    ("(300,256):(256,1)", (64, 16), 16, "64B"),
    ("(100,128):(128,1)", (36, 16), 32, "32B"),
    ("(100,256):(256,1)", (24, 16), 8, "none"),
    ("(100,60):(60,1)", (64, 8), 16, "128B"),
)
"""Global memory, a box that is refused, bits, swizzle."""


def proposals() -> Iterator[tuple[str, Any, tuple[int, ...], int]]:
    """Name, map, start coordinates and shared address: inside the tensor, or across its end."""
    from laycalc.atoms.memory.tensor_boxes import filling
    from laycalc.atoms.memory.tensor_global import accepted, tensor_map_of
    from laycalc.atoms.memory.tensor_map import nearest
    from laycalc.grammar.run.statements import evaluate

    for number, (text, tile, bits) in enumerate(TILES):
        layout = evaluate(text)
        found = filling(layout, evaluate(tile), bits)
        m = accepted(tensor_map_of(layout, found.box, bits, found.swizzle))
        # The last box of the tile, in odd cases with the tile at the end of the outermost mode.
        origin, place = found.origins[-1], found.places[-1]
        if number % 2 and len(m.gdim) > 1:
            origin = (*origin[:-1], m.gdim[-1] - 3)
        yield f"t{number:02}", m, origin, place
    for number, (text, box, bits, swizzle) in enumerate(REFUSED, len(TILES)):
        m = nearest(tensor_map_of(evaluate(text), box, bits, swizzle))
        if m is None:
            raise SystemExit(f"{text} with a box of {box} has no map that is near")
        yield f"t{number:02}", m, (16 // m.bytes, *[5] * (len(m.gdim) - 1)), 1024 + 128 * number


def emit(cases: Path, expected: Path) -> None:
    """The maps for the program, and for each element its byte in shared memory and in global memory, -1 outside."""
    from laycalc.atoms.memory.tensor_map import TYPES

    kinds = {"none": 0, "32B": 1, "64B": 2, "128B": 3}
    lines, told = [], []
    for name, m, coords, smem in proposals():
        numbers = [*m.gdim, *m.gstrides, *m.box, *coords, smem, m.tx_bytes]
        dtype = list(TYPES).index(m.dtype)
        lines.append(" ".join(map(str, [name, dtype, len(m.gdim), kinds[m.swizzle], *numbers])))
        landed = m.layout(smem)
        elements = []
        for x in product(*map(range, m.counts)):
            at = [c + i for c, i in zip(coords, x, strict=True)]
            inside = all(0 <= a < g for a, g in zip(at, m.gdim, strict=True))
            strides = (m.bytes, *m.gstrides)
            elements.append(
                (landed(*x) * m.bytes, sum(a * s for a, s in zip(at, strides, strict=True)) if inside else -1)
            )
        told.append({"name": name, "map": str(m), "coords": coords, "bytes": m.bytes, "elements": elements})
    cases.write_text("\n".join(lines) + "\n", encoding="utf-8")
    expected.write_text(json.dumps(told), encoding="utf-8")
    print(f"{len(told)} tensor maps, {sum(len(t['elements']) for t in told)} elements")


def judge(expected: Path, copied: Path) -> int:
    """How many maps were accepted and put every byte where the layout has it; the others by name."""
    told = json.loads(expected.read_text(encoding="utf-8"))
    found: dict[str, list[str]] = {}
    for line in copied.read_text(encoding="utf-8").splitlines():
        name, _, rest = line.partition(" ")
        found[name] = rest.split()
    right = 0
    for entry in told:
        said = fault(entry, found.get(entry["name"], ["not", "run"]))
        right += not said
        if said:
            print(f"{entry['name']} {entry['map']} at {entry['coords']}: {said}")
    print(f"{right} of {len(told)} tensor maps are accepted and copy as their layouts say")
    return int(right != len(told))


def fault(entry: dict[str, Any], answer: list[str]) -> str:
    """What is wrong with the answer to one map; empty if nothing is."""
    if answer[0] != "accepted":
        return " ".join(answer)
    passes = [bytes.fromhex(text) for text in answer[1:]]
    written = [0xA5] * len(passes[0])
    wanted = [list(written) for _ in passes]
    for place, source in entry["elements"]:
        for j in range(entry["bytes"]):
            for number, memory in enumerate(wanted):
                memory[place + j] = 0 if source < 0 else (source + j) >> (8 * number) & 255
    wrong = sum(a != b for memory, seen in zip(wanted, passes, strict=True) for a, b in zip(memory, seen, strict=True))
    return f"{wrong} bytes differ" if wrong else ""


def main(arguments: list[str]) -> int:
    """``emit CASES EXPECTED`` or ``judge EXPECTED COPIED``."""
    match arguments:
        case ["emit", cases, expected]:
            emit(Path(cases), Path(expected))
            return 0
        case ["judge", expected, copied]:
            return judge(Path(expected), Path(copied))
    print(__doc__)
    return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
