"""Arguments of foreign calls: bound to parameters, or refused where they stand."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms.reading.pytext import parse
from laycalc.grammar.forms.reading.signatures import bind_call, signature

SIGNATURES = {
    "t(a, b=0)": [
        ("t(1)", {"a": "1"}),
        ("t(1, 2)", {"a": "1", "b": "2"}),
        ("t(b=2, a=1)", {"a": "1", "b": "2"}),
        ("t()", "t is given no a"),
        ("t(1, 2, 3)", "t takes 2 arguments, this is one more"),
        ("t(1, c=3)", "t has no argument c"),
        ("t(1, a=3)", "t is given a twice"),
        ("t(1, *x)", "what a * unpacks is not known here"),
        ("t(1, **x)", "what a ** unpacks is not known here"),
    ],
    "t(*size, dtype=None)": [
        ("t()", {"size": ()}),
        ("t(1, 2, dtype=x)", {"size": ("1", "2"), "dtype": "x"}),
        ("t(size=2)", {"size": ("2",)}),
        ("t(1, size=2)", "t is given size twice"),
    ],
    "t(a, /, *, b)": [
        ("t(1, b=2)", {"a": "1", "b": "2"}),
        ("t(1)", "t is given no b"),
        ("t(1, 2)", "t takes 1 argument, this is one more"),
        ("t(a=1, b=2)", "t has no argument a"),
    ],
    "t(**sizes)": [("t(x=1, y=2)", {"sizes": {"x": "1", "y": "2"}}), ("t(1)", "t takes no arguments by position")],
}


def text(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(text, value))
    if isinstance(value, dict):
        return {k: text(v) for k, v in value.items()}
    return ast.unparse(value)


@pytest.mark.parametrize(("to", "call", "expected"), [(s, *case) for s, cases in SIGNATURES.items() for case in cases])
def test_arguments_are_bound_or_refused(to: str, call: str, expected: Any) -> None:
    node = parse(call)
    assert isinstance(node, ast.Call)
    if isinstance(expected, dict):
        assert text(bind_call(signature(to), call, node)) == expected
        return
    with pytest.raises(Failure) as caught:
        bind_call(signature(to), call, node)
    assert caught.value.diagnostic.code == "LC103"
    assert expected in caught.value.diagnostic.message


def test_the_place_of_what_is_left_over() -> None:
    call = "  t(1, 2, colour = 3)"
    node = parse(call)
    assert isinstance(node, ast.Call)
    with pytest.raises(Failure) as caught:
        bind_call(signature("t(a, b)"), call, node)
    (label,) = caught.value.diagnostic.labels
    assert call[label.start : label.end] == "colour = 3"
