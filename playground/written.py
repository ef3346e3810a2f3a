"""The texts that a page offers to copy: the command line, the line of a check, a piece of Markdown."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import Outcome, run
from laycalc.grammar.syntax import nodes

from .question import Question

__all__ = ["copies"]


def copies(question: Question) -> dict[str, str]:
    """The texts to copy; a line of a check only where there is one."""
    outcomes = question.outcomes(question.scope())
    found = {"command": command_line("", question, outcomes), "draw": command_line("draw", question, outcomes)}
    if not outcomes or outcomes[-1].error is not None:
        return found
    check = check_line(question, outcomes)
    return found | ({"check": check} if check else {}) | {"markdown": markdown(question.text, outcomes[-1])}


def command_line(command: str, question: Question, outcomes: Iterable[Outcome]) -> str:
    """The command that answers the same; an expression is an argument, with the statements in front of it.

    Each pasted text is one argument.
    """
    words = ["laycalc", *filter(None, [command]), *arguments(question.text, outcomes)]
    words += [part for name, value in question.define.items() for part in ("-D", f"{name}={value}")]
    words += ["--shape", question.shape] if question.shape else []
    return shlex.join([*words, *switches(question.options)])


def arguments(text: str, outcomes: Iterable[Outcome]) -> list[str]:
    """The text cut behind each expression, statements joined by ``;``."""
    found: list[str] = []
    waiting: list[str] = []
    for outcome in outcomes:
        if outcome.statement is None or outcome.place is not None or outcome.source != text:
            return [text.strip()]
        span = outcome.statement.span
        piece = text[span.start : span.end]
        if waiting and waiting[-1] == piece:  # the combinations of a loop
            continue
        waiting.append(piece)
        if isinstance(outcome.statement, nodes.Evaluate):
            found.append("; ".join(waiting))
            waiting = []
    return [*found, *(["; ".join(waiting)] if waiting else [])] or [text.strip()]


NEGATED = ("legend", "fold")
"""The switches that are also off on purpose."""


def switches(options: Mapping[str, Any]) -> list[str]:
    """Options as a command line has them."""
    words: list[str] = []
    for name, value in options.items():
        said = name.replace("_", "-")
        if value is True or (value is False and name in NEGATED):
            words.append(f"--{said}" if value else f"--no-{said}")
        elif value is not False:
            words += [f"--{said}", str(value)]
    return words


def check_line(question: Question, outcomes: Sequence[Outcome]) -> str:
    """The text as a line of a ``.layout`` file that fails when its last value changes.

    Empty where there is no such line: it is offered only if it holds.
    """
    last = outcomes[-1]
    if last.error is not None or last.source != question.text or last.place is not None:
        return ""
    before = arguments(question.text, outcomes)
    *lines, final = before
    head, _, expression = final.rpartition("; ")
    if isinstance(last.statement, nodes.Evaluate):
        lines += [*filter(None, [head]), _claim(expression, last)]
    else:
        lines.append(final)
    text = "\n".join(lines)
    return text if all(outcome.error is None for outcome in run(text, question.scope())) else ""


def _claim(expression: str, outcome: Outcome) -> str:
    """What an expression is, as an assertion."""
    if outcome.report is not None:
        conditions = outcome.report.missing
        return f"assert admissible({expression})" + (f" given {conditions}" if conditions else "")
    value = text_of(outcome.value)
    return f"assert {expression}" if value == "true" else f"assert ({expression}) == {value}"


def markdown(text: str, outcome: Outcome) -> str:
    """A block that `laycalc check` reads and that shows the value as its comment."""
    value = text_of(outcome.value) if outcome.report is None else str(outcome.report)
    comment = "\n".join(f"# {line}" for line in value.splitlines())
    return f"```layout\n{text.strip()}\n{comment}\n```\n"
