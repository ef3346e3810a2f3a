"""laycalc: a calculator, picture maker and checker for CuTe layouts.

>>> import laycalc as lc
>>> lc.eval("(8,16):(20,1) / <4:1,8:2>")
Layout('((4,2),(8,2)):((20,80),(2,1))')
>>> lc.composition(lc.Layout((6, 2), (8, 2)), lc.Layout((4, 3), (3, 1)))
Layout('((2,2),3):((24,2),8)')

The operations carry CuTe's names. Nothing is imported until it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_PLACES = {
    "algebra.values.coalesce": ("coalesce",),
    "algebra.operations.complement": ("complement",),
    "algebra.operations.composition": ("composition",),
    "algebra.operations.divide": ("flat_divide", "logical_divide", "tiled_divide", "zipped_divide"),
    "algebra.base.errors": ("AdmissibilityError", "InputError", "LayoutError", "ValueFault", "observing"),
    "algebra.operations.inverse": ("inverse", "left_inverse", "right_inverse"),
    "algebra.values.layout": ("Layout", "concat"),
    "algebra.operations.product": (
        "blocked_product",
        "flat_product",
        "logical_product",
        "raked_product",
        "tiled_product",
        "zipped_product",
    ),
    "algebra.values.semimodule": ("Coordinate", "Xor"),
    "algebra.values.shape": ("compatible", "crd2idx", "idx2crd", "size"),
    "algebra.values.swizzle": ("Composed", "Swizzle"),
    "algebra.finding.synthesis": ("layout_of",),
    "algebra.values.tensor": ("Tensor", "slice_layout"),
    "algebra.values.tiler": ("Tiler",),
    "diagnostics.model": ("Diagnostic", "Failure"),
    "grammar.syntax.parser": ("parse",),
    "render.draw": ("draw",),
}

_HOME = {name: module for module, names in _PLACES.items() for name in names}

__all__ = ["eval", *sorted(_HOME)]

__version__ = "0.1.0"


def eval(text: str, *, unknowns: bool = False, **names: Any) -> Any:
    """The value of an expression, with ``names`` bound to values; `Failure` carries the diagnostic if it has none.

    A name that nothing binds is LC102. With ``unknowns`` it is an unknown number, and the value is the `Report` on all
    its values.

    >>> eval("A o 6:12", A=eval("(4,6,8,10):(2,3,5,7)"))
    Layout('(2,3):(9,5)')
    >>> print(eval("size((M,4):(1,M))", unknowns=True))
    4*M
    """
    from laycalc.grammar.run.scope import Scope, Settings
    from laycalc.grammar.run.statements import evaluate

    return evaluate(text, Scope(Settings(unknowns=unknowns), dict(names)))


def _picture(self: Any) -> str:
    """The SVG that a notebook shows for a layout."""
    from laycalc.render.draw import draw

    return str(draw(self))


def _page(self: Any) -> str:
    """The same for notebooks that show HTML only."""
    return f"<figure>{_picture(self)}</figure>"


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'laycalc' has no attribute {name!r}")
    value = getattr(import_module(f"laycalc.{_HOME[name]}"), name)
    if name in ("Composed", "Layout", "Tensor"):
        # The algebra knows no pictures; the two rooms meet here.
        value._repr_svg_, value._repr_html_ = _picture, _page
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])


if TYPE_CHECKING:
    from laycalc.algebra.base.errors import AdmissibilityError as AdmissibilityError
    from laycalc.algebra.base.errors import InputError as InputError
    from laycalc.algebra.base.errors import LayoutError as LayoutError
    from laycalc.algebra.base.errors import ValueFault as ValueFault
    from laycalc.algebra.base.errors import observing as observing
    from laycalc.algebra.finding.synthesis import layout_of as layout_of
    from laycalc.algebra.operations.complement import complement as complement
    from laycalc.algebra.operations.composition import composition as composition
    from laycalc.algebra.operations.divide import flat_divide as flat_divide
    from laycalc.algebra.operations.divide import logical_divide as logical_divide
    from laycalc.algebra.operations.divide import tiled_divide as tiled_divide
    from laycalc.algebra.operations.divide import zipped_divide as zipped_divide
    from laycalc.algebra.operations.inverse import inverse as inverse
    from laycalc.algebra.operations.inverse import left_inverse as left_inverse
    from laycalc.algebra.operations.inverse import right_inverse as right_inverse
    from laycalc.algebra.operations.product import blocked_product as blocked_product
    from laycalc.algebra.operations.product import flat_product as flat_product
    from laycalc.algebra.operations.product import logical_product as logical_product
    from laycalc.algebra.operations.product import raked_product as raked_product
    from laycalc.algebra.operations.product import tiled_product as tiled_product
    from laycalc.algebra.operations.product import zipped_product as zipped_product
    from laycalc.algebra.values.coalesce import coalesce as coalesce
    from laycalc.algebra.values.layout import Layout as Layout
    from laycalc.algebra.values.layout import concat as concat
    from laycalc.algebra.values.semimodule import Coordinate as Coordinate
    from laycalc.algebra.values.semimodule import Xor as Xor
    from laycalc.algebra.values.shape import compatible as compatible
    from laycalc.algebra.values.shape import crd2idx as crd2idx
    from laycalc.algebra.values.shape import idx2crd as idx2crd
    from laycalc.algebra.values.shape import size as size
    from laycalc.algebra.values.swizzle import Composed as Composed
    from laycalc.algebra.values.swizzle import Swizzle as Swizzle
    from laycalc.algebra.values.tensor import Tensor as Tensor
    from laycalc.algebra.values.tensor import slice_layout as slice_layout
    from laycalc.algebra.values.tiler import Tiler as Tiler
    from laycalc.diagnostics.model import Diagnostic as Diagnostic
    from laycalc.diagnostics.model import Failure as Failure
    from laycalc.grammar.syntax.parser import parse as parse
    from laycalc.render.draw import draw as draw
