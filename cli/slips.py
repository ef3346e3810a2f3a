"""What was typed is not what was meant: an expression that the shell took apart, a mistyped command, a file alone.

Only the words of a command line are looked at, before any of them is run; what makes sense as it stands is left alone.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Container, Iterable, Sequence
from difflib import get_close_matches

from laycalc.diagnostics.model import Diagnostic
from laycalc.grammar.language.functions import find
from laycalc.grammar.syntax.parser import statements

from .checks.sources import SUFFIXES, suffix_of
from .streams.inputs import names_a_file

__all__ = ["slip"]

OPERATORS = frozenset("o / * + % | : == != === ~ <~ <= >= < > and or not ∘ ⊗ ⊘ = ;".split())  # noqa: SIM905 - a line
LONGEST = 2_000
"""Characters of a line that is tried as one expression."""


def slip(texts: Sequence[str], commands: Iterable[str], command: str = "") -> Diagnostic | None:
    """What to say instead of evaluating the texts of a command (of eval for ""); None if they make sense."""
    texts = [text.strip() for text in texts]
    if not texts:
        return None
    found = None if command else _word(texts, commands)
    return found or _shell(texts, command) or _place(texts[0], command)


def _shell(texts: list[str], command: str) -> Diagnostic | None:
    """An expression without quotes: its operators stand alone, its stars are names of files."""
    if len(texts) < 2:
        return None
    if (names := [t for t in texts if _is_path(t)]) and len(names) < len(texts):
        said = f"{_listed(names)} stand{'s' if len(names) == 1 else ''} here: the shell puts names of files for *"
        return _quoted(said, _starred(texts, set(names)), command)
    alone = next((t for t in texts if t in OPERATORS), None)
    whole = " ".join(texts)
    if alone is None and (len(whole) > LONGEST or all(map(_parses, texts)) or not _parses(whole)):
        return None
    said = f"{alone} stands alone" if alone else "the arguments make one expression"
    return _quoted(f"{said}: the shell takes an expression apart at its blanks", whole, command)


def _quoted(said: str, whole: str, command: str) -> Diagnostic:
    line = " ".join(filter(None, ("laycalc", command, shlex.quote(whole))))
    notes = (f"with quotes: {line}",) if _parses(whole) else ("an expression stands in quotes: laycalc '16:1 / 4'",)
    return Diagnostic("LC101", said, notes=notes)


def _starred(texts: list[str], names: Container[str]) -> str:
    """The texts as they were before the shell put names of files for a star."""
    found: list[str] = []
    for text in texts:
        word = "*" if text in names else text
        if word != "*" or found[-1:] != ["*"]:
            found.append(word)
    return " ".join(found)


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _place(text: str, command: str) -> Diagnostic | None:
    """A file or a directory where an expression is expected."""
    if not _is_path(text):
        return None
    name = shlex.quote(text)
    if os.path.isdir(text):
        return Diagnostic("LC103", f"{text} is a directory", notes=(f"its files are checked by laycalc check {name}",))
    lines = [f"its expressions are evaluated by laycalc {command or 'eval'} -f {name}"] if not command else []
    if suffix_of(text) in SUFFIXES:
        lines.append(f"its assertions are checked by laycalc check {name}")
    lines = lines or [f"its text is an argument by laycalc {command} - < {name}"]
    return Diagnostic("LC103", f"{text} is a file", notes=tuple(lines))


def _is_path(text: str) -> bool:
    """Is it the name of a file, and nothing that could be a value?"""
    return bool(re.search(r"[A-Za-z]", text)) and not names_a_file(text) and os.path.exists(text) and find(text) is None


def _word(texts: list[str], commands: Iterable[str]) -> Diagnostic | None:
    """A word in front that is nearly a command, or a function whose arguments stand behind it."""
    word, *rest = texts
    if not re.fullmatch(r"[A-Za-z][\w-]*", word):
        return None
    if find(word) is not None:
        call = f"{word}({', '.join(rest)})"
        called = bool(rest) and _parses(call)
        return Diagnostic("LC103", f"{word} is a function", notes=(f"laycalc {shlex.quote(call)}",)) if called else None
    near = get_close_matches(word.lower(), list(commands), n=1, cutoff=0.7)
    if not near:
        return None
    line = shlex.join(["laycalc", near[0], *rest])
    return Diagnostic("LC102", f"{word} is no command and no name; did you mean {near[0]}?", notes=(line,))


def _parses(text: str) -> bool:
    return len(text) <= LONGEST and not any(isinstance(item, Diagnostic) for item in statements(text))
