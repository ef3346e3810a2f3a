"""200 admissible expressions, each made inadmissible by changing one number: each is found, no original is reported.

What is admissible is built so by the conditions; what is not is decided by brute force: no layout has the values.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from laycalc.algebra.finding.synthesis import layout_of
from laycalc.algebra.values.layout import Layout
from laycalc.cli.checks.checking import Job, check_file
from laycalc.diagnostics.report import Policy

WANTED = 200
Numbers = list[int]
Form = tuple[Callable[[Numbers], str], Callable[[Numbers], bool], Numbers]


def composition(random_: random.Random) -> Form:
    """A o s:d with d = P_r * (a divisor of S_r) and s a whole number of rounds."""
    extents = [random_.choice([2, 3, 4, 5, 6, 8, 12]) for _ in range(3)]
    strides = [random_.randint(1, 9), random_.randint(10, 90), random_.randint(100, 900)]
    r = random_.randrange(2)
    step = random_.choice([k for k in range(1, extents[r] + 1) if extents[r] % k == 0])
    d = step
    for extent in extents[:r]:
        d *= extent
    s = extents[r] // step * random_.choice([k for k in range(1, extents[r + 1] + 1) if extents[r + 1] % k == 0])

    def text(n: Numbers) -> str:
        return f"({n[0]},{n[1]},{n[2]}):({n[3]},{n[4]},{n[5]}) o {n[6]}:{n[7]}"

    def impossible(n: Numbers) -> bool:
        layout = Layout(tuple(n[:3]), tuple(n[3:6]))
        return layout_of([layout(i * n[7]) for i in range(n[6])]) is None

    return text, impossible, [*extents, *strides, s, d]


def by_mode(random_: random.Random) -> Form:
    """The same in a mode of a tiler, through a divide."""
    text, impossible, numbers = composition(random_)
    other = random_.choice([2, 4, 8])

    def wrapped(n: Numbers) -> str:
        left, _, right = text(n).partition(" o ")
        return f"({left}, {other}:1000) o <{right}, {other}>"

    return wrapped, impossible, numbers


def product(random_: random.Random) -> Form:
    """(m:d) * n:1, where n fills the gap of d a whole number of times."""
    d, m = random_.choice([3, 4, 5, 6, 8]), random_.choice([2, 3, 4, 8])
    n = d * random_.choice([1, 2, 3])

    def text(x: Numbers) -> str:
        return f"{x[0]}:{x[1]} * {x[2]}:1"

    def impossible(x: Numbers) -> bool:
        free = Layout((x[1], 1), (1, x[0] * x[1]))
        return layout_of([free(i) for i in range(x[2])]) is None

    return text, impossible, [m, d, n]


def complement(random_: random.Random) -> Form:
    """A chain of strides, each a multiple of the block below it."""
    extents = [random_.choice([2, 3, 4, 8]) for _ in range(3)]
    strides, block = [], 1
    for extent in extents:
        strides.append(block * random_.choice([1, 2, 3]))
        block = strides[-1] * extent

    def text(n: Numbers) -> str:
        return f"complement(({n[0]},{n[1]},{n[2]}):({n[3]},{n[4]},{n[5]}))"

    def impossible(n: Numbers) -> bool:
        values = Layout(tuple(n[:3]), tuple(n[3:])).values()
        return len(set(values)) < len(values)

    return text, impossible, [*extents, *strides]


def pairs(seed: int) -> Iterator[tuple[str, str]]:
    """Originals with a mutant that differs in one number."""
    random_ = random.Random(seed)
    forms = [composition, composition, by_mode, product, complement]
    while True:
        text, impossible, numbers = random_.choice(forms)(random_)
        at = random_.randrange(len(numbers))
        mutant = list(numbers)
        mutant[at] = max(1, numbers[at] + random_.choice([-3, -2, -1, 1, 2, 3, 5, 7]))
        if mutant != numbers and impossible(mutant) and not impossible(numbers):
            yield text(numbers), text(mutant)


def test_each_mutant_is_found_and_no_original_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "mutants.layout"
    found = pairs(2026)
    chosen = [next(found) for _ in range(WANTED)]
    assert len(set(chosen)) > WANTED * 0.9
    with path.open("w") as file:
        for original, mutant in chosen:
            file.write(f"assert admissible({original})\nassert admissible({mutant})\n")
    results = list(check_file(str(path), Job(policy=Policy(strict=True), listing=True)))
    assert len(results) == 2 * WANTED
    reported = {result.line for result in results if result.failed}
    missed = [chosen[i][1] for i in range(WANTED) if 2 * i + 2 not in reported]
    wronged = [chosen[i][0] for i in range(WANTED) if 2 * i + 1 in reported]
    assert not missed
    assert not wronged
    for result in results:
        for finding in result.findings:
            assert finding.diagnostic.code in ("LC301", "LC302", "LC303", "LC306"), result.text
