"""What a single name of C++ or of a print stands for, by itself or after its namespaces."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...syntax import nodes
from ...syntax.nodes import Expression, Span
from ..reading.reading import argument_error
from ..reading.tokens import Token
from .kinds import element_type
from .rows import Vocabulary

__all__ = ["Meaning", "enumerator", "meaning"]

_NAMESPACES = frozenset({
    "cute", "cutlass", "std", "detail", "arch", "gemm", "collective", "layout", "platform",
    "GMMA", "UMMA", "SM90", "SM100", "SM103", "SM120", "BLOCKSCALED", "SPARSE",
})  # fmt: skip
_ENUMERATIONS = frozenset({
    "Major", "ScaleIn", "Saturate", "SparseSel", "OperandMajorMode", "OperandSource", "LayoutEnum",
    "SmemLayoutAtomKind", "CtaGroup", "LoadCacheMode",
})  # fmt: skip


_CUTLASS = {
    "NumThreadsPerWarp": 32, "NumThreadsPerWarpGroup": 128, "NumWarpsPerWarpGroup": 4, "NumThreadsPerHalfWarp": 16,
    "NumThreadsPerQuad": 4, "NumThreadsPerQuadPair": 8,
}  # fmt: skip
"""Numbers that CUTLASS has names for."""


class Meaning(NamedTuple):
    """A name without its namespaces; ``node`` if it stands for something by itself."""

    name: str
    node: Expression | None = None
    qualified: bool = False


def meaning(text: str, token: Token, vocabulary: Vocabulary) -> Meaning:
    """What a name stands for; LC103 at a scope that is not known."""
    span = Span(token.start, token.end)
    parts = token.text.lstrip("$%").split("::")
    while len(parts) > 1 and parts[0] in _NAMESPACES and "::".join(parts) not in vocabulary:
        del parts[0]
    qualified = len(parts) < token.text.count("::") + 1
    name = "::".join(parts)
    if len(parts) == 1:
        return Meaning(name, _constant(name, span), qualified)
    if name in vocabulary:
        return Meaning(name, None, qualified)
    if (found := enumerator(parts, span)) is not None:
        return Meaning(name, found, qualified)
    raise argument_error(text, *span, f"{'::'.join(parts[:-1])} is not known here", "nothing binds it")


def _constant(name: str, span: Span) -> Expression | None:
    if re.fullmatch(r"_[0-9]+", name):
        return nodes.Integer(span, int(name[1:]))
    if re.fullmatch(r"f[0-9]+", name):
        return nodes.Xor(span, int(name[1:]))
    if name in _CUTLASS:
        return nodes.Integer(span, _CUTLASS[name])
    if name in ("_", "Underscore", "None", "X"):
        return nodes.Wildcard(span)
    if name in ("true", "false", "True", "False"):
        return nodes.Truth(span, name.lower() == "true")
    return element_type(name, span)


def enumerator(parts: list[str], span: Span) -> Expression | None:
    """``GMMA::Major::K``, ``OperandMajorMode.K``: the word of an enumeration."""
    if len(parts) > 1 and parts[-2] in _ENUMERATIONS:
        return nodes.String(span, parts[-1])
    return None
