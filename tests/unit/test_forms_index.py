"""The index of the forms: it is what the records say, and a new form is one file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import laycalc.grammar.forms as package
from laycalc.grammar.forms import detect, forms, gate, index, read_any, recognise
from laycalc.grammar.forms.indexing import index_text

TOY = """
from laycalc.grammar.forms.reading.form import Form
from laycalc.grammar.forms.reading.reading import Reading

def recognise(text):
    return text.startswith("toy ")

def read(text, shape=None):
    return Reading("toy", text.removeprefix("toy "), source=text)

FORM = Form(name="toy", title="a toy", example="toy 4:1", marks=("toy ",), recognise=recognise, read=read)
"""


def test_a_new_form_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from laycalc.grammar.forms import documents

    (tmp_path / "toy.py").write_text(TOY)
    monkeypatch.setattr(documents, "__path__", [*documents.__path__, str(tmp_path)])
    made: dict[str, object] = {"__name__": index.__name__}
    exec(index_text(), made)
    rows = made["INDEX"]
    monkeypatch.setattr(detect, "INDEX", rows)
    monkeypatch.setattr(gate, "GROUPS", made["GROUPS"])
    try:
        reading = recognise("toy (4,8):(1,4)")
        assert reading is not None
        assert (reading.form, reading.expression) == ("toy", "(4,8):(1,4)")
    finally:
        sys.modules.pop(f"{package.__name__}.documents.toy", None)


def test_names_and_aliases_are_unique() -> None:
    names = [name for form in forms().values() for name in (form.name, *form.aliases)]
    assert len(names) == len(set(names))


def test_a_mark_opens_the_gate_to_its_own_form() -> None:
    """There is one list of marks: a form that recognises its example has a mark in it."""
    for form in forms().values():
        if form.recognise is not None and form.recognise(form.example):
            assert any(mark in form.example for mark in form.marks), form.name


@pytest.mark.parametrize("verb", ["unable", "failed"])
def test_a_message_is_read_however_it_says_that_it_failed(verb: str) -> None:
    text = f"error: {verb} to compute the following composition: '(4,6,8):(2,3,5)' o '6:3'"
    reading = recognise(text)
    assert reading is not None
    assert reading == read_any(text)
    assert reading.expression == "composition((4,6,8):(2,3,5),6:3)"
