"""The codes: a stable name, a title, and what to say at the guilty places of the two operands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laycalc.algebra.base.record import Record

__all__ = ["CODES", "Code", "code_of"]


class Code(Record):
    """One code.

    ``left`` and ``right`` are templates over the facts of the error, shown under the guilty modes; of several,
    separated by ``|``, the first counts for which all facts are there. ``{this}`` is "this mode", or which mode of a
    name it is. ``cutlass`` is what CUTLASS does with the same input, where that is always the same.
    """

    code: str
    name: str
    title: str
    left: str = ""
    right: str = ""
    cutlass: str = ""

    def label(self, side: str, facts: Mapping[str, Any], this: str = "") -> str:
        """The remark for ``left`` or ``right``, perhaps none; ``this`` names a mode that is not written out."""
        for template in (self.left if side == "left" else self.right).split(" | "):
            try:
                text = template.format(this=this or "this mode", **facts)
            except (KeyError, IndexError):
                continue
            return f"{this}: {text}" if this and text and "{this}" not in template else text or this
        return this


_OVERLAP = "stride {stride} begins inside the {extent} below it"
_ENDS = "{this} ends at {extent}"

CODES: dict[str, Code] = {
    c.code: c
    for c in (
        Code("LC101", "syntax", "The text is not in the language"),
        Code("LC102", "unknown-name", "A name that nothing defines"),
        Code("LC103", "argument", "An argument of the wrong kind"),
        Code("LC104", "limit", "A limit was reached"),
        Code("LC105", "comment-after-number", "`//` directly after a number"),
        Code("LC106", "needs-value", "An operation needs the value of a symbol"),
        Code(
            "LC201",
            "not-congruent",
            "Shape and stride have different profiles",
            "this is the shape",
            "these strides do not follow it",
            "CUTLASS C++ accepts it and prints it as it stands",
        ),
        Code("LC202", "bad-extent", "An extent is not a positive integer", "not a positive integer"),
        Code(
            "LC203",
            "mixed-semimodules",
            "Strides of different kinds in one layout",
            "a stride in {left}",
            "a stride in {right}",
        ),
        Code(
            "LC204",
            "bad-swizzle",
            "Parameters that make no swizzle",
            cutlass="CUTLASS C++ refuses it too: abs(SShift) must be more than BBits",
        ),
        Code(
            "LC205",
            "coordinate",
            "A coordinate that does not fit the shape",
            "rank {right} | this is the shape",
            "rank {left} | this does not fit it",
        ),
        Code("LC206", "no-morphism", "A map that is no morphism"),
        Code(
            "LC301",
            "stride-divisibility",
            "Stride Divisibility Condition",
            "{this} ends at prefix product {prefix}",
            "stride {stride} neither divides {prefix} nor is divided by it",
        ),
        Code(
            "LC302",
            "shape-divisibility",
            "Shape Divisibility Condition",
            "{this} ends at prefix product {prefix}: {digits} steps of {stride}",
            "size {extent} is not divisible by {digits}",
        ),
        Code(
            "LC303",
            "not-distributive",
            "The right operand does not distribute over the left shape",
            "the digits of this mode run over its extent {mode_extent} | this is read by the other",
            "together these modes reach {reach} in it | this does not pass through it",
        ),
        Code(
            "LC304",
            "codomain",
            "The codomain of one operand does not fit the domain of the other",
            "it has no mode {mode} | not for these strides",
            "stride {stride} leads outside | this does not fit it",
        ),
        Code(
            "LC305",
            "tiler-rank",
            "A tiler with more modes than the layout",
            "rank {left}",
            "rank {right}",
            "CUTLASS C++ refuses it too: Too many modes in tiler",
        ),
        Code(
            "LC306",
            "not-injective",
            "The layout reaches a place twice",
            f"{_OVERLAP} | covers {{covered}} of {{size}} values",
            _ENDS,
            "CUTLASS C++ refuses it too: Non-injective Layout detected in complement",
        ),
        Code(
            "LC307",
            "no-chain",
            "The strides do not divide one another",
            "stride {second} is no multiple of {first} | extent {extent} is no power of two, and modes follow",
            "stride {first}",
            "CUTLASS C++ refuses it too: Left inverse divisibility condition",
        ),
        Code(
            "LC308",
            "xor-carry",
            "A multiple of an XOR stride carries",
            "XOR stride {stride}",
            "multiples of {step} carry from coordinate {carry} on",
        ),
        Code("LC309", "not-tractable", "The layout has no diagram"),
        Code(
            "LC310",
            "not-refinable",
            "The shapes have no common refinement",
            "here {left} | size {a}",
            "here {right} | size {b}",
        ),
        Code(
            "LC311",
            "mode-rank",
            "A mode of the wrong rank",
            "mode {mode} of the layout",
            "this mode leaves no tile and rest to pair",
            "CUTLASS C++ refuses it too",
        ),
        Code(
            "LC312",
            "recast-divisibility",
            "An upcast or recast does not divide",
            "stride {stride} | this layout",
            "{factor} neither divides it nor is divided by it",
            "CUTLASS C++ refuses it too",
        ),
        Code(
            "LC313",
            "downcast-contiguity",
            "A downcast of a mode that is not contiguous",
            "no mode has stride 1",
            "{factor} narrow elements in place of one",
        ),
        Code(
            "LC314",
            "block-divisibility",
            "The block does not tile the shape",
            "the block",
            "the shape to fill",
            "CUTLASS C++ refuses it too: the block shape does not divide the target shape",
        ),
        Code("LC315", "basis-profiles", "Coordinates of different profiles in one sum", "{first}", "{second}"),
        Code("LC401", "ragged", "The tiles cover more than the layout", "{size} elements", "covers {covered}"),
        Code("LC402", "reaches-outside", "A tile reaches outside the layout", "{size} elements", "reaches {reach}"),
        Code(
            "LC403",
            "tiler-by-layout",
            "A layout tiler that looks meant by mode",
            "rank {rank}",
            "one mode of {size} elements",
        ),
        Code(
            "LC404",
            "complement-holes",
            "The complement leaves holes",
            "stride {stride} is no multiple of {extent}",
            _ENDS,
        ),
        Code("LC405", "offset-range", "Offsets exceed 32 bits"),
        Code("LC406", "cutlass-wrong", "CUTLASS accepts this and answers wrongly"),
        Code(
            "LC407",
            "surplus-modes",
            "Modes of the layout without a tiler are dropped",
            "rank {rank} | more modes",
            "{right} modes",
        ),
        Code("LC408", "padded", "The shorter operand was padded", "rank {left}", "rank {right}"),
        Code("LC409", "overlap", "The blocks of a product by mode overlap", "the block", "repeated mode by mode"),
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
