"""From a token that does not fit to a diagnostic in words; imported when a text is wrong, not before."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from laycalc.diagnostics.model import Diagnostic, Label, Suggestion

from .lexer import BAD, END, Bracket, Token
from .limits import LimitExceeded
from .machine import Unexpected
from .syntax_slips import BINARY, HEADS, LOOKALIKES, SLIPS, STATEMENTS, WORDS, Slip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .machine import Machine

__all__ = ["explain"]

PARTNERS = {"(": ")", "[": "]", "{": "}", "<": ">"}
WINDOW = 400
"""Characters on either side of a mistake that an entry may look at."""
REPAIRABLE = 4_000
"""Characters of a statement for which repairs are tried."""
SHOWN = 40
"""Characters of a token that a message repeats."""


class Place(NamedTuple):
    """The statement ``text[start:stop]``, the token that does not fit, and what surrounds it."""

    text: str
    start: int
    stop: int
    found: Token
    before: Token
    brackets: list[Bracket]
    accepts: set[str]

    def head(self) -> str:
        """The end of the statement before the token that does not fit."""
        return self.text[max(self.start, self.before[3] - WINDOW) : self.before[3]]


def explain(machine: Machine, text: str, stop: int, unexpected: Unexpected) -> Diagnostic:
    """Say what is wrong with the statement that ends before ``stop``."""
    start, found = unexpected.start, unexpected.token
    before: Token = ("BEGIN", "", start, start)
    lexer = machine.lexer(text[start : found[2]])  # again, for what was open before the token found
    for kind, value, begin, end in lexer:
        if kind != END:
            before = (kind, value, start + begin, start + end)
    brackets = [Bracket(bracket.text, start + bracket.position) for bracket in lexer.brackets]
    place = Place(text, start, max(stop, found[2]), found, before, brackets, machine.accepts(unexpected.states))
    odd = found[1] in LOOKALIKES or not " " < found[1] < "\x7f"
    return _character(machine, place) if found[0] == BAD and odd else _slip(machine, place)


# ---- single characters ----


def _character(machine: Machine, place: Place) -> Diagnostic:
    """A character that the language does not have, named, with what to write for it."""
    _, character, start, end = place.found
    code = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "a control character" if unicodedata.category(character) == "Cc" else "")
    shown = f"`{character}` ({code} {name})" if character.isprintable() and name else f"{code} ({name or 'unnamed'})"
    better = LOOKALIKES.get(character)
    if better is None:
        hint = "not part of the language"
    elif better.strip():
        hint = f"write `{better.strip()}`"
    else:
        hint = "write a blank" if better else "leave it out"
    repairs = []
    if better is not None and place.stop - place.start <= REPAIRABLE:
        repaired = (
            place.text[place.start : place.stop].strip().translate({ord(odd): text for odd, text in LOOKALIKES.items()})
        )
        if _parses(machine, repaired):
            repairs.append(Suggestion(repaired, change=hint))
    return Diagnostic(
        "LC101",
        f"{shown} is not part of the language",
        source=place.text,
        labels=(Label(start, end, hint),),
        facts={"character": code},
        suggestions=tuple(repairs),
    )


# ---- slips ----


def _slip(machine: Machine, place: Place) -> Diagnostic:
    """The first entry of the table that fits, or the first of which a repair is of the language."""
    chosen: tuple[Slip, dict[str, str], Label] | None = None
    for slip in SLIPS:
        where = _fits(slip, place)
        if where is None:
            continue
        start, end, parts = where
        parts = _parts(machine, place, parts)
        for template, change in slip.repairs if place.stop - place.start <= REPAIRABLE else ():
            repaired = _fill(template, parts).strip()
            if _parses(machine, repaired):
                suggestion = Suggestion(repaired, change=_fill(change, parts))
                return _diagnostic(slip, place, parts, Label(start, end), (suggestion,))
        chosen = chosen or (slip, parts, Label(start, end))
        if not slip.repairs:
            break
    assert chosen is not None  # the last entry fits everywhere
    return _diagnostic(chosen[0], place, chosen[1], chosen[2], ())


def _fits(slip: Slip, place: Place) -> tuple[int, int, dict[str, str]] | None:
    """Where the label goes if all conditions of ``slip`` hold, and what its expressions found."""
    if not _stands(slip, place):
        return None
    text, found, before = place.text, place.found, place.before
    parts = {"found": found[1], "before": before[1], "inner": ""}
    start, end = found[2:]
    if slip.looks:
        looks = re.compile(slip.looks).match(text, start, min(start + WINDOW, len(text)))
        if not looks:
            return None
        end = looks.end()
        parts |= {"found": looks[0], "inner": looks[1] if looks.re.groups else ""}
    if slip.anywhere:
        hit = re.compile(slip.anywhere).search(text, place.start, min(place.start + REPAIRABLE, place.stop))
        return hit and (*hit.span(), parts)
    return *_labelled(slip, place, start, end), parts


def _stands(slip: Slip, place: Place) -> bool:
    """Do the tokens around the place fit: the one found, the one before, the open bracket, the text up to here?"""
    inside = place.brackets[-1].text if place.brackets else "-"
    if slip.found and place.found[0] not in slip.found.split():
        return False
    if slip.before and place.before[0] not in slip.before.split():
        return False
    if slip.inside and inside not in slip.inside:
        return False
    upto = place.before[3]
    return not slip.after or bool(re.search(f"(?:{slip.after})\\Z", place.text[max(place.start, upto - WINDOW) : upto]))


def _labelled(slip: Slip, place: Place, start: int, end: int) -> tuple[int, int]:
    """The range that the label marks: the token found, the one before, the gap between, or the open bracket."""
    before = place.before
    if place.found[0] == END:
        start = end = before[3]
    if slip.at == "before":
        return before[2], before[3]
    if slip.at == "gap" and before[3] < start:
        return before[3], start
    if slip.at == "open":
        at = place.brackets[-1].position
        return at, at + 1
    return start, end


def _parts(machine: Machine, place: Place, parts: dict[str, str]) -> dict[str, str]:
    """All that messages and repairs may refer to."""
    text, found, before = place.text, place.found, place.before
    opened = [bracket.text for bracket in place.brackets]
    innermost = opened[-1] if opened else ""
    tail = text[found[2] + len(parts["found"]) : place.stop].rstrip("\n;")
    return parts | {
        "head": text[place.start : before[3]],
        "stem": text[place.start : before[2]].rstrip(),
        "gap": text[before[3] : found[2]],
        "tail": tail,
        "rest": tail.lstrip(),
        "open": innermost,
        "close": PARTNERS.get(innermost, ""),
        "closers": "".join(PARTNERS[bracket] for bracket in reversed(opened)),
        "expected": _choice(list(_expected(machine, place.accepts, innermost))),
    }


def _diagnostic(
    slip: Slip, place: Place, parts: dict[str, str], label: Label, suggestions: tuple[Suggestion, ...]
) -> Diagnostic:
    shown = {key: value if len(value) <= SHOWN else value[:SHOWN] + "…" for key, value in parts.items()}
    shown["expected"] = parts["expected"]
    return Diagnostic(
        slip.code,
        _fill(slip.message, shown),
        source=place.text,
        labels=(Label(label.start, label.end, _fill(slip.label, shown)),),
        notes=(slip.note,) if slip.note else (),
        facts={"expected": parts["expected"]},
        suggestions=suggestions,
    )


def _fill(template: str, parts: dict[str, str]) -> str:
    """Put the parts in; other braces stand for themselves."""
    return re.sub(r"\{([a-z]+)\}", lambda m: parts.get(m[1], m[0]), template)


# ---- what would fit ----


def _expected(machine: Machine, accepts: set[str], innermost: str) -> Iterator[str]:
    """The kinds that fit, in words, from the general to the particular."""
    heads, binary, begins = set(HEADS.split()), set(BINARY.split()), set(STATEMENTS.split())
    rest = set(accepts)
    if heads <= accepts:
        yield "a statement" if begins <= accepts else "an operand"
        rest -= heads | begins | {"MINUS", "NOT", "LESS"}
    if "TIMES" in accepts:
        yield "an operator"
        rest -= binary | {"MINUS", "LPAR", "LSQB", "EQUAL"}
        rest |= {"MORE"} & accepts if innermost == "<" else set()
    for kind in sorted(rest, key=lambda kind: (kind == END, kind)):
        yield WORDS.get(kind) or f"`{machine.texts.get(kind, kind)}`"


def _choice(words: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _parses(machine: Machine, text: str) -> bool:
    """Whether a text is of the language, and says something."""
    try:
        return sum(1 for _ in machine.statements(iter(machine.lexer(text)))) > 0
    except (Unexpected, LimitExceeded):
        return False
