"""What the tabs tell of a text: derivation, measures, banks, how far a composition gets, other notations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor
from laycalc.diagnostics.codes import code_of, codes
from laycalc.diagnostics.model import Failure
from laycalc.grammar.explain.derivation import derive
from laycalc.grammar.language.values import kind_of
from laycalc.grammar.run.evaluator import Evaluator
from laycalc.grammar.run.given import shape_of
from laycalc.grammar.run.statements import evaluate
from laycalc.grammar.syntax import nodes
from laycalc.render.reports.derivation import derivation_object, derivation_text

from .question import Question, refused

__all__ = ["banks", "explained", "forms", "info", "page", "why"]


def explained(question: Question) -> dict[str, Any]:
    """The derivations of all statements, as text and as data."""
    found = list(derive(question.text, question.scope()))
    return {
        "text": "\n".join(derivation_text(each) for each in found if each.text),
        "derivations": [derivation_object(each) for each in found],
    }


def page(question: Question) -> dict[str, Any]:
    """The page of a code, in Markdown."""
    code = question.text.strip().upper()
    if not re.fullmatch(r"LC\d+", code) or code not in codes():
        raise refused(f"there is no code {question.text[:20]}")
    return {"code": code, "text": code_of(code).page}


def info(question: Question) -> dict[str, Any]:
    """Everything about the last layout, a row for each question."""
    from laycalc.algebra.questions.analysis import analyse
    from laycalc.render.reports.analysis import analysis_rows

    return {"rows": [list(row) for row in analysis_rows(analyse(_layout(question, "info")))]}


def _layout(question: Question, what: str) -> Layout | Composed | Tensor:
    value = question.value()
    if not isinstance(value, (Layout, Composed, Tensor)):
        raise refused(f"{what} takes a layout, not the {kind_of(value)}")
    return value


ACCESS: dict[str, Any] = {
    "bits": 32,
    "vector": 0,
    "lanes": ["row"],
    "threads": 0,
    "store": False,
    "arch": "",
    "suggest": False,
}
"""The options of `laycalc banks` and what they are unless said."""


def banks(question: Question) -> dict[str, Any]:
    """The bank conflicts of the last layout under each access, and what would mend them."""
    from laycalc.atoms.accesses.asked import ask
    from laycalc.render.reports.banks import banks_lines, banks_object

    wishes = ACCESS | dict(question.options)
    wrong = [name for name, wish in wishes.items() if name not in ACCESS or type(wish) is not type(ACCESS[name])]
    if wrong:
        raise refused(f"banks has no such {', '.join(wrong)[:80]}")
    scope = question.scope()
    layout = _layout(question, "banks")
    said = {name: wishes[name] for name in ("vector", "threads", "store") if wishes[name]}
    lanes = [str(order) for order in wishes["lanes"]]

    def read(text: str) -> Any:
        return evaluate(text, scope)

    found = ask(layout, lanes, wishes["bits"], said, read, wishes["arch"], wishes["suggest"])
    return {"lines": list(banks_lines(found)), "found": banks_object(found), "free": found.free}


def why(question: Question) -> dict[str, Any]:
    """How far the composition gets that the text ends with."""
    from laycalc.algebra.categories.why import why as how_far

    scope = question.scope()
    outcomes = question.outcomes(scope)
    last = outcomes[-1] if outcomes else None
    node = last.statement.value if last is not None and isinstance(last.statement, nodes.Evaluate) else None
    if last is None or not isinstance(node, nodes.Binary) or node.operator != "o":
        raise refused("why looks at a composition: A o B")
    evaluator = Evaluator(last.source, scope)
    found = how_far(evaluator.value(node.left), evaluator.value(node.right))
    return {"text": str(found), "found": found.as_json()}


def forms(question: Question) -> dict[str, Any]:
    """The last value in every notation that has it, and why the others have not."""
    from laycalc.grammar.forms import forms as all_forms
    from laycalc.grammar.forms import write

    value, shape = question.value(), shape_of(question.shape)
    found: list[dict[str, str]] = []
    for form in sorted(all_forms().values(), key=lambda form: form.name):
        entry = {"name": form.name, "title": form.title}
        try:
            entry["text"] = write(value, form.name, shape)
        except Failure as failure:
            entry["error"] = failure.diagnostic.message
        except LayoutError as error:
            entry["error"] = str(error)
        found.append(entry)
    return {"forms": _first(found, ("cpp", "dsl", "triton"))}


def _first(found: Sequence[dict[str, str]], names: Sequence[str]) -> list[dict[str, str]]:
    """The forms that most people ask for, then the others."""
    return sorted(found, key=lambda form: names.index(form["name"]) if form["name"] in names else len(names))
