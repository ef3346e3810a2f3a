r"""LaTeX as we write it, ``(4,8) : (\mathbf{e}_{0},\mathbf{e}_{1})``, and as papers write it nearly alike."""

from __future__ import annotations

import re
from typing import Any

from ..reading.form import Form
from ..reading.reading import Reading, bad, leaf_text

__all__ = ["FORM"]

_WRITE = re.compile(
    r"(?P<swizzle>Sw<(?P<b>\d+),(?P<m>\d+),(?P<s>-?\d+)>)|(?P<basis>(?<!\w)(?P<factor>\d*)(?P<kind>[ef])(?P<path>\d+(?:\.\d+)*)(?!\w))"
    r"|(?P<ring> o )|(?P<name>[A-Za-z]\w*)|(?P<mark>[<>{}_*?%])"
)
_MARKS = {
    "<": r"\langle ",
    ">": r"\rangle",
    "{": r"\{",
    "}": r"\}",
    "_": r"\_",
    "*": r"\cdot ",
    "?": r"\mathord{?}",
    "%": r"\bmod ",
}
_READ = (
    (
        re.compile(
            r"\\mathrm\{Sw\}\s*+(?:\\left)?\\langle\s*+(\d+)\s*+,\s*+(\d+)\s*+,\s*+(-?\d+)\s*+(?:\\right)?\\rangle"
        ),
        r"Sw<\1,\2,\3>",
    ),
    (
        re.compile(r"\\(?:mathbf|bm|boldsymbol|mathsf|textbf)\{([ef])\}_(?:\{([\d,. ]+)\}|(\d))"),
        lambda m: m[1] + re.sub(r"[,. ]+", ".", (m[2] or m[3]).strip()),
    ),
    (
        re.compile(r"\\(?:mathit|mathrm|text|operatorname|mathtt|texttt)\{((?:[^{}\\]|\\_)*)\}"),
        lambda m: m[1].replace(r"\_", "_").replace(" ", ""),
    ),
    (re.compile(r"\\mathord\{\?\}"), "?"),
    (re.compile(r"\\(?:left|right|bigl?|bigr|Bigl?|Bigr|displaystyle)(?![A-Za-z])"), ""),
    (re.compile(r"\\langle ?"), "<"),
    (re.compile(r"\\rangle ?"), ">"),
    (re.compile(r"\\(?:circ|odot) ?"), " o "),
    (re.compile(r"\\(?:cdot|times) ?"), "*"),
    (re.compile(r"\\bmod ?"), " % "),
    (re.compile(r"\\(?:colon|mathbin\{:\}) ?|\{:\}"), ":"),
    (re.compile(r"\\[,;:! ]|~|\\quad|\\qquad"), " "),
    (re.compile(r"\\_"), "_"),
    (re.compile(r"\\\{"), "{"),
    (re.compile(r"\\\}"), "}"),
)
_DELIMITERS = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"))


def recognise(text: str) -> bool:
    """Is there a macro that only such a formula has?"""
    return re.search(r"\\(?:circ|langle|left|mathbf|mathrm|mathit|bm|cdot|\{)", text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """A formula, with or without its dollars."""
    inner = text.strip()
    for opening, closing in _DELIMITERS:
        if inner.startswith(opening) and inner.endswith(closing) and len(inner) >= len(opening) + len(closing):
            inner = inner[len(opening) : len(inner) - len(closing)].strip()
            break
    for pattern, replacement in _READ:
        inner = pattern.sub(replacement, inner)
    if (rest := re.search(r"\\[A-Za-z]*|\$", inner)) is not None:
        start = max(text.find(rest[0]), 0)
        raise bad(text, start, start + len(rest[0]), f"{rest[0]} has no meaning in a layout")
    expression = re.sub(r"\s+", " ", inner).strip()
    if not expression:
        raise bad(text, 0, len(text), "an empty formula")
    return Reading("latex", expression, source=text)


def write(value: Any, shape: Any = None) -> str:
    """Math-mode text without dollars."""
    from laycalc.grammar.language.values import text_of

    return _WRITE.sub(_written, leaf_text(text_of(value))).replace(":", " : ").replace("  ", " ")


def _written(found: re.Match[str]) -> str:
    if found["swizzle"]:
        return rf"\mathrm{{Sw}}\langle {found['b']},{found['m']},{found['s']}\rangle"
    if found["basis"]:
        return rf"{found['factor']}\mathbf{{{found['kind']}}}_{{{found['path'].replace('.', ',')}}}"
    if found["ring"]:
        return r" \circ "
    if found["name"]:
        return rf"\mathit{{{found['name'].replace('_', chr(92) + '_')}}}"
    return _MARKS[found["mark"]]


FORM = Form(
    name="latex",
    title="LaTeX",
    example=r"(4,8):(1,4)",
    aliases=("tex",),
    marks=("\\",),
    recognise=recognise,
    order=120,
    read=read,
    write=write,
    surplus=(
        "(4,8):(1,4) \\padded{3}",
        "(4,8)\\foo:(1,4)",
    ),
)
