"""Whole error lines: a compiler's or the DSL's complaint becomes the expression that it is about."""

from __future__ import annotations

import re
from typing import Any

from laycalc.diagnostics.model import Diagnostic, Failure, Label

from ...syntax.nodes import Call, Expression, Pair, Span, Tiler, Tuple
from ..dialects.pieces import reading
from ..dialects.seen import Seen
from ..dialects.terms import Terms
from ..reading.form import Form
from ..reading.reading import Reading, argument_error, bad
from ..reading.spell import spelled
from ..reading.trees import call, layout, modes

__all__ = ["FORM"]

_UNABLE = re.compile(
    r"(?:unable|failed|not able) to (?:compute|create)\s+(?:the\s+)?(?:following\s+)?"
    r"(?P<what>[a-z0-9_ ]{3,60}?)\s*+(?:of)?\s*+:?\s*+(?=['\"!(<])",
    re.IGNORECASE,
)
_INFERRED = re.compile(r"'cute\.(?P<what>[a-z_]{3,40})' op failed to infer[^:]{0,80}:\s*+(?=')")
_CONDITION = re.compile(
    r"(?:assert|error|requirement).{0,400}?(?P<name>(?:Stride|Shape|Left inverse) divisibility condition)",
    re.IGNORECASE | re.DOTALL,
)
_CODES = {"stride": "LC301", "shape": "LC302", "left": "LC307"}
_OPERAND = re.compile(r"'(?P<text>[^'\n]+)'")
_JOINED = re.compile(r"'\s*+(?:o|∘|by|and|with|,|/|\*)\s*+'")
_PARAMETER = re.compile(
    r"\b(?:const\s+)?(?:(?P<side>[LR]?|Target|Cosize)(?P<part>Shape|Stride|Hi|CoSizeHi|Layout|Order)|Tiler|TilerMN)"
    r"\s*+=\s*+"
)
_FUNCTION = re.compile(
    r"\b(?:cute::)?(?:detail::)?(?P<name>composition|complement|right_inverse|left_inverse|coalesce"
    r"|(?:logical|zipped|tiled|flat)_(?:divide|product)|(?:blocked|raked)_product)(?:_impl)?\b"
)
_NAMES = {
    "composition": "composition",
    "complement": "complement",
    "divide": "logical_divide",
    "logical divide": "logical_divide",
    "zipped divide": "zipped_divide",
    "tiled divide": "tiled_divide",
    "product": "logical_product",
    "logical product": "logical_product",
    "blocked product": "blocked_product",
    "raked product": "raked_product",
    "left inverse": "left_inverse",
    "right inverse": "right_inverse",
    "inverse": "right_inverse",
    "coalesce": "coalesce",
    "crd2idx": "crd2idx",
}


_UNARY = frozenset({"complement", "left_inverse", "right_inverse", "coalesce"})


