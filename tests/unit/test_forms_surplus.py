"""Nothing is dropped in silence: each form refuses one argument, keyword, attribute, field or constraint too many."""

from __future__ import annotations

import re

import pytest

from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import forms, read_any
from laycalc.grammar.forms.reading.form import Form
from laycalc.grammar.run.scope import Scope
from laycalc.grammar.run.statements import run_reading

FORMS = forms()
SURPLUS = [(form, text) for form in FORMS.values() for text in form.surplus]
CALLS = [name for name, form in FORMS.items() if re.search(r"\w\(", form.example)]


def errors(text: str, form: str) -> list[str]:
    """The codes of what is wrong with a text of a form."""
    try:
        return [x.error.code for x in run_reading(read_any(text, form), Scope()) if x.error is not None]
    except Failure as failure:
        return [failure.diagnostic.code]


@pytest.mark.parametrize("name", list(FORMS))
def test_a_form_says_what_it_has_not(name: str) -> None:
    assert FORMS[name].surplus


@pytest.mark.parametrize(("form", "text"), SURPLUS, ids=lambda x: x.name if isinstance(x, Form) else x)
def test_what_a_form_does_not_know_is_refused(form: Form, text: str) -> None:
    found = errors(text, form.name)
    assert found
    assert all(code.startswith(("LC1", "LC2")) for code in found)


@pytest.mark.parametrize("name", CALLS)
def test_a_keyword_that_no_function_has_is_refused_in_every_call(name: str) -> None:
    example = FORMS[name].example
    for call in re.finditer(r"(?<=\w)\(", example):
        level = 0
        for end in range(call.start(), len(example)):
            level += (example[end] in "([") - (example[end] in ")]")
            if level == 0:
                break
        inside = example[call.end() : end].strip()
        changed = f"{example[:end]}{', ' if inside else ''}unheard_of=3{example[end:]}"
        assert errors(changed, name), changed
