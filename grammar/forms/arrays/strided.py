"""numpy and torch: sizes, strides and an offset as they print, as calls, and in inductor's lines.

An integer index runs over the *last* dimension first in both; the language runs over the first mode first.
Coordinates are converted, integers never.
"""

from __future__ import annotations

import re
from typing import Any

from laycalc.algebra.values.coalesce import coalesce
from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed
from laycalc.algebra.values.tensor import Tensor

from ..reading.form import Form
from ..reading.pytext import right_hand_side
from ..reading.reading import Reading, argument_error, bad, cannot
from . import prints
from .chains import view_of
from .view import View

ORDER = "an integer index runs over the last dimension first in torch and numpy, over the first mode first here"

_CALL = re.compile(
    r"\s*+(?:\w+\s*+=\s*+)?(?:(?:torch|np|numpy)\.\w+(?:\.\w+)*\(|(?:\w+\.)*(?:assert_size_stride|_?reinterpret_tensor|"
    r"empty_strided\w*|as_strided|from_sizes_strides|FixedLayout|FlexibleLayout)\()"
)
_PRINT = re.compile(
    r"\s*+(?:torch\.Size\(|(?:[\w.]+\.)?(?:sizes?|shape)\s*+(?:\(\)\s*+)?(?:[=:]|\s(?:torch\.Size|[\[(][\d,\s]*[\])]\s*+stride))"
    r"|\{\s*['\"](?:shape|size)['\"]|\([\d,\s]*\)\s+strides?\b)"
)
_STRIDES_OF = re.compile(
    r"(?P<code>.*?)\.(?P<what>strides|stride\(\))\s*+(?:->|=>|#|=)\s*+[\[(](?P<list>[^\[\]()]*+)[\])]\s*+", re.DOTALL
)
_COMMENT = re.compile(r"#\s*+itemsize\s*+=\s*+(?P<n>\d{1,9})(?=\s*+(?:;|$))")
_MESH = re.compile(r"\s*+\([\d(),\s]+\)\s*+:\s*+\([\d(),\s]+\)\s*+")


def recognise(text: str) -> bool:
    """Does the text print or make an array?"""
    if _is_code(text) or prints.INDUCTOR.fullmatch(text):
        return True
    return _PRINT.match(text) is not None and re.search(r"strides?\b|torch\.Size", text) is not None


def _is_code(text: str) -> bool:
    return _CALL.match(text) is not None and not text.lstrip().startswith("torch.Size(")


def read(text: str, shape: Any = None) -> Reading:
    """An array's sizes and strides, in elements (torch) or bytes (numpy, with the size of an element)."""
    if _MESH.fullmatch(text):
        # torch.distributed prints pycute text, whose integers run over the last mode first.
        return Reading("torch", text.strip(), (ORDER,), source=text)
    if inductor := prints.INDUCTOR.fullmatch(text):
        return _reading(text, "torch", prints.inductor(text, inductor))
    if _is_code(text):
        told = _STRIDES_OF.fullmatch(text)
        return _reading(text, *(_code(text, text) if told is None else _told(text, told)))
    view = prints.entries(text)
    return _reading(text, "torch" if "torch" in text or view.element is None else "numpy", view)


def _code(text: str, code: str) -> tuple[str, View]:
    """The view of Python code, whose comment may tell the size of an element."""
    comment = _COMMENT.search(code)
    body = right_hand_side(code)
    view, library = view_of(body.rstrip().rstrip(";"), int(comment["n"]) if comment else None)
    return library, view


def _told(text: str, found: re.Match[str]) -> tuple[str, View]:
    """``x['a'].strides -> (7,)``: code, and the strides that it is said to have."""
    library, view = _code(text, found["code"])
    strides = prints.leaves(text, *found.span("list"))
    if strides != view.strides:
        raise argument_error(text, *found.span("list"), f"the strides are {view.strides}")
    return library, view


def _reading(text: str, library: str, view: View) -> Reading:
    if view.element is not None and library == "numpy":
        view = _in_elements(text, view)
    for n in view.sizes:
        if type(n) is int and n < 1:
            raise bad(text, 0, len(text), f"the sizes are {view.sizes}; a layout has extents of at least 1")
    layout = f"{_tuple(view.sizes)}:{_tuple(view.strides)}" if view.sizes else "1:0"
    facts: dict[str, Any] = {"shape": list(view.sizes), "lost": "element type, device"}
    if view.element is not None:
        facts["element_bits"] = 8 * view.element.itemsize
    expression = layout if view.offset == 0 else f"{{{view.offset}}} o {layout}"
    return Reading(library, expression, (ORDER,), facts=facts, source=text)