def recognise(text: str) -> bool:
    """Is the text a complaint about an operation?"""
    if _UNABLE.search(text) or _INFERRED.search(text) or _CONDITION.search(text):
        return True
    return ("LShape" in text or "LStride" in text) and _PARAMETER.search(text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """``unable to compute the following composition: 'A' o 'B'``, or ``LShape=.., LStride=.., RShape=.., ..``."""
    if found := _UNABLE.search(text) or _INFERRED.search(text):
        return _unable(text, found)
    condition = _CONDITION.search(text)
    if condition and not _PARAMETER.search(text):
        code = _CODES[condition["name"].split()[0].lower()]
        told = "the operands stand below, in lines with LShape=.., RShape=..; paste them too"
        raise bad(text, *condition.span("name"), f"this is {condition['name']}, {code}, without its operands", told)
    return _template_arguments(text)


def _unable(text: str, found: re.Match[str]) -> Reading:
    what = " ".join(found["what"].lower().replace("_", " ").removesuffix("with").split())
    name = _NAMES.get(what)
    if name is None:
        raise bad(text, *found.span("what"), f"no operation is called {what!r}", "", notes=(", ".join(sorted(_NAMES)),))
    seen, position = Seen(), found.end()
    operands: list[Expression] = []
    seen.note("the message was read as the operation that it is about")
    for operand in _OPERAND.finditer(text, position):
        if operands and not _JOINED.fullmatch(text, position - 1, operand.start() + 1):
            break
        terms = Terms(text, operand.start("text"), operand.end("text"))
        operands.append(terms.whole())
        seen.learn(terms)
        position = operand.end()
    if not operands:
        raise bad(text, position, len(text), "the operands of the message are missing", "quoted layouts are expected")
    if len(operands) == 1 and name not in _UNARY:
        raise bad(text, position, len(text), f"the second operand of {name} is missing", "a quoted layout is expected")
    if len(operands) > 2:
        raise argument_error(text, *operands[2].span, f"{name} has two operands, this is one more")
    span = Span(found.start("what"), position)
    if name == "crd2idx" and len(operands) == 2:
        of, coordinate = operands
        _check_depth(text, of, coordinate)
        return reading(text, Call(span, of, (coordinate,), ()), seen, "messages")
    return reading(text, call(span, name, *operands), seen, "messages")


def _check_depth(text: str, of: Expression, coordinate: Expression) -> None:
    """A coordinate has no brackets where the shape has none; of unknown numbers this is all that can be said."""
    pending = [(of.shape if isinstance(of, Pair) else of, coordinate)]
    while pending:
        extent, entry = pending.pop()
        inside = modes(entry)
        if inside is None:
            continue
        below = modes(extent)
        if below is None or len(below) != len(inside):
            shape = spelled(of.shape if isinstance(of, Pair) else of).text
            what = f"the coordinate {spelled(coordinate).text} does not follow the shape {shape}"
            raise Failure(Diagnostic("LC205", what, text, (Label(*coordinate.span, "this coordinate"),)))
        pending += zip(below, inside, strict=True)


def _template_arguments(text: str) -> Reading:
    """What a compiler lists: the shape and stride types of one layout, or of the two operands."""
    seen = Seen()
    parts, end = _parameters(text, seen)
    left = _layout(parts, "L") or _layout(parts, "")
    if left is None:
        raise bad(text, 0, end, "a shape and a stride are expected", "LShape=.., LStride=..")
    right = _layout(parts, "R") or parts.get("RShape") or _tiler(parts.get("Tiler"))
    named = _FUNCTION.search(text)
    if right is not None:
        name = named["name"] if named else "composition"
        return reading(text, call(Span(0, len(text)), name, left, right), seen, "messages")
    if named and named["name"] not in _UNARY:
        told = "the right operand is missing; it is RShape=.., RStride=.. or Tiler=.."
        raise bad(text, *named.span("name"), f"the message is about {named['name']}", told)
    return reading(text, left, seen, "messages")


def _parameters(text: str, seen: Seen) -> tuple[dict[str, Expression], int]:
    """The template arguments by name, the first of each, and where the last one ends."""
    parts: dict[str, Expression] = {}
    position, end = 0, len(text)
    while found := _PARAMETER.search(text, position):
        terms = Terms(text, found.end())
        try:
            value = terms.finished(terms.operand())
        except Failure:
            if found["part"] is not None and found["side"] != "L" and parts:
                break  # a compiler cuts a long list
            raise
        position = end = max(terms.end, found.end())
        parts.setdefault("Tiler" if found["part"] is None else found["side"] + found["part"], value)
        seen.learn(terms)
    return parts, end


def _tiler(value: Expression | None) -> Expression | None:
    """A C++ tuple that stands for a tiler works mode by mode."""
    return Tiler(value.span, value.items) if isinstance(value, Tuple) else value


def _layout(parts: dict[str, Expression], side: str) -> Expression | None:
    whole = parts.get(f"{side}Layout")
    if whole is not None:
        return whole
    shape, stride = parts.get(f"{side}Shape"), parts.get(f"{side}Stride")
    if shape is None or stride is None:
        return None
    return layout(Span(shape.span.start, stride.span.end), shape, stride)


FORM = Form(
    name="messages",
    title="error lines of C++ and the DSL",
    example="unable to compute the following composition: 'A' o 'B'",
    aliases=("errors", "error"),
    marks=("nable to", "failed to", "not able to", "LShape", "LStride", "ivisibility"),
    recognise=recognise,
    order=20,
    read=read,
    surplus=("unable to compute the following composition: '4:1' o '2:1' o '2:1'",),
)
