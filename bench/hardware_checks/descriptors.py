"""Matrix descriptors that laycalc proposes, and the addresses at which wgmma reads with them.

python bench/hardware_checks/descriptors.py emit cases.txt expected.json
nvcc -O2 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -o descriptors bench/hardware_checks/descriptors.cu
./descriptors cases.txt > read.txt
python bench/hardware_checks/descriptors.py judge expected.json read.txt

Shared memory holds the digits of its own element numbers, the other operand is a one-hot matrix: the product is where
each element was read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KINDS = ("INTER", "SW32", "SW64", "SW128")


def tiles() -> Iterator[tuple[str, int, str, str, int]]:
    """Expression of the layout, bits, major, operand, and the bytes from a 1024-byte boundary to the tile."""
    for kind in KINDS:
        yield f'tile_to_shape(smem_atom("K_{kind}", 16), (128,64))', 16, "k", "A", 0
        yield f'tile_to_shape(smem_atom("MN_{kind}", 16), (128,64), (1,0))', 16, "mn", "A", 0
        yield f'tile_to_shape(smem_atom("K_{kind}", 16), (128,64), (1,0))', 16, "k", "B", 384 if kind != "INTER" else 0
        yield f'tile_to_shape(smem_atom("MN_{kind}", 16), (64,64))', 16, "mn", "B", 640 if kind != "INTER" else 0
    yield 'tile_to_shape(smem_atom("K_SW128", 32), (64,64))', 32, "k", "A", 0
    yield 'tile_to_shape(smem_atom("K_SW64", 32), (64,64))', 32, "k", "B", 128
    yield 'tile_to_shape(smem_atom("K_SW128", 8), (64,128))', 8, "k", "A", 896
    yield 'tile_to_shape(smem_atom("K_SW32", 8), (64,128))', 8, "k", "B", 0


def proposals() -> Iterator[tuple[str, Any, Any]]:
    """Name, layout and descriptor of each tile."""
    from laycalc.algebra.values.tensor import Tensor
    from laycalc.atoms.memory.descriptor import descriptor
    from laycalc.grammar.run.statements import evaluate

    for number, (text, bits, major, letter, at) in enumerate(tiles()):
        layout = evaluate(text)
        placed = Tensor(at * 8 // bits, layout) if at else layout
        yield f"d{number:02}", placed, descriptor(placed, bits, major, letter)


def emit(cases: Path, expected: Path) -> None:
    """The descriptors for the program, and the byte addresses that the layouts have."""
    lines, told = [], []
    for name, layout, found in proposals():
        operand, starts = found.operand, found.starts
        head = [name, operand.bits, operand.letter, int(operand.major == "mn"), found.rows, found.desc, len(starts)]
        lines.append(" ".join(map(str, [*head, *(start for _, _, start in starts)])))
        addresses = [
            [layout(mn + i, k + j) * operand.bits // 8 for i in range(found.rows) for j in range(operand.k)]
            for mn, k, _ in starts
        ]
        told.append({"name": name, "layout": str(layout), "operand": str(operand), "addresses": addresses})
    cases.write_text("\n".join(lines) + "\n", encoding="utf-8")
    expected.write_text(json.dumps(told), encoding="utf-8")
    print(f"{len(told)} descriptors, {sum(len(t['addresses']) for t in told)} instructions")


def judge(expected: Path, read: Path) -> int:
    """How many descriptors read every element where the layout has it; the others by name."""
    told = {entry["name"]: entry for entry in json.loads(expected.read_text(encoding="utf-8"))}
    found: dict[str, list[list[int]]] = {name: [] for name in told}
    for line in read.read_text(encoding="utf-8").splitlines():
        name, *numbers = line.split()
        if name in found:
            found[name].append(list(map(int, numbers)))
    right = 0
    for name, entry in told.items():
        wanted = entry["addresses"]
        wrong = sum(
            a != b for one, other in zip(wanted, found[name], strict=False) for a, b in zip(one, other, strict=True)
        )
        if len(found[name]) == len(wanted) and not wrong:
            right += 1
        else:
            elements = sum(map(len, wanted))
            missing = len(wanted) - len(found[name])
            print(f"{name} {entry['operand']}: {wrong} of {elements} elsewhere, {missing} not run: {entry['layout']}")
    print(f"{right} of {len(told)} descriptors read their layout")
    return int(right != len(told))


def main(arguments: list[str]) -> int:
    """``emit CASES EXPECTED`` or ``judge EXPECTED READ``."""
    match arguments:
        case ["emit", cases, expected]:
            emit(Path(cases), Path(expected))
            return 0
        case ["judge", expected, read]:
            return judge(Path(expected), Path(read))
    print(__doc__)
    return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
