"""laycalc: a calculator, picture maker and checker for CuTe layouts.

>>> import laycalc as lc
>>> lc.eval("(8,16):(20,1) / <4:1,8:2>")
Layout('((4,2),(8,2)):((20,80),(2,1))')
>>> lc.composition(lc.Layout((6, 2), (8, 2)), lc.Layout((4, 3), (3, 1)))
Layout('((2,2),3):((24,2),8)')

The functions of the language are here under their names, which are CuTe's; `names` says where the rest is. Nothing is
imported until it is used. Type checkers read __init__.pyi, which is generated.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_ABOVE = {
    "array": "arrays:array",
    "at": "arrays:at",
    "diagnostic": "failures:diagnostic_of",
    "object": "answers:object_of",
    "offsets": "arrays:offsets",
    "page": "failures:page",
    "picture": "notebook:picture",
    "value": "texts:value",
    "words": "failures:words",
}
"""What values do with the help of rooms above them, beside the names of the library: name -> ``module:function``."""

_HOMES = {
    "answers": (
        "Answer",
        "banks",
        "check",
        "design_task",
        "diff",
        "explain",
        "fit",
        "info",
        "read",
        "scan",
        "vector",
        "why",
        "write",
    ),
    "algebra.base.errors": ("AdmissibilityError", "InputError", "LayoutError", "ValueFault", "observing"),
    "algebra.categories.morphism": ("Morphism",),
    "algebra.symbolic.report": ("Report",),
    "algebra.values.layout": ("Layout",),
    "algebra.values.semimodule": ("Coordinate", "Xor"),
    "algebra.values.swizzle": ("Composed", "Swizzle"),
    "algebra.values.tensor": ("Tensor",),
    "algebra.values.tiler": ("Tiler",),
    "cute": (
        "back",
        "domain_offset",
        "elem_less",
        "front",
        "get",
        "group_modes",
        "inner_product",
        "is_layout",
        "is_static",
        "layout_of",
        "make_composed_layout",
        "make_coord",
        "make_identity_tensor",
        "make_shape",
        "make_stride",
        "make_swizzle",
        "make_tensor",
        "make_tile",
        "make_tiler",
        "product",
        "repeat",
        "repeat_like",
        "slice_layout",
        "tuple_max",
    ),
    "diagnostics.model": ("Diagnostic", "Failure"),
    "grammar.syntax.parser": ("parse",),
    "render.draw": ("draw", "save"),
    "texts": ("eval",),
    "unknowns": ("assuming", "symbols"),
}

_HOME = {name: module for module, names in _HOMES.items() for name in names}
"""What is no function of the language: name -> module below laycalc."""

_ALSO = {
    "is_congruent": "congruent",
    "is_weakly_congruent": "weakly_congruent",
    "make_tiled_copy": "tiled_copy",
    "make_tiled_copy_A": "tiled_copy_A",
    "make_tiled_copy_B": "tiled_copy_B",
    "make_tiled_copy_C": "tiled_copy_C",
    "make_tiled_copy_tv": "tiled_copy_tv",
    "make_tiled_mma": "tiled_mma",
    "prefix_product": "prefix_products",
    "slice_": "slice",
}
"""What CuTe in Python calls functions of the language."""

_PYTHONS = frozenset({"eval", "slice", "sum"})
"""Names of Python itself, which ``from laycalc import *`` leaves alone."""


def above(name: str) -> Any:
    """The function that a value of a room below asks for."""
    if name not in _ABOVE:
        return __getattr__(name)
    module, _, function = _ABOVE[name].partition(":")
    return getattr(import_module(f"laycalc.{module}"), function)


def names() -> list[str]:
    """Every name of the library, in alphabetical order."""
    from laycalc.grammar.language.functions import functions

    words = [name for row in functions() for name in (row.name, *row.aliases)]
    return sorted({*words, *_HOME, *_ALSO})


def __getattr__(name: str) -> Any:
    value: Any
    if name == "__all__":
        return [name for name in names() if name not in _PYTHONS]
    if name in _HOME:
        value = getattr(import_module(f"laycalc.{_HOME[name]}"), name)
    elif name.startswith("_"):
        raise AttributeError(f"module 'laycalc' has no attribute {name!r}")
    else:
        from laycalc.grammar.language.functions import find

        word = _ALSO.get(name, name)
        if find(word) is None:
            raise AttributeError(_unknown(name), name=name)
        from laycalc.functions import function

        value = function(word)
    globals()[name] = value
    return value


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, names(), n=1, cutoff=0.7)
    return f"module 'laycalc' has no attribute {name!r}" + (f"; did you mean {near[0]}?" if near else "")


def __dir__() -> list[str]:
    return sorted({*globals(), *names()})
