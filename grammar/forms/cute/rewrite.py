"""Foreign pieces inside a text of the language: each is replaced by its canonical text, the rest is kept."""

from __future__ import annotations

import re
from functools import cache

from laycalc.diagnostics.model import Failure

from ...syntax import nodes
from ...syntax.nodes import Expression
from ..reading.reading import Reading, Segment, bad
from ..reading.spell import spell
from .terms import Terms

__all__ = ["reading", "rewrite", "rewritten"]

# After one of these, and before one of those, a composition needs no brackets.
_LOOSE_BEFORE = "(,;=[{<\n"
_LOOSE_AFTER = "),;=]}>\n!"


@cache
def _heads() -> re.Pattern[str]:
    from .names import CALLS, TEMPLATES

    templates = "|".join(
        sorted((re.escape(n) for n in TEMPLATES if n not in ("E", "C", "R", "Swizzle")), key=len)[::-1]
    )
    calls = "|".join(sorted((re.escape(n) for n in CALLS if n != "E"), key=len)[::-1])
    scope = r"(?:(?:::)?(?:cute|cutlass|std|pycute|cutlass\.cute|tensor_layouts|tl)(?:::|\.)(?:detail::)?)"
    swizzle = r"(?:S|Sw|Swizzle)<[^<>\n]*>"
    space = r"(?:gmem|smem|rmem|tmem|lmem|dsmem|raw|trans|sub|sparse<\d+>)"
    pointer = (
        rf"(?:{space}_)*(?:sub)?ptr(?:_\d+b|\[|\(0x|\(\(?nil|(?=\s+o\s)|<)|(?:{space}_)\["
        r"|(?:\w+::)*\w*Iterator(?=\s+o\s)|0[xX][0-9a-fA-F]+(?:@\w+)?(?=\s+o\s)|(?:ArithTuple\w*|counting_iter)\("
    )
    constant = r"C(?=<\s*+(?:\(\w+\))?\s*+-?\d+\w*\s*+>)"
    return re.compile(
        rf"""
          (?P<skip>"(?:[^"\\\n]|\\.)*"|\#[^\n]*|(?<!\S)//[^\n]*)
        | (?P<declared>\b(?:(?:static|constexpr|const|inline)\s+)*(?:using|auto)\s+(?=[A-Za-z_]\w*\s*+=(?!=)))
        | (?P<printed>{swizzle}(?:\s+o\s+|_)(?:{pointer})|(?<![\w.])(?:{pointer})|\bS<[^<>\n]*>(?=\s*+o\s))
        | (?P<tensor>\b[Tt]ensor<\s*+(?:0x|\(|ptr<|raw_ptr|S<|\{{))
        | (?P<mlir>!cute\.\w+<)
        | (?P<quoted><\s*+")
        | (?P<labelled>(?<![\w\])>])\(\s*+[A-Za-z_]\w*\s*+=(?!=))
        | (?P<template>{scope}?\b(?:{templates}|{constant}|(?:E|Swizzle)(?=<[^<>]*>\s*+\{{))\s*+<)
        | (?P<call>(?:{scope}|(?<![\w.]))(?:{calls})\s*+\()
        | (?P<scoped>(?<![\w.:]){scope}(?=[A-Za-z_]))
        | (?P<major>\b(?:Layout\.)?(?:row|col)_major[\[(])
        | (?P<static>(?<!\w)(?:_-?\d+|Layout(?:Left|Right)|Gen(?:Row|Col)Major)\s*+\{{\}}|(?<!\w)_-\d+)
        """,
        re.VERBOSE,
    )


# A name in front of `(` may also be a function of the language: what cannot be rewritten is kept.
_SOFT = frozenset({"call", "labelled", "quoted"})
_CHAINS = frozenset({"printed", "labelled"})


def rewrite(text: str, form: str, *, python: bool = False) -> Reading:
    """Read a text of a given form: one whole expression if it is one, else the foreign pieces in it."""
    if python:
        terms = Terms(text, python=True)
        try:
            return reading(text, terms, form, "", terms.whole())
        except Failure:
            pass
    found = rewritten(text, form)
    if found is not None:
        return found
    terms = Terms(text, python=python)
    return reading(text, terms, form)


