"""What people write instead of the language: how it looks, what to say, how to repair it.

This is data for `mistakes`, read only when a text is wrong. The first entry that fits is told, but entries whose
repair is a statement of the language go before the others.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["BINARY", "HEADS", "LOOKALIKES", "SLIPS", "STATEMENTS", "WORDS", "Slip"]


class Slip(NamedTuple):
    """An entry; every condition given must hold.

    Conditions: ``found`` and ``before`` are kinds of the unexpected token and of the one before it, BEGIN where there
    is none; ``looks`` is a regular expression for the text from the unexpected token on, ``after`` one for the end of
    the text before it; ``inside`` lists what may be the innermost open bracket, "-" for none; ``anywhere`` is looked
    for in the whole statement.

    What to say: `{found}` and `{before}` are the two tokens, `{open}` and `{close}` the innermost bracket and its
    partner, `{expected}` what would fit. The label stands ``at`` the token found or the one before it, at the
    gap between them, at the open bracket, or where ``anywhere`` was found.

    Repairs are pairs of the new statement and, in words, the change. `{head}` `{gap}` `{found}` `{tail}` make up the
    statement as it stands, `{rest}` is the tail without blanks before it, `{stem}` the
    head without its last token, and `{closers}` are all the partners missing.
    """

    message: str
    label: str = "expected {expected}"
    found: str = ""
    before: str = ""
    looks: str = ""
    after: str = ""
    inside: str = ""
    anywhere: str = ""
    at: str = "found"
    repairs: tuple[tuple[str, str], ...] = ()
    note: str = ""
    code: str = "LC101"


HEADS = "INTEGER COORDINATE XOR SWIZZLE UNKNOWN STRING WILDCARD TRUTH NAME FOREIGN LPAR LSQB LBRACE"
ENDS = "INTEGER COORDINATE XOR SWIZZLE UNKNOWN STRING WILDCARD TRUTH NAME FOREIGN POSTFIX RPAR RSQB RBRACE MORE"
BINARY = "COLON ARROW O RING TIMES STAR PLUS RELATION LESS MORE IN AND OR DOT POSTFIX"
WAITING = "COLON ARROW O RING TIMES STAR PLUS MINUS RELATION LESS MORE IN AND OR NOT EQUAL ASSERT ASSUME GIVEN"
OPENING = "LPAR LSQB LBRACE LESS COMMA SEMICOLON"
CLOSING = "RPAR RSQB RBRACE"
STATEMENTS = "LET ASSERT ASSUME FOR INCLUDE"
RESERVED = f"{STATEMENTS} GIVEN O AND OR NOT IN"

CPP = (
    r"::|\b(?:Int|C)<[0-9_]+>|\b_?[0-9]+\{\}|"
    r"\b(?:Shape|Stride|Layout|Tile|Step|tuple|ComposedLayout|Swizzle|ScaledBasis|integral_constant)<\s*[A-Za-z_]\w*"
)
FOREIGN = "C++ types and calls, compiler messages, prints and Python calls are read where their names are known"

WORDS = {"NAME": "a name", "STRING": "a text in double quotes", "END": "the end of the statement"}

LOOKALIKES = {
    **dict.fromkeys("−–—‐‑", "-"),
    **dict.fromkeys("×·∙⋅", "*"),
    **dict.fromkeys("÷⁄∕", "/"),
    **dict.fromkeys("，、", ","),
    **dict.fromkeys("：∶", ":"),
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("（", "("),
    **dict.fromkeys("）", ")"),
    **dict.fromkeys("⟨〈‹", "<"),
    **dict.fromkeys("⟩〉›", ">"),
    **dict.fromkeys("\u00a0\u2002\u2003\u2009\u202f\u3000", " "),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
    "；": ";",
    "＝": "=",
    "∈": " in ",
    "∧": " and ",
    "∨": " or ",
    "¬": "not ",
    "∣": "|",
    "◦": "o",
    "○": "o",
    "∗": "*",
    "⊙": "*",
    "≅": "~",
}
"""Characters that look like one of the language, or mean the same, and what to write."""

SLIPS = (
    Slip(
        "`//` after a number could be a comment or a division",
        "`/` divides; a comment has a blank before it and words in it",
        looks="//",
        before="INTEGER",
        repairs=(("{head} / {rest}", "divide with one slash"),),
        code="LC105",
    ),
    Slip("`//` begins a comment only at the start of a line or after white space", "`/` divides", looks="//"),
    Slip(
        "the text is not closed",
        'its second `"` is missing',
        looks=r'"[^\n]*',
        repairs=(('{head}{gap}{found}"', "close it"),),
    ),
    Slip("this looks like C++", "not of this language", anywhere=CPP, at="anywhere", note=FOREIGN),
    Slip(
        "B and M of a swizzle are not negative, only S may be",
        "written Sw<B,M,S>",
        after=r"\b(?:Sw|S|Swizzle)<[ \t]*(?:[0-9]+[ \t]*,[ \t]*)?-[ \t]*[0-9]+",
        before="INTEGER",
    ),
    Slip(
        "B and M of a swizzle are not negative, only S may be",
        "written Sw<B,M,S>",
        after=r"\b(?:Sw|S|Swizzle)<[ \t]*[0-9]+",
        looks=r",[ \t]*-",
    ),
    Slip("a swizzle has three numbers", "written Sw<B,M,S>", after=r"\b(?:Sw|S|Swizzle)<[^<>]*", before="INTEGER"),
    Slip("`&` is not an operator", "write `and`", looks="&&?", repairs=(("{head} and {rest}", "write `and`"),)),
    Slip(
        "`||` is not an operator",
        "write `or`",
        looks=r"\|",
        after=r"\|",
        repairs=(("{stem} or {rest}", "write `or`"),),
    ),
    Slip("`!` is not an operator", "write `not`", looks="!", repairs=(("{head}{gap}not {rest}", "write `not`"),)),
    Slip(
        "a text stands in double quotes",
        'write `"`',
        looks=r"'([^'\n]*)'",
        repairs=(('{head}{gap}"{inner}"{tail}', "double quotes"),),
    ),
    Slip("there is no power", "a second `*`", looks=r"\*", after=r"\*"),
    Slip("`^` is followed by `*`, `-1`, `R` or `L`", "as in A^* A^-1 A^R A^L", looks=r"\^"),
    Slip("an arrow carries its map", "as in (4,8) --(2,1)--> (8,4)", found="MORE", before="MINUS", at="before"),
    Slip(
        "an arrow carries its map",
        "as in (4,8) --(2,1)--> (8,4)",
        found="TIMES STAR MINUS MORE COLON END",
        after=r"--\([0-9,*\s]*\)?",
        looks=r"[^()]*\)-*>?",
    ),
    Slip("there are no decimal numbers", "a fraction", looks="[0-9]+", after=r"[0-9]\."),
    Slip("numbers are written in decimal", "not a number of this language", found="BAD", looks=r"0[xXbBoO]\w*"),
    Slip("`{found}` is neither a number nor a name", found="BAD", looks=r"_?[0-9]\w*"),
    Slip("`{found}` is not part of the language", found="BAD"),
    # ---- brackets ----
    *(
        Slip(
            "`{open}` is closed by `{found}`",
            "expected `{close}`",
            found=closer,
            inside=others,
            repairs=(
                ("{head}{close}{gap}{found}{tail}", "close `{open}` first"),
                ("{head}{gap}{close}{tail}", "close with `{close}`"),
                ("{head}{gap}{tail}", "leave `{found}` out"),
            ),
        )
        for closer, others in (("RPAR", "[{<"), ("RSQB", "({<"), ("RBRACE", "([<"))
    ),
    Slip(
        "this `{found}` closes nothing",
        "no bracket is open",
        found=CLOSING,
        inside="-",
        repairs=(("{head}{gap}{tail}", "leave `{found}` out"),),
    ),
    Slip(
        "`{open}` is never closed",
        "its `{close}` is missing",
        found="END",
        before=f"{ENDS} {OPENING}",
        inside="([{<",
        at="open",
        repairs=(("{head}{closers}", "close it"),),
    ),
    *(
        Slip(
            "`{open}` is never closed",
            "its `{close}` is missing",
            found=found,
            looks=looks,
            inside="([{<",
            at="open",
            repairs=(("{head}{closers}", "close it"),),
        )
        for found, looks in ((STATEMENTS, ""), ("NAME", r"(?m:^)\w+(?=[ \t]*=(?!=))"))
    ),
    # ---- separators ----
    Slip(
        "`;` separates statements",
        "between items stands `,`",
        found="SEMICOLON",
        inside="({<[",
        repairs=(("{head}{gap},{tail}", "write `,`"),),
    ),
    Slip(
        "`{open}` is never closed",
        "its `{close}` is missing",
        found="SEMICOLON",
        inside="({<[",
        at="open",
        repairs=(("{head}{closers}{gap};{tail}", "close it"),),
    ),
    Slip(
        "an item is missing before `{found}`",
        found="COMMA SEMICOLON",
        before=OPENING,
        repairs=(("{head}{gap}{tail}", "leave `{found}` out"),),
    ),
    Slip(
        "`{ }` before ` o ` holds one offset",
        "an offset with several coordinates is written {(0,2)}",
        found="COMMA",
        inside="{",
    ),
    Slip(
        "`,` stands between shape and stride",
        "expected `:`",
        found="COMMA",
        before="RPAR",
        looks=r",(?=\s*\()",
        inside="-",
        repairs=(("{head}{gap}:{tail}", "write shape:stride"),),
    ),
    Slip(
        "`,` stands outside of brackets",
        "a tuple is written (4,8), a layout shape:stride",
        found="COMMA",
        before=ENDS,
        inside="-",
        repairs=(("({head}{gap},{tail})", "put it in brackets"),),
    ),
    Slip(
        "`_` stands for a whole mode",
        "write `_`",
        found="COLON",
        before="LPAR LSQB COMMA",
        repairs=(("{head}{gap}_{tail}", "write `_`"),),
    ),
    # ---- statements and reserved words ----
    Slip(
        "`=` binds a name; equality is `==`",
        "expected `==`",
        found="EQUAL",
        before=ENDS,
        repairs=(("{head}{gap}=={tail}", "compare with `==`"),),
    ),
    Slip("`{found}` is a reserved word", "it cannot be a name", found=RESERVED, looks=r"\w+(?=[ \t]*=(?!=))"),
    Slip("`let` is followed by name = expression", before="LET", note="a reserved word cannot be a name"),
    Slip("`for` is followed by name in {values}", before="FOR", note="a reserved word cannot be a name"),
    Slip('the file to include stands in double quotes: include "tiles.layout"', before="INCLUDE"),
    Slip("after `in` the values stand in braces: {64, 96}", found=HEADS, before="IN"),
    Slip(
        "`{found}` begins a statement of its own",
        "expected {expected}",
        found=STATEMENTS,
        before=ENDS,
        inside="-",
        repairs=(("{head};{gap}{found}{tail}", "separate with `;`"),),
    ),
    Slip("`not` stands before a whole relation", "as in not M in {64}", found="NOT", before=ENDS),
    # ---- operands and operators ----
    Slip("`in` is missing", found="LBRACE", after=r"\bfor\b.*\w"),
    Slip("an index is missing between `[` and `]`", found="RSQB", before="LSQB"),
    Slip("a value is missing between `{` and `}`", found="RBRACE", before="LBRACE"),
    Slip(
        "a comma is missing before `{found}`",
        "expected {expected}",
        found=HEADS,
        before=ENDS,
        inside="([{<",
        repairs=(("{head},{gap}{found}{tail}", "put a comma"),),
    ),
    Slip(
        "an operator is missing between `{before}` and `{found}`",
        found=HEADS,
        before="NAME",
        inside="-",
        repairs=(("{head}({found}{tail})", "call the function"),),
        note="a function is called with brackets, f(L); composition is A o B",
    ),
    Slip(
        "an operator is missing between `{before}` and `{found}`",
        found=HEADS,
        before=ENDS,
        inside="-",
        note="composition is written A o B",
    ),
    Slip(
        "a comparison inside `< >` needs round brackets",
        "`>` would be the end of the tiler",
        found="RELATION IN AND OR",
        before=ENDS,
        inside="<",
    ),
    Slip(
        "an operand is missing after `{before}`",
        found=f"END COMMA SEMICOLON GIVEN EQUAL MINUS {CLOSING} {BINARY}",
        before=WAITING,
        at="gap",
    ),
    Slip("a name is missing after `.`", before="DOT", at="gap"),
    Slip("an operand is missing before `{found}`", "expected an operand", found=BINARY, before=f"BEGIN {OPENING}"),
    Slip("`{found}` is a reserved word", found=RESERVED),
    Slip("the statement ends too early", found="END", at="gap"),
    Slip("`{found}` does not fit here"),
)
