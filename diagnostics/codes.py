"""The codes: a stable name, a title, and what to say at the guilty places of the two operands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laycalc.algebra.record import Record

__all__ = ["CODES", "Code", "code_of"]


class Code(Record):
    """One code. ``left`` and ``right`` are templates over the facts of the error, shown under the guilty modes."""

    code: str
    name: str
    title: str
    left: str = ""
    right: str = ""

    def label(self, side: str, facts: Mapping[str, Any]) -> str:
        """The remark for ``left`` or ``right``; empty if a fact is missing."""
        template = self.left if side == "left" else self.right
        try:
            return template.format(**facts)
        except (KeyError, IndexError):
            return ""


CODES: dict[str, Code] = {
    c.code: c
    for c in (
        Code("LC101", "syntax", "The text is not in the language"),
        Code("LC102", "unknown-name", "A name that nothing defines"),
        Code("LC103", "argument", "An argument of the wrong kind"),
        Code("LC104", "limit", "A limit was reached"),
        Code("LC105", "comment-after-number", "`//` directly after a number"),
        Code("LC106", "needs-value", "An operation needs the value of a symbol"),
        Code("LC201", "not-congruent", "Shape and stride have different profiles"),
        Code("LC202", "bad-extent", "An extent is not a positive integer"),
        Code("LC203", "mixed-semimodules", "Strides of different kinds in one layout"),
        Code("LC204", "bad-swizzle", "Parameters that make no swizzle"),
        Code("LC205", "coordinate", "A coordinate that does not fit the shape"),
        Code(
            "LC301",
            "stride-divisibility",
            "Stride Divisibility Condition",
            "this mode ends at prefix product {prefix}",
            "stride {stride} neither divides {prefix} nor is divided by it",
        ),
        Code(
            "LC302",
            "shape-divisibility",
            "Shape Divisibility Condition",
            "this mode ends at prefix product {prefix}: {digits} steps of {stride}",
            "size {extent} is not divisible by {digits}",
        ),
        Code(
            "LC303",
            "not-distributive",
            "The right operand does not distribute over the left shape",
            "the digits of this mode run over its extent {mode_extent}",
            "together these modes reach past it",
        ),
        Code(
            "LC304",
            "codomain",
            "The codomain of one operand does not fit the domain of the other",
            "this is the domain",
            "this leads outside",
        ),
        Code("LC305", "tiler-rank", "A tiler with more modes than the layout", "{left} mode(s)", "{right} mode(s)"),
        Code(
            "LC306",
            "not-injective",
            "The layout reaches a place twice",
            "stride {stride} is smaller than the extent {extent} below it",
        ),
        Code("LC307", "no-chain", "The strides do not divide one another", "{first} does not divide {second}"),
        Code(
            "LC308",
            "xor-carry",
            "A multiple of an XOR stride carries",
            "XOR stride {stride}",
            "multiples of {step} carry from coordinate {carry} on",
        ),
        Code("LC309", "not-tractable", "The layout has no diagram"),
        Code("LC310", "not-refinable", "The shapes have no common refinement"),
        Code("LC311", "mode-rank", "A mode of the wrong rank", "", "this mode leaves no tile and rest to pair"),
        Code("LC312", "recast-divisibility", "An upcast or recast does not divide"),
        Code("LC313", "downcast-contiguity", "A downcast of a mode that is not contiguous"),
        Code("LC314", "block-divisibility", "The block does not tile the shape"),
        Code("LC315", "basis-profiles", "Coordinates of different profiles in one sum"),
        Code("LC401", "ragged", "The tiles cover more than the layout", "{size} elements", "covers {covered}"),
        Code("LC402", "reaches-outside", "A tile reaches outside the layout", "{size} elements", "reaches {reach}"),
        Code("LC403", "tiler-by-layout", "A layout tiler that looks meant by mode"),
        Code("LC404", "complement-holes", "The complement leaves holes", "stride {stride} is no multiple of {extent}"),
        Code("LC405", "offset-range", "Offsets exceed 32 bits"),
        Code("LC406", "cutlass-wrong", "CUTLASS accepts this and answers wrongly"),
        Code("LC407", "surplus-modes", "Modes of the layout without a tiler are dropped"),
        Code("LC408", "padded", "The shorter operand was padded"),
        Code("LC501", "false", "An assertion is false"),
        Code("LC502", "contradiction", "Assumptions contradict one another"),
        Code("LC503", "conditional", "Valid only under stated conditions"),
        Code("LC504", "gave-up", "The case search gave up"),
        Code("LC901", "own-fault", "A result failed its own law"),
    )
}


def code_of(code: str) -> Code:
    """The entry of a code."""
    return CODES[code]
