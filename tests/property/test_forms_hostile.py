"""Truncated, mutated and invented texts of every family end in a reading or in one diagnostic with a place."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from golden.facts import load
from hypothesis import example, given, settings
from hypothesis import strategies as st

from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import forms, read_any, recognise
from laycalc.grammar.run.statements import evaluate

SAMPLES: dict[str, list[tuple[str, Any]]] = {name: [(form.example, None)] for name, form in forms().items()}
for fact in load("bridges.jsonl"):
    name = {"mlir-memref": "memref", "numpy": "numpy"}.get(fact["system"], fact["system"])
    for text in (fact.get("form"), fact.get("printed")):
        if text:
            SAMPLES[name].append((text, fact.get("shape")))
PASTED = [(fact["literal"], None) for fact in load("pasted_forms.jsonl")]
for name in ("cpp", "printed", "mlir", "dsl", "pycute", "tensor-layouts", "messages", "dumps", "share"):
    SAMPLES[name] += PASTED
SAMPLES["latex"] += [(r"\mathrm{Sw}\langle 3,4,3\rangle \circ 0 \circ (8,8) : (\mathbf{e}_{0},\mathbf{f}_{5})", None)]
SAMPLES["json"] += [
    ('{"kind": "tensor", "offset": 3, "layout": {"kind": "layout", "shape": [4, [2]], "stride": ["6e1", ["m"]]}}', None)
]

NOISE = "()[]{}<>,;:=+-*/%@&|^~!'\"#?_.\\ \n\t0123456789abcdefoxmSwTL→∘†é\x00٣"


def outcome(text: str, form: str | None, shape: Any) -> str:
    """Read and evaluate; anything but a Failure escapes."""
    try:
        reading = read_any(text, form, shape)
    except Failure as failure:
        found = failure.diagnostic
        assert found.code.startswith("LC1")
        assert found.message
        assert found.labels or not text
        for label in found.labels:
            assert 0 <= label.start <= label.end <= max(len(found.source), 1)
        return found.code
    try:
        evaluate(reading.expression)
    except Failure as failure:
        assert failure.diagnostic.message
        moved = reading.relocate(failure.diagnostic)
        assert all(0 <= label.start <= label.end <= len(text) + 1 for label in moved.labels)
    return "read"


@pytest.mark.parametrize("form", SAMPLES)
def test_a_truncated_text_ends_in_one_diagnostic(form: str) -> None:
    generator = random.Random(form)
    for text, shape in generator.sample(SAMPLES[form], min(6, len(SAMPLES[form]))):
        for cut in sorted(generator.sample(range(len(text)), min(8, len(text)))):
            outcome(text[:cut], form, shape)
            outcome(text[cut:], None, shape)


@st.composite
def mutated(draw: st.DrawFn, form: str) -> tuple[str, Any]:
    """A sample with a few characters deleted, doubled, replaced, inserted, or pieces swapped."""
    text, shape = draw(st.sampled_from(SAMPLES[form]))
    for _ in range(draw(st.integers(1, 4))):
        if not text:
            break
        i = draw(st.integers(0, len(text) - 1))
        j = draw(st.integers(i, min(len(text), i + 12)))
        kind = draw(st.sampled_from(["delete", "double", "noise", "insert", "number"]))
        if kind == "delete":
            text = text[:i] + text[j:]
        elif kind == "double":
            text = text[:j] + text[i:]
        elif kind == "noise":
            text = text[:i] + draw(st.sampled_from(NOISE)) + text[i + 1 :]
        elif kind == "insert":
            text = text[:i] + draw(st.text(NOISE, max_size=4)) + text[i:]
        else:
            text = (
                text[:i] + draw(st.sampled_from(["0", "-1", "99999999999999999999", "1" * 2500, "3", "?"])) + text[j:]
            )
    if draw(st.booleans()):
        shape = draw(st.sampled_from([None, (8, 8), (3, 5), (16,), (4, 4, 4), (1 << 29, 2)]))
    return text, shape


@pytest.mark.parametrize("form", SAMPLES)
@given(data=st.data())
@settings(max_examples=12)
def test_a_mutated_text_ends_in_one_diagnostic(form: str, data: st.DataObject) -> None:
    text, shape = data.draw(mutated(form))
    outcome(text, form, shape)
    outcome(text, None, shape)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("LAYCALC_FUZZ"), reason="set LAYCALC_FUZZ=1 to mutate texts for minutes")
@given(data=st.data())
@settings(max_examples=100_000, derandomize=False, database=None)
def test_mutated_texts_for_long(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(sorted(SAMPLES)))
    text, shape = data.draw(mutated(form))
    outcome(text, form, shape)
    outcome(text, None, shape)


@given(st.text(NOISE, max_size=40))
@example("(" * 300)
@example("Layout<" * 400)
@example("make_shape(" * 400)
@example("cute.make_layout(" + "(" * 300)
@example("{ [i] -> [" + "(" * 300 + "i")
@example("Layout([4], lambda i: " + "(" * 150 + "i" + ")" * 150 + ")")
@example("Layout([4], lambda i: " + "-" * 5000 + "i)")
@example("#ttg.slice<{dim = 0, parent = " * 300)
@example("torch.empty(4)" + ".t()" * 3000)
@example("OrderBy(Row(4))" + ".OrderBy(Row(4))" * 3000 + ".GroupBy([4])")
@example('{"kind": ' * 5000)
@example("[" * 100_000)
@example("memref<" + "4x" * 20_000 + "f32>")
@example("f32[" + "2," * 5_000 + "2]{0}")
@example("f32[4]{0:T" + "(2)" * 2000 + "}")
@example("tensor<" + "64x" * 3000 + "f16, #ttg.blocked<{order = [0]}>>")
@example("Layout<Shape<_" + "9" * 3000 + ">>{}")
@example("\\left" * 20_000)
@example("torch.empty(99999999999).as_strided((99999, 99999), (1, 1))")
@example("{ [i] -> [i mod 0] : 0 <= i < 4 }")
@example("{ [i] -> [floor(i/2)] : 0 <= i < 99999999999 }")
@example("Layout([99999999, 99999999], lambda i, j: i // 2 + j)")
@example("Layout([4], lambda i: i * 99999999999 * 99999999999 * i * i * i * i)")
@example("#ttg.padded_shared<[2:+1, 4:+2] {order = [0], shape = [1073741824]}>")
@settings(max_examples=40)
def test_any_text_ends_in_a_reading_or_one_diagnostic(text: str) -> None:
    outcome(text, None, None)
    for form in ("cpp", "triton", "isl", "json", "torch"):
        outcome(text[:4000], form, (8, 8))
    try:
        recognise(text)
    except Failure as failure:
        assert failure.diagnostic.labels