def _in_elements(text: str, view: View) -> View:
    """Bytes to elements; each must be a multiple of the size of an element."""
    n = view.element.itemsize if view.element else 1
    for d in (*view.strides, view.offset):
        if type(d) is int and d % n:
            in_bytes = f"{_tuple(view.sizes)}:{_tuple(view.strides)}"
            raise cannot(
                f"byte stride {d} is not a multiple of itemsize {n}: no layout in elements; in bytes {in_bytes}",
                source=text,
                facts={"stride": d, "itemsize": n, "in_bytes": in_bytes},
            )
    strides = tuple(d // n if type(d) is int else f"{d}/{n}" for d in view.strides)
    return view.replace(strides=strides, offset=view.offset // n if type(view.offset) is int else view.offset)


def _tuple(leaves: tuple[Any, ...]) -> str:
    return str(leaves[0]) if len(leaves) == 1 else f"({','.join(map(str, leaves))})"


# ---- emission ----


def flat_strides(value: Any, system: str) -> tuple[tuple[Any, ...], tuple[Any, ...], Any, tuple[str, ...]]:
    """Sizes, strides, offset, and which modes became several dimensions; LC103 for what strides cannot tell."""
    offset: Any = 0
    if isinstance(value, Tensor) and value.layout is not None:
        offset, value = value.offset, value.layout
    if isinstance(value, Composed):
        raise cannot("XOR swizzle: not a sum of strides", facts={"swizzle": str(value.swizzle)})
    if not isinstance(value, Layout):
        raise cannot(f"{system} has sizes and strides; {value} is no layout")
    if value.semimodule != "Z":
        kind = "coordinates" if value.semimodule == "Z^P" else "XOR strides"
        raise cannot(f"{system} has integer strides: the values of {value} are {kind}")
    sizes: list[Any] = []
    strides: list[Any] = []
    split: list[str] = []
    for i, mode in enumerate(value.modes()):
        simple = coalesce(mode) if isinstance(mode.shape, tuple) else mode
        s, d = simple.flat()
        sizes += s
        strides += d
        if len(s) > 1:
            split.append(f"mode {i}, {mode}, becomes {len(s)} dimensions")
    if any("?" in str(x) for x in (*sizes, *strides)):
        raise cannot("an unknown extent ? has no name to write")
    return tuple(sizes), tuple(strides), offset, tuple(split)


def write_torch(value: Any, shape: Any = None) -> str:
    """``torch.as_strided(x, sizes, strides, offset)``."""
    sizes, strides, offset, split = flat_strides(value, "torch")
    if any(type(d) is int and d < 0 for d in strides):
        raise cannot("torch refuses negative strides (numpy accepts them)", facts={"strides": list(strides)})
    at = f", {offset}" if offset != 0 else ""
    note = f"  # {'; '.join(split)}" if split else ""
    return f"torch.as_strided(x, {_python(sizes)}, {_python(strides)}{at}){note}"


def write_numpy(value: Any, shape: Any = None, itemsize: int = 4) -> str:
    """``np.lib.stride_tricks.as_strided(x, shape=.., strides=..)`` with strides in bytes."""
    sizes, strides, offset, split = flat_strides(value, "numpy")
    in_bytes = tuple(d * itemsize if type(d) is int else f"{itemsize}*{d}" for d in strides)
    base = f"x[{offset}:]" if offset != 0 else "x"
    if type(offset) is int and offset < 0:
        raise cannot(f"numpy has no offset before the array: {offset}")
    note = "".join(f"; {s}" for s in split)
    return (
        f"np.lib.stride_tricks.as_strided({base}, shape={_python(sizes)}, strides={_python(in_bytes)})"
        f"  # itemsize={itemsize}{note}"
    )


def _python(leaves: tuple[Any, ...]) -> str:
    return f"({', '.join(map(str, leaves))}{',' if len(leaves) == 1 else ''})"


TORCH = Form(
    name="torch",
    title="torch: size, stride, storage offset",
    example="torch.as_strided(x, (4, 8), (1, 4))",
    aliases=("pytorch", "inductor"),
    marks=(
        "torch.", "np.", "numpy.", "][", "size=", "size:", "sizes", "strides", "stride:", "stride=", "_strided",
        "_stride(", "reinterpret", "FixedLayout(", "FlexibleLayout(",
    ),
    recognise=recognise,
    order=90,
    read=read,
    write=write_torch,
    surplus=(
        "torch.empty(4, 8).t(0)",
        "torch.empty(4, 8, colour=3)",
        "torch.as_strided(x, (4, 8), (1, 4), 0, 3)",
        "assert_size_stride(arg0_1, (4, 8), (8, 1), colour=3)",
        "size=(4, 8), stride=(8, 1), colour=3",
    ),
)  # fmt: skip

NUMPY = Form(
    name="numpy",
    title="numpy: shape, and strides in bytes",
    example="shape=(4, 8) strides=(4, 16) itemsize=4",
    aliases=("np",),
    read=read,
    write=write_numpy,
    surplus=(
        "shape=(4, 8) strides=(4, 16) itemsize=4 colour=3",
        "shape=(4, 8) strides=(4, 16) (1, 4) itemsize=4",
        "np.zeros((4, 8), colour=3)",
        "np.zeros((4, 8)).swapaxes(0, 1, 2)",
    ),
)
