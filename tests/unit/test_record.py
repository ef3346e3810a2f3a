"""Records: what the constructor takes and refuses, equality, copies."""

from __future__ import annotations

import pickle
from typing import Any, ClassVar

import pytest

from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout


class Run(Record):
    start: int
    end: int
    step: int = 1
    note: str = ""
    ignored: ClassVar[frozenset[str]] = frozenset({"note"})


class Named(Run):
    name: str = "x"


def test_fields_are_given_by_place_or_by_name() -> None:
    assert Run(1, 2) == Run(end=2, start=1) == Run(1, end=2, step=1)
    assert (Run(1, 2).step, Named(1, 2, 3, "", "y").name) == (1, "y")
    assert repr(Run(1, 2)) == "Run(start=1, end=2, step=1, note='')"


@pytest.mark.parametrize(
    ("values", "keywords", "text"),
    [
        ((1,), {}, "Run(start, end, step, note) lacks end"),
        ((), {"step": 2, "note": ""}, "lacks start, end"),
        ((1, 2), {"start": 5}, "is given twice its start"),
        ((1,), {"start": 5}, "is given twice its start and lacks end"),
        ((1, 2), {"stop": 5}, "has no stop"),
        ((1,), {"stop": 5}, "has no stop and lacks end"),
        ((1, 2, 3, "", 5), {}, "takes 4 values, not 5"),
        ((1, 2, 3, "", 5), {"step": 5}, "is given twice its step and takes 4 values, not 5"),
    ],
)
def test_an_argument_too_many_too_few_twice_or_unknown_is_an_error(
    values: tuple[Any, ...], keywords: dict[str, Any], text: str
) -> None:
    with pytest.raises(TypeError) as caught:
        Run(*values, **keywords)
    assert str(caught.value).endswith(text)


def test_records_are_frozen_and_compare_without_ignored_fields() -> None:
    run = Run(1, 2, note="here")
    assert run == Run(1, 2) and hash(run) == hash(Run(1, 2)) and run != Named(1, 2)
    with pytest.raises(AttributeError, match="a Run is immutable; cannot set 'step'"):
        run.step = 3
    assert run.replace(step=3) == Run(1, 2, 3) and run.replace(step=3).note == "here"
    with pytest.raises(TypeError, match="has no stop"):
        run.replace(stop=3)
    assert pickle.loads(pickle.dumps(run)) == run


def test_values_cannot_lose_a_part() -> None:
    with pytest.raises(AttributeError, match="a Layout is immutable; cannot delete 'shape'"):
        del Layout(4, 1).shape
