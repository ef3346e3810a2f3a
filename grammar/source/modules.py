"""What the modules of the DSL are called in our vocabulary, whatever name an import gives them."""

from __future__ import annotations

from collections.abc import Sequence

from ..forms.dialects.python_names import MODULES

__all__ = ["module_of"]

_SAME = {
    "hopper_helpers": "sm90_utils", "blackwell_helpers": "sm100_utils", "sm90": "sm90_utils", "sm100": "sm100_utils",
}  # fmt: skip
"""Modules that the vocabulary knows by the name that every kernel gives them."""


def module_of(path: Sequence[str]) -> list[str]:
    """The path of an import in the words of the vocabulary: from the last module that it knows.

    >>> module_of(["cutlass", "utils", "hopper_helpers"])
    ['sm90_utils']
    >>> module_of(["cutlass", "cute", "make_layout"])
    ['cute', 'make_layout']
    """
    words = [_SAME.get(word, word) for word in path]
    last = max((i for i, word in enumerate(words) if word in MODULES), default=0)
    return words[last:]