def reading(text: str, terms: Terms, form: str, note: str = "", node: Expression | None = None) -> Reading:
    """The reading of one expression that is all of the text."""
    node = terms.whole() if node is None else node
    if note:
        terms.note(note)
    expression, segments = spell(node)
    return Reading(
        form or terms.family,
        expression,
        tuple(terms.notes),
        tuple(terms.titles),
        facts={"element_bits": terms.bits} if terms.bits else {},
        source=text,
        segments=segments,
    )


def rewritten(text: str, form: str = "") -> Reading | None:
    """A text with its foreign pieces replaced; None if it has none.

    Raises:
        Failure: at the first piece that begins like a foreign form and is none.
    """
    heads = _heads()
    parts: list[str] = []
    segments: list[Segment] = []
    notes: list[str] = []
    titles: list[tuple[tuple[int, ...], str]] = []
    bits: int | None = None
    family = ""
    copied = position = length = 0
    while found := heads.search(text, position):
        kind = found.lastgroup or ""
        start, position = found.start(), found.end()
        if kind == "skip":
            continue
        replacement, end = "", position
        inner: tuple[Segment, ...] = ()
        if kind not in ("declared", "scoped"):
            terms = Terms(text, start, python=kind == "call" and "." in found[0])
            try:
                node = terms.composition() if kind in _CHAINS else terms.operand()
            except Failure:
                if kind in _SOFT and not _is_foreign(found[0]):
                    continue
                raise
            if kind in _SOFT and isinstance(node, nodes.Call) and not _is_foreign(found[0]):
                continue
            if type(node).__name__ == "Pointer":
                raise bad(text, *node.span, "a pointer without a layout", "` o ` and a layout are expected after it")
            end = position = max(terms.end, position)
            chain = isinstance(node, (nodes.Binary, nodes.Unary)) and not _loose(text, start, end)
            at = length + start - copied + chain
            replacement, inner = spell(node, at)
            replacement = f"({replacement})" if chain else replacement
            notes += [n for n in terms.notes if n not in notes]
            titles += terms.titles
            bits = bits or terms.bits
            family = (
                family
                or terms.family
                or {"mlir": "mlir", "printed": "printed", "tensor": "printed", "call": "cpp"}.get(kind, "")
            )
            if kind == "printed" and found[0].startswith("S<"):
                notes.append(f"{found[0].strip()} has no element type beside it: its units are kept as written")
        if start > copied:
            segments.append(Segment(length, length + start - copied, copied, start))
        parts += [text[copied:start], replacement]
        segments += inner
        length += start - copied + len(replacement)
        copied = end
    if not parts:
        return None
    rest = text[copied:]
    segments.append(Segment(length, length + len(rest), copied, len(text)))
    expression = "".join([*parts, rest])
    stripped = expression.rstrip().rstrip(";") if "\n" not in expression.strip() else expression
    return _settled(
        Reading(
            form or family or "foreign",
            stripped.strip() if stripped.strip() else expression,
            tuple(notes),
            tuple(titles),
            facts={"element_bits": bits} if bits else {},
            source=text,
            segments=tuple(segments),
        ),
        expression,
    )


def _settled(found: Reading, expression: str) -> Reading:
    """Shift the segments by the blanks that were taken off the front."""
    shift = len(expression) - len(expression.lstrip())
    if not shift or found.expression == expression:
        return found
    moved = (Segment(s.start - shift, s.end - shift, *s[2:]) for s in found.segments)
    return found.replace(segments=tuple(s for s in moved if s.end > 0))


def _is_foreign(head: str) -> bool:
    """Does the head belong to no function of the language?"""
    return "::" in head or "." in head


def _loose(text: str, start: int, end: int) -> bool:
    """Do the neighbours of a piece bind less tightly than a composition?"""
    before, after = text[:start].rstrip(" \t"), text[end:].lstrip(" \t")
    return (not before or before[-1] in _LOOSE_BEFORE) and (not after or after[0] in _LOOSE_AFTER)
