"""The forms by name; a family's module is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.base.record import Record
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Coordinate, Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Failure, Suggestion

from .reading.reading import Reading, about, cannot

__all__ = ["FORMS", "Form", "find"]


class _Family(Protocol):
    def read(self, text: str, shape: Any = None) -> Reading: ...

    def write(self, value: Any, shape: Any = None) -> str: ...


class Form(Record):
    """One foreign notation: how it is called, what it is, one line of it, and where it is read and written."""

    name: str
    title: str
    example: str
    module: str = ""
    aliases: tuple[str, ...] = ()
    writer: str = "write"
    lost: str = ""

    def _family(self) -> Any:
        return import_module(f"{__package__}.{_ROOMS[self.module or self.name.replace('-', '_')]}")

    @property
    def can_write(self) -> bool:
        """Is there a way from a value to this form?"""
        return bool(self.writer)

    def read(self, text: str, shape: Any = None) -> Reading:
        """Read a text of this form; ``shape`` is that of the tensor, where the form needs one."""
        with about(text):
            found: Reading = self._family().read(text, shape)
        return found if found.source else found.replace(source=text)

    def write(self, value: Any, shape: Any = None) -> str:
        """The text of a value in this form; LC103 with the reason if it has none."""
        if not self.writer:
            raise cannot(f"{self.name} is read and not written")
        plain = _plain(value, self.name)
        try:
            text: str = getattr(self._family(), self.writer)(plain, shape)
        except Failure as failure:
            raise Failure(failure.diagnostic.replace(suggestions=_swizzled(plain))) from None
        return text


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
    """A value that a form may have: the main case of a report, or the value itself."""
    if hasattr(value, "obligations"):
        value = value.value
    kinds = (Layout, Composed, Tensor, Tiler, Swizzle, tuple, int, Coordinate, Xor)
    if isinstance(value, bool) or not (isinstance(value, kinds) or hasattr(value, "symbols")):
        raise cannot(f"{form} writes layouts, tilers, swizzles, tuples and integers; not {value}")
    return value


_ROOMS = {
    "cpp": "cute.cpp",
    "cpp_write": "cute.cpp_write",
    "printed": "cute.printed",
    "mlir": "cute.mlir",
    "dsl": "cute.dsl",
    "pycute": "cute.pycute",
    "tensor_layouts": "cute.tensor_layouts",
    "mojo": "cute.mojo",
    "arrays": "arrays.strided",
    "memref": "arrays.memref",
    "latex": "documents.latex",
    "objects": "documents.objects",
    "messages": "documents.messages",
    "dumps": "documents.dumps",
    "links": "documents.links",
    "triton": "triton.encodings",
    "xla": "compilers.xla",
    "tilelang": "compilers.tilelang",
    "isl": "compilers.isl",
    "lego": "compilers.lego",
    "helayers": "compilers.helayers",
    "graphene": "compilers.graphene",
}

_ROWS = (
    Form(
        "cpp",
        "CuTe C++ types and constructors",
        "Layout<Shape<_4,_8>,Stride<_1,_4>>{}",
        aliases=("c++", "cute-cpp", "cutlass"),
    ),
    Form(
        "cpp-call",
        "CuTe C++ calls",
        "make_layout(make_shape(_4{}, _8{}), make_stride(_1{}, _4{}))",
        "cpp",
        ("make_layout", "cpp-make"),
        "write_call",
    ),
    Form(
        "printed",
        "what CuTe C++ prints",
        "gmem_ptr[16b](0x7f83a0000000) o (_4,_8):(_1,_4)",
        aliases=("print", "cute-print"),
    ),
    Form("mlir", "types of the CuTe dialect", '!cute.layout<"(4,8):(1,4)">', aliases=("cute-mlir",)),
    Form("dsl", "CuTe DSL in Python", "cute.make_layout((4, 8), stride=(1, 4))", aliases=("cute-dsl", "python")),
    Form("pycute", "PyCuTe", "Layout((4, 8),(1, 4))"),
    Form("tensor-layouts", "the package tensor-layouts", "Layout((4, 8), (1, 4))", aliases=("tensor_layouts",)),
    Form(
        "numpy",
        "numpy: shape, and strides in bytes",
        "shape=(4, 8) strides=(4, 16) itemsize=4",
        "arrays",
        ("np",),
        "write_numpy",
    ),
    Form(
        "torch",
        "torch: size, stride, storage offset",
        "torch.as_strided(x, (4, 8), (1, 4))",
        "arrays",
        ("pytorch", "inductor"),
        "write_torch",
    ),
    Form("latex", "LaTeX", r"(4,8):(1,4)", aliases=("tex",)),
    Form("json", "JSON", '{"schema": 1, "kind": "layout", "shape": [4, 8], "stride": [1, 4]}', "objects"),
    Form(
        "messages",
        "error lines of C++ and the DSL",
        "unable to compute the following composition: 'A' o 'B'",
        aliases=("errors", "error"),
        writer="",
    ),
    Form("dumps", "prints of TiledMMA and TiledCopy", "TiledCopy\\n  Tiler_MN: ..", aliases=("dump",), writer=""),
    Form("share", "links of the CuTe layout visualiser", "?key=tv-1-(32,4):(1,32)-(8,16)", "links", ("link", "url")),
    Form(
        "triton",
        "Triton and Gluon encodings, with the shape of the tensor",
        "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>",
        aliases=("ttg", "gluon"),
        lost="parameters that do not change the map, the element type; written: the nesting of modes",
    ),
    Form(
        "triton-linear",
        "Triton with every basis spelled out",
        "#ttg.linear<{register = [[0, 1]], lane = [], warp = [], block = []}>",
        "triton",
        ("ttg.linear", "ttg.shared_linear"),
        "write_linear",
    ),
    Form(
        "xla",
        "XLA and JAX shapes with tiling",
        "f32[64,256]{1,0:T(8,128)}",
        aliases=("jax", "hlo"),
        lost="the element type, and the logical size when padded",
    ),
    Form(
        "tilelang",
        "TileLang Layout and Fragment",
        "Layout([4, 8], lambda i, j: i * 8 + j)",
        aliases=("tile-lang",),
        lost="the output shape and the expressions",
    ),
    Form("mojo", "Mojo's layout package", "Layout(IntTuple(4, 8), IntTuple(1, 4))"),
    Form(
        "memref",
        "MLIR memref",
        "memref<4x8xf32, strided<[8, 1], offset: 16>>",
        lost="the element type and the memory space; written: the nesting of modes",
    ),
    Form(
        "isl",
        "maps of the integer set library",
        "{ [i,j] -> [i + 8j] : 0 <= i < 8 and 0 <= j < 4 }",
        lost="tuple names and the form of the constraints",
    ),
    Form("lego", "LEGO", "OrderBy(Row(8, 8)).TileBy([2, 2], [4, 4])", lost="symbols and the closures of GenP"),
    Form(
        "helayers",
        "HeLayers tile tensors",
        "[5/2,6/4]",
        aliases=("tile-tensor",),
        lost="the ? flag and the logical size",
    ),
    Form("graphene", "Graphene tensors", "A:[(4,8):(1,4)].fp32.GL", lost="names, element type and memory space"),
)

FORMS: dict[str, Form] = {form.name: form for form in _ROWS}
"""Every form by its name."""


def find(name: str) -> Form:
    """The form with this name or alias; LC103 with the nearest ones otherwise."""
    wanted = name.strip().lower()
    for form in _ROWS:
        if wanted in (form.name, *form.aliases):
            return form
    from difflib import get_close_matches

    known = [n for form in _ROWS for n in (form.name, *form.aliases)]
    near = get_close_matches(wanted, known, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise cannot(f"no form is called {name!r}{hint}", source=name, notes=("forms: " + ", ".join(FORMS),))
