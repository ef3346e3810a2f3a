"""Foreign pieces inside a text of the language: each is replaced by its canonical text, the rest is kept."""

from __future__ import annotations

import re
from functools import cache

from laycalc.diagnostics.model import Failure

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import Reading, Segment, bad
from ..reading.spell import spell
from ..reading.trees import layout
from .builders import Pointer, Seen
from .names import VOCABULARY, terms_of
from .terms import Terms

__all__ = ["pieces", "reading", "rewrite"]

# After one of these, and before one of those, a composition needs no brackets.
_LOOSE_BEFORE = "(,;=[{<\n"
_LOOSE_AFTER = "),;=]}>\n!"


@cache
def _heads() -> re.Pattern[str]:
    templates = "|".join(
        sorted((re.escape(n) for n in VOCABULARY.templates if n not in ("E", "C", "R", "Swizzle")), key=len)[::-1]
    )
    calls = "|".join(sorted((re.escape(n) for n in VOCABULARY.calls if n != "E"), key=len)[::-1])
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
_FAMILIES = {"mlir": "mlir", "printed": "printed", "tensor": "printed", "call": "cpp"}
_HALVES = re.compile(r"\s*+(?:cute::)?make_shape\(.*\)\s*+,\s*+(?:cute::)?make_stride\(.*\)\s*+;?\s*+", re.DOTALL)


def pieces(text: str) -> Reading | None:
    """A text of the language with foreign pieces in it; None if there are none."""
    if len(text) < 5000 and _HALVES.fullmatch(text):
        return _halves(text)
    return rewritten(text)


def _halves(text: str) -> Reading | None:
    """``make_shape(m, k), make_stride(k, Int<1>{})``: the two halves of a layout."""
    terms = terms_of(text)
    first = terms.expression()
    if not terms.accept(","):
        return None
    node = layout(Span(0, len(text)), first, terms.whole())
    expression, segments = spell(node)
    return Reading("cpp", expression, tuple(terms.notes), source=text, segments=segments)


def rewrite(text: str, form: str, *, python: bool = False) -> Reading:
    """Read a text of a given form: one whole expression if it is one, else the foreign pieces in it."""
    if python:
        terms = terms_of(text, python=True)
        try:
            return reading(text, terms, form, "", terms.whole())
        except Failure:
            pass
    found = rewritten(text, form)
    if found is not None:
        return found
    terms = terms_of(text, python=python)
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


class _Rewriting:
    """A text whose foreign pieces are being replaced, from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parts: list[str] = []
        self.segments: list[Segment] = []
        self.seen = Seen()
        self.copied = self.length = 0
        """How far the text is dealt with, and how long its replacement is."""

    def replace(self, start: int, end: int, node: Expression | None) -> None:
        """Put the text of a node for a piece; nothing without one."""
        if start > self.copied:
            self.segments.append(Segment(self.length, self.length + start - self.copied, self.copied, start))
        self.parts.append(self.text[self.copied : start])
        self.length += start - self.copied
        self.copied = end
        if node is None:
            return
        chain = isinstance(node, (nodes.Binary, nodes.Unary)) and not _loose(self.text, start, end)
        replacement, inner = spell(node, self.length + chain)
        replacement = f"({replacement})" if chain else replacement
        self.parts.append(replacement)
        self.segments += inner
        self.length += len(replacement)

    def learn(self, terms: Terms, family: str) -> None:
        """Keep what was seen beside a piece."""
        for note in terms.notes:
            self.seen.note(note)
        self.seen.titles += terms.titles
        self.seen.bits = self.seen.bits or terms.bits
        self.seen.is_from(terms.family or family)

    def reading(self, form: str) -> Reading:
        """The whole text with its pieces replaced."""
        rest = self.text[self.copied :]
        self.segments.append(Segment(self.length, self.length + len(rest), self.copied, len(self.text)))
        expression = "".join([*self.parts, rest])
        stripped = expression.rstrip().rstrip(";") if "\n" not in expression.strip() else expression
        found = Reading(
            form or self.seen.family or "foreign",
            stripped.strip() if stripped.strip() else expression,
            tuple(self.seen.notes),
            tuple(self.seen.titles),
            facts={"element_bits": self.seen.bits} if self.seen.bits else {},
            source=self.text,
            segments=tuple(self.segments),
        )
        return _settled(found, expression)


def rewritten(text: str, form: str = "") -> Reading | None:
    """A text with its foreign pieces replaced; None if it has none.

    Raises:
        Failure: at the first piece that begins like a foreign form and is none.
    """
    heads = _heads()
    found = _Rewriting(text)
    position = 0
    while head := heads.search(text, position):
        kind, start, position = head.lastgroup or "", head.start(), head.end()
        if kind == "skip":
            continue
        if kind in ("declared", "scoped"):
            found.replace(start, position, None)
            continue
        terms = terms_of(text, start, python=kind == "call" and "." in head[0])
        node = _piece(terms, kind, head[0])
        if node is None:
            continue
        position = max(terms.end, position)
        if kind == "printed" and head[0].startswith("S<"):
            terms.note(f"{head[0].strip()} has no element type beside it: its units are kept as written")
        found.replace(start, position, node)
        found.learn(terms, _FAMILIES.get(kind, ""))
    return found.reading(form) if found.parts else None


def _piece(terms: Terms, kind: str, head: str) -> Expression | None:
    """The node of the piece that begins with ``head``; None for a call of the language itself."""
    own = kind in _SOFT and not ("::" in head or "." in head)
    try:
        node = terms.composition() if kind in _CHAINS else terms.operand()
    except Failure:
        if own:
            return None
        raise
    if own and isinstance(node, nodes.Call):
        return None
    if isinstance(node, Pointer):
        raise bad(terms.text, *node.span, "a pointer without a layout", "` o ` and a layout are expected after it")
    return node


def _settled(found: Reading, expression: str) -> Reading:
    """Shift the segments by the blanks that were taken off the front."""
    shift = len(expression) - len(expression.lstrip())
    if not shift or found.expression == expression:
        return found
    moved = (Segment(s.start - shift, s.end - shift, *s[2:]) for s in found.segments)
    return found.replace(segments=tuple(s for s in moved if s.end > 0))


def _loose(text: str, start: int, end: int) -> bool:
    """Do the neighbours of a piece bind less tightly than a composition?"""
    before, after = text[:start].rstrip(" \t"), text[end:].lstrip(" \t")
    return (not before or before[-1] in _LOOSE_BEFORE) and (not after or after[0] in _LOOSE_AFTER)
