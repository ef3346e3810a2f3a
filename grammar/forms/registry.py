"""The forms by name, and what reading and writing them has in common.

The module of a form is imported when the form is first used; `index` says where it is.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Failure, Suggestion
from laycalc.grammar.language.values import kind_of

from .index import INDEX, Entry
from .reading.form import Form
from .reading.reading import Reading, about, cannot

__all__ = ["find", "load", "read_as", "write_as"]


@cache
def load(entry: Entry) -> Form:
    """The record that an entry of the index stands for."""
    form: Form = getattr(import_module(f"{__package__}.{entry.module}"), entry.attribute)
    return form


def find(name: str) -> Form:
    """The form with this name or alias; LC103 with the nearest ones otherwise."""
    wanted = name.strip().lower()
    for entry in INDEX:
        if wanted in (entry.name, *entry.aliases):
            return load(entry)
    from difflib import get_close_matches

    known = [n for entry in INDEX for n in (entry.name, *entry.aliases)]
    near = get_close_matches(wanted, known, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise cannot(
        f"no form is called {name!r}{hint}", source=name, notes=("forms: " + ", ".join(entry.name for entry in INDEX),)
    )


# ---- what reading and writing have in common ----


def read_as(form: Form, text: str, shape: Any = None) -> Reading:
    """Read a text of this form; ``shape`` is that of the tensor, where the form needs one."""
    with about(text):
        found = form.read(text, shape)
    return found if found.source else found.replace(source=text)


def write_as(form: Form, value: Any, shape: Any = None) -> str:
    """The text of a value in this form; LC103 with the reason if it has none."""
    if form.write is None:
        raise cannot(f"{form.name} is read and not written")
    if hasattr(value, "obligations"):
        value = value.value
    if kind_of(value) in form.kinds and form.write_kernel is not None:
        return form.write_kernel(value)
    plain = _plain(value, form.name)
    try:
        return form.write(plain, shape)
    except Failure as failure:
        raise Failure(failure.diagnostic.replace(suggestions=_swizzled(plain))) from None


def _swizzled(value: Any) -> tuple[Suggestion, ...]:
    """A layout with XOR strides as a swizzle of one with integer strides, which more systems have."""
    if not isinstance(value, Layout) or value.semimodule != "F2":
        return ()
    from laycalc.algebra.finding.criteria import bit_values, swizzle_form

    try:
        bits = [[v.value if isinstance(v, Xor) else v for _, v in bit_values(mode)] for mode in value.modes()]
    except LayoutError:
        return ()
    found = swizzle_form(bits)
    if found is None:
        return ()
    same = found if isinstance(value.shape, tuple) else found[0]
    return (Suggestion(str(same), "", "the same function with a swizzle"),)


def _plain(value: Any, form: str) -> Any:
    """A value that a form may have."""
    kinds = (Layout, Composed, Tensor, Tiler, Swizzle, tuple, int, Coordinate, Xor)
    if isinstance(value, bool) or not (isinstance(value, kinds) or hasattr(value, "symbols")):
        raise cannot(f"{form} writes layouts, tilers, swizzles, tuples and integers; not {value}")
    return value
