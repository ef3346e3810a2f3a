"""What would be too large is refused with the name of the limit, and nothing within the limits takes long or much.

One process runs the whole table under limits of the system: 400 MB, and 2 seconds of CPU an entry on average.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("limits of a process are those of POSIX", allow_module_level=True)


def chain(first: str, step: str, count: int, last: str) -> str:
    """``a0 = first; a1 = step of a0; ..; last``."""
    steps = [f"a{i} = {step.format(f'a{i - 1}')}" for i in range(1, count + 1)]
    return "; ".join([f"a0 = {first}", *steps, last])


def modes(count: int, stride: str) -> str:
    """A layout of many modes of two."""
    return f"({','.join(['2'] * count)}):({','.join(str(eval(stride, {'i': i})) for i in range(count))})"


REFUSED = {
    "as_swizzle(1099511627776:f1)": "the limit is 1048576",
    "4:e9999999(1)": "axes; the limit is 65536",
    "image(1:e10000000)": "axes; the limit is 65536",
    "complement(4:e1000000)": "axes; the limit is 65536",
    "coshape(1:e65535.65535)": "axes; the limit is 65536",
    "values(4096:e65535)": "would list 4096 values",
    "Sw<1,100000000000,1>(5)": "a swizzle reaches bit 100000000002; the limit is 4096",
    "Sw<100000000000,1,100000000000>": "the limit is 4096",
    "Sw<1,0,-100000000000>": "the limit is 4096",
    "values(16777216:1)": "the limit is 1048576",
    "image((1024,1024):(e0,e1))": "the limit is 524288",
    "coords((4096,4096))": "the limit is 1048576",
    "tv_table((1024,1024):(1,1024), (1024,1024))": "the limit is 262144",
    "injective((16777216,3):(3,7))": "the limit is 1048576",
    "append(4:1, 2:1, 100000000)": "the limit is 1048576",
    "max_common_layout(16777216:f1, 16777216:f1)": "the limit is 262144",
    "1048576:f3 o 1048576:f5": "the limit is 131072",
    'tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (100000,100000,1))': "are more than 1048576",
    "9" * 2001: "more than 2,000 digits",
    chain("9" * 100, "{0}*{0}", 30, "a30"): "an integer has more than 4000 digits",
    f"size(({','.join(['9' * 1900] * 200)}))": "an integer has more than 4000 digits",
    chain("(1,1)", "({0},{0})", 20, "a20"): "a tuple has more than 262144 entries",
    chain("4:1", "({0},{0})", 20, "a20"): "a tuple has more than 262144 entries",
    chain("(1,1)", "({0},1)", 201, "a201"): "tuples are nested more than 200 deep",
    chain("4:1", "({0},2:1)", 201, "a201"): "tuples are nested more than 200 deep",
    "(" * 990 + "4:1,2:1" + ")" * 990: "brackets are nested more than 200 deep",
    "1" + "+1" * 20000: "operators and brackets make more than 500 levels",
    "4:1" + "[0]" * 5000: "operators and brackets make more than 500 levels",
    f"4:e{'.'.join(['0'] * 1000)}": "a path has more than 200 indices",
}
ANSWERED = [
    "as_swizzle(16777216:1)",
    "as_swizzle(1099511627776:1)",
    "values(1048576:1)",
    "values((512,1024):(e0,e1))",
    "image((512,1024):(e0,e1))",
    "table((1024,1024):(1,1024))",
    "coords((1024,1024))",
    "image((1024,1024):(3,7))",
    "surjective((1024,1024):(3,7))",
    "cosize(Sw<3,3,3> o 0 o (1024,1024):(3,7))",
    "max_common_layout(262144:f1, 262144:f1)",
    "tv_table((512,512):(1,512), (512,512))",
    "complement(4:e65534)",
    "131072:f3 o 131072:f5",
    "linear_form((4,8):(e65535,e0))",
    "Sw<1,4000,1>(5)",
    "Sw<2047,0,2047> o 0 o (4,8):(8,1)",
    'tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (512,512,1)).C',
    f"image(4:e{'.'.join(['300'] * 150)})",
    f"complement({modes(120, '2 * 3**i')})",
    f"coalesce({modes(1500, '2**i')})",
    f"inverse({modes(1500, '2**((7 * i) % 1500)')})",
    f"complement({modes(1500, '2**((7 * i) % 1500)')})",
    f"({','.join(['2'] * 200000)})",
    chain("(2,2)", "({0},2)", 195, "size(a195); flatten(a195); a195:a195; crd2idx(0,a195); idx2crd(5,a195)"),
    chain("2:1", "({0},2:4)", 195, "coalesce(a195); a195(5); a195[0]; a195 == a195"),
]

RUN = """
import json, resource, sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
texts = json.load(sys.stdin)
resource.setrlimit(resource.RLIMIT_DATA, (400 << 20,) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (2 * len(texts),) * 2)
from laycalc.grammar.run.statements import run
from laycalc.render.reports.style import PLAIN
from laycalc.render.reports.text import diagnostic_text
from laycalc.grammar.language.values import text_of
for text in texts:
    for outcome in run(text):
        said = [diagnostic_text(d, PLAIN) for d in (*outcome.warnings, outcome.error) if d is not None]
        if outcome.error is not None:
            break
        text_of(outcome.value)
    print(json.dumps([outcome.error.code, outcome.error.message] if outcome.error else ["", ""]))
    del outcome, said
"""


@pytest.fixture(scope="module")
def answers() -> dict[str, list[str]]:
    """(code, message) of every text."""
    texts = [*REFUSED, *ANSWERED]
    done = subprocess.run(
        [sys.executable, "-c", RUN], input=json.dumps(texts), capture_output=True, text=True, cwd=Path(__file__).parent
    )
    lines = done.stdout.splitlines()
    assert len(lines) == len(texts), f"{texts[len(lines)][:200]} ended with {done.returncode}: {done.stderr[-1000:]}"
    return dict(zip(texts, map(json.loads, lines), strict=True))


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:40])
def test_what_is_too_large_is_told(text: str, answers: dict[str, list[str]]) -> None:
    code, message = answers[text]
    assert code == "LC104", message
    assert REFUSED[text] in message


@pytest.mark.parametrize("text", ANSWERED, ids=lambda text: text[:40])
def test_what_is_within_the_limits_is_answered(text: str, answers: dict[str, list[str]]) -> None:
    assert answers[text] == ["", ""]
