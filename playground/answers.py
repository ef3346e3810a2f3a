"""Questions of the page to answers, as plain data: the same in a process of its own and in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.render.reports.json import diagnostic_object

from .drawn import drawn
from .evaluated import evaluated
from .question import Question, refused
from .told import banks, explained, forms, info, page, why
from .vocabulary import vocabulary
from .written import copies

__all__ = ["ASKS", "answer", "answer_text"]

ASKS: dict[str, Callable[[Question], dict[str, Any]]] = {
    "banks": banks,
    "copies": copies,
    "draw": drawn,
    "eval": evaluated,
    "explain": explained,
    "forms": forms,
    "info": info,
    "page": page,
    "vocabulary": vocabulary,
    "why": why,
}
"""What a page may ask."""


def answer(given: Any) -> dict[str, Any]:
    """The answer to a question: ``ok`` and what was asked for, or ``error`` as a diagnostic.

    >>> answer({"ask": "eval", "text": "(4,8):(1,4)"})["results"][0]["value"]
    '(4,8):(1,4)'
    """
    try:
        question = Question.of(given)
        if question.ask not in ASKS:
            raise refused(f"a question asks for one of {', '.join(ASKS)}")
        return {"ok": True, **ASKS[question.ask](question)}
    except Failure as failure:
        diagnostic = failure.diagnostic
    except LayoutError as error:
        diagnostic = Diagnostic(error.code, str(error))
    except (RecursionError, MemoryError):
        diagnostic = Diagnostic("LC104", "the question needs more memory than there is")
    except Exception as error:
        diagnostic = Diagnostic("LC901", f"laycalc failed: {type(error).__name__}: {error}")
    return {"ok": False, "error": diagnostic_object(diagnostic)}


def answer_text(text: str) -> str:
    """The same from JSON to JSON."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    return json.dumps(answer(given), ensure_ascii=False)
