"""Design tasks, an object a line in, and their answers, an object a line out."""

from __future__ import annotations

import json
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.diagnostics.model import Diagnostic, Failure, our_fault
from laycalc.grammar.run.statements import evaluate
from laycalc.render.reports.json import diagnostic_object

from .inputs import lines_of
from .output import worst, write_json

__all__ = ["answer_lines"]


def answer_lines(path: str) -> int:
    """Answer the tasks of a file, ``-`` for standard input; one bad line never stops the rest.

    The exit code is the greatest: 0 for an answer, that of the error for a task that has none.
    """
    code = 0
    for number, line in enumerate(lines_of(path), 1):
        if line.strip():
            found = _answer(line, number)
            write_json(found)
            code = worst((code, Diagnostic(found["error"]["code"], "").exit_code if "error" in found else 0))
    return code


def _answer(line: bytes, number: int) -> dict[str, Any]:
    """The answer to the task of a line under its id; our own fault is told and leaves the other lines their answers."""
    from laycalc.design.answering import answer

    ident: Any = number
    try:
        task = json.loads(line)
        if not isinstance(task, dict):
            raise ValueError("a task is a JSON object")
        ident = task.get("id", number)
        return {"id": ident, **answer(task, _value)}
    except Failure as failure:
        bad = failure.diagnostic
    except LayoutError as error:
        bad = Diagnostic(error.code, str(error))
    except (ValueError, RecursionError) as error:
        bad = Diagnostic("LC101", str(error))
    except Exception as error:
        bad = our_fault(error)
    return {"id": ident, "ok": False, "error": diagnostic_object(bad)}


def _value(text: Any) -> Any:
    """The value of a text of the language; LC103 for anything that is no text."""
    if not isinstance(text, str):
        raise Failure(Diagnostic("LC103", f"a layout is a text of the language, not {json.dumps(text)[:80]}"))
    value = evaluate(text)
    if value is None:
        raise Failure(Diagnostic("LC101", "the expression is empty", text))
    return value
