"""The lexer that Pygments finds under the name ``layout``, for documents."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, _TokenType

__all__ = ["LayoutLexer"]


class LayoutLexer(RegexLexer):  # type: ignore[misc]
    """Layout text: what the TextMate grammar of the editors says, in the tokens of Pygments."""

    name = "Layout"
    aliases: ClassVar[list[str]] = ["layout", "laycalc"]
    filenames: ClassVar[list[str]] = ["*.layout"]
    url = ""
    version_added = ""

    tokens: ClassVar[dict[str, list[tuple[str, _TokenType]]]] = {
        "root": [
            (r"\s+", Text.Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r"(?<!\S)//[^\n]*", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String.Double),
            (r"(?:let|assert|assume|given|for|in|include)\b", Keyword),
            (r"(?:o|not|and|or)\b", Operator.Word),
            (r"(?:Swizzle|Sw|S)(?=<)", Name.Class),
            (r"(?:true|false|None)\b", Keyword.Constant),
            (r"\d*[ef]\d+(?:\.\d+)*\b", Number.Other),
            (r"_?\d+\b", Number.Integer),
            (r"[^\W\d]\w*(?=\s*[(\[])", Name.Function),
            (r"[^\W\d]\w*", Name),
            (r"[()\[\]{},;]", Punctuation),
            (r"[:/*+\-<>=~!^%|.?@∘⊗⊘‡†≡⪯≲∼∤]+", Operator),
            (r".", Text),
        ]
    }
