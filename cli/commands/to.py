"""``laycalc to``: a value in the notation of another system."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from laycalc.diagnostics.model import Diagnostic, Failure

from ..streams import completion
from ..streams.command import command
from ..streams.inputs import names_a_file, scope_of, shape_of
from ..streams.options import Define, Shape
from ..streams.output import remark, write_line
from ..streams.value import value_of

__all__ = ["run"]


@command(
    100,
    "Write a value as C++, DSL, numpy, torch, LaTeX, Triton, ...",
    "laycalc to cpp '(4,8):(8,1)'",
    "laycalc to list",
)
def run(
    form: Annotated[
        str,
        typer.Argument(
            help="The form; 'list' names them all.",
            autocompletion=completion.forms,
        ),
    ],
    expr: Annotated[str, typer.Argument(help="What to write in it.")] = "",
    shape: Shape = "",
    define: Define = None,
) -> int:
    """Write a value in another notation: cpp, dsl, pycute, numpy, torch, latex, triton, ..."""
    from laycalc.grammar.forms import write

    if form == "list" and not expr:
        return _list()
    if not expr:
        raise Failure(Diagnostic("LC103", "what to write is missing: laycalc to cpp '(4,8):(1,4)'"))
    value = value_of(expr, scope_of(define, written=names_a_file(expr)))
    write_line(write(value, form, shape_of(shape)))
    remark(_named(value, form))
    return 0


def _named(value: Any, form: str) -> list[str]:
    """The names that CuTe has for a layout of shared memory, where it is one."""
    from laycalc.atoms.memory.smem_atoms import kinds_of
    from laycalc.grammar.forms.registry import find

    written = _ATOM_NAMES.get(find(form).name)
    if written is None:
        return []
    return [f"this is {written.format(kind)} for a T of {bits} bits" for kind, bits in kinds_of(value)]


_ATOM_NAMES = {
    "cpp": "GMMA::Layout_{}_Atom<T>",
    "cpp-call": "GMMA::Layout_{}_Atom<T>",
    "dsl": "cute.nvgpu.warpgroup.make_smem_layout_atom(cute.nvgpu.warpgroup.SmemLayoutAtomKind.{}, T)",
}


def _list() -> int:
    from laycalc.grammar.forms import forms

    known = sorted(forms().values(), key=lambda form: form.name)
    width = max(len(form.name) for form in known)
    for form in known:
        write_line(f"{form.name:<{width}}  {form.title}")
    return 0
