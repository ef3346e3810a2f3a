"""Layouts that the design of shared memory proposes, counted on a GPU: wavefronts as said and as a profiler sees them.

python bench/hardware_checks/conflicts.py emit cases.txt expected.json
nvcc -O2 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -o conflicts bench/hardware_checks/conflicts.cu
W=l1tex__data_pipe_lsu_wavefronts_mem_shared
ncu --clock-control none --csv --metrics ${W}_op_ld.sum,${W}_op_st.sum ./conflicts cases.txt > counts.csv
python bench/hardware_checks/conflicts.py judge expected.json counts.csv
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from laycalc.atoms.accesses.access_words import access_of
from laycalc.atoms.memory.banks import Access
from laycalc.atoms.memory.cost import wavefronts
from laycalc.atoms.memory.pattern import Pattern
from laycalc.atoms.memory.patterns import accesses
from laycalc.design.answering import answer
from laycalc.grammar.run.statements import evaluate

COUNTERS = {f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st")}
"""The wavefronts of loads and of stores; the counter without an operation adds some of the kernel's own."""

TASKS = Path(__file__).parents[2] / "tests" / "golden" / "design.jsonl"


def proposals() -> Iterator[tuple[str, str, str, int, list[Access]]]:
    """Name, layout, access, wavefronts and instructions of each plain access of each task's answer."""
    tasks = [json.loads(line) for line in TASKS.read_text(encoding="utf-8").splitlines()]
    for task in tasks:
        if task["kind"] != "smem":
            continue
        text = answer(task, evaluate)["layout"]
        layout = evaluate(text)
        for number, fields in enumerate(task["accesses"]):
            pattern = access_of(fields, task["bits"], evaluate)
            if isinstance(pattern, Pattern) and not pattern.copy:
                found = accesses(layout, pattern)
                yield f"{task['id']}.{number}", text, json.dumps(fields), wavefronts(layout, pattern)[0], found


def emit(cases: Path, expected: Path) -> None:
    """The proposals' instructions for the program, and the wavefronts that are said of them."""
    lines, told = [], []
    for name, layout, access, cost, instructions in proposals():
        lines.append(f"{name} {len(instructions)}")
        for found in instructions:
            offsets = [-1 if a is None else a for a in found.offsets]
            lines.append(" ".join(map(str, [found.op, *offsets, *[-1] * (32 - len(offsets))])))
        told.append({"name": name, "layout": layout, "access": access, "wavefronts": cost})
    cases.write_text("\n".join(lines) + "\n", encoding="utf-8")
    expected.write_text(json.dumps(told, indent=1), encoding="utf-8")
    print(f"{len({t['name'].split('.')[0] for t in told})} proposals, {len(told)} accesses")


def judge(expected: Path, counts: Path) -> int:
    """How many accesses cost what was said; the others by name."""
    told = json.loads(expected.read_text(encoding="utf-8"))
    rows = [line for line in counts.read_text(encoding="utf-8").splitlines() if line.startswith('"')]
    counted: dict[int, int] = {}
    for row in csv.DictReader(rows):
        if row["Metric Name"] in COUNTERS:
            case = int(row["ID"])
            counted[case] = counted.get(case, 0) + int(row["Metric Value"].replace(",", ""))
    seen = [counted[case] for case in sorted(counted)]
    if len(seen) != len(told):
        raise SystemExit(f"{len(told)} accesses were said and {len(seen)} counted")
    wrong = [(t, n) for t, n in zip(told, seen, strict=True) if t["wavefronts"] != n]
    for t, n in wrong:
        print(f"{t['layout']}  {t['access']}: said {t['wavefronts']}, counted {n}")
    print(f"{len(told) - len(wrong)} of {len(told)} accesses cost the wavefronts that were said")
    return int(bool(wrong))


def main(arguments: list[str]) -> int:
    """``emit CASES EXPECTED`` or ``judge EXPECTED COUNTS``."""
    match arguments:
        case ["emit", cases, expected]:
            emit(Path(cases), Path(expected))
            return 0
        case ["judge", expected, counts]:
            return judge(Path(expected), Path(counts))
    print(__doc__)
    return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
