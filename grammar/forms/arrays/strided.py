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
from ..reading.reading import RANK_LIMIT, Reading, bad, cannot, limit
from .views import View, row_major, view_of

__all__ = ["NUMPY", "TORCH", "flat_strides"]

ORDER = "an integer index runs over the last dimension first in torch and numpy, over the first mode first here"

_LIST = r"[\[(](?P<{0}>[^\[\]()]*+)[\])]"
_INDUCTOR = re.compile(
    r"\s*+\"?(?P<type>[a-z]+[0-9]+\w*|b8|bool)"
    + _LIST.format("size")
    + _LIST.format("stride")
    + r"\s*+(?P<device>[a-z]+(?::\d+)?)?\"?"
)
_SIZES = re.compile(
    r"(?:torch\.Size)?\(?\s*+\(?"
    + _LIST.format("size")
    + r"\)?\s*+,?\s*+"
    + _LIST.format("stride")
    + r"\s*+(?:,?\s*+(?P<offset>\d{1,400}))?\s*+$"
)
_KEYS = {
    "size": re.compile(
        r"['\"]?\b(?:size|sizes|shape)['\"]?\s*+(?:\(\))?\s*+[=:]\s*+(?:torch\.Size\()?\s*+" + _LIST.format("list")
    ),
    "stride": re.compile(r"['\"]?\b(?:stride|strides)['\"]?\s*+(?:\(\))?\s*+[=:]\s*+" + _LIST.format("list")),
    "none": re.compile(r"['\"]?\bstrides['\"]?\s*+[=:]\s*+None"),
    "offset": re.compile(r"['\"]?\b(?:storage_offset|offset)['\"]?\s*+(?:\(\))?\s*+[=:]\s*+(?P<n>-?\d{1,400})(?!\d)"),
    "itemsize": re.compile(r"['\"]?\b(?:itemsize|element_size)['\"]?\s*+(?:\(\))?\s*+[=:]\s*+(?P<n>\d{1,9})"),
    "typestr": re.compile(r"['\"]?\btypestr['\"]?\s*+[=:]\s*+['\"][<>|=]?[a-zA-Z](?P<n>\d{1,9})"),
    "dtype": re.compile(r"\bdtype\s*+[=:]\s*+(?:np\.|numpy\.|torch\.)?['\"]?(?P<name>[a-z]{1,20}\d{0,6})"),
}
_CALL = re.compile(
    r"\s*+(?:\w+\s*+=\s*+)?(?:\w+\.)*(?P<name>assert_size_stride|reinterpret_tensor|empty_strided\w*|as_strided|"
    r"from_sizes_strides|FixedLayout|FlexibleLayout|ndarray)\("
)
_CODE = re.compile(r"\s*+(?:\w+\s*+=\s*+)?(?P<code>(?:torch|np|numpy)\.\w+(?:\.\w+)*\(.*)", re.DOTALL)
_STRIDES_OF = re.compile(r"(?P<code>.*?)\.strides\s*+(?:->|=>|#|=)\s*+" + _LIST.format("stride") + r"\s*+$", re.DOTALL)
_BASE = re.compile(r"(?<!\w)\w++\[\s*+(?P<n>\d{1,400})\s*+:\s*+\]")
_MESH = re.compile(r"\s*+\([\d(),\s]+\)\s*+:\s*+\([\d(),\s]+\)\s*+")
_LEAF = re.compile(r"-?\s*+\w+(?:\s*+\*\s*+\w+)*")
_WIDTHS = {"double": 8, "float": 4, "half": 2, "int": 4, "short": 2, "byte": 1, "bool": 1, "long": 8, "char": 1}


def recognise(text: str) -> bool:
    """Does the text print or make an array?"""
    return any(p.match(text) for p in (_CALL, _CODE, _INDUCTOR)) or (
        text.lstrip().startswith(("torch.Size", "size", "shape", "sizes", "{'shape'", '{"shape"'))
        and _pairs(text) is not None
    )


def read(text: str, shape: Any = None) -> Reading:
    """An array's sizes and strides, in elements (torch) or bytes (numpy, with the size of an element)."""
    if _MESH.fullmatch(text):
        # torch.distributed prints pycute text, whose integers run over the last mode first.
        return Reading("torch", text.strip(), (ORDER,), source=text)
    view = _view(text)
    if not view.sizes:
        return _reading(text, view, "1:0")
    layout = f"{_tuple(view.sizes)}:{_tuple(view.strides)}"
    return _reading(text, view, layout if view.offset == 0 else f"{{{view.offset}}} o {layout}")


def _reading(text: str, view: View, expression: str) -> Reading:
    facts: dict[str, Any] = {"shape": list(view.sizes), "lost": "element type, device"}
    if view.itemsize:
        facts["element_bits"] = 8 * view.itemsize
    return Reading(
        "torch" if "torch" in text or view.itemsize is None else "numpy", expression, (ORDER,), facts=facts, source=text
    )


def _view(text: str) -> View:
    if strides := _STRIDES_OF.match(text):
        return _bytes_of(text, strides)
    if inductor := _INDUCTOR.match(text):
        return _made(text, inductor["size"], inductor["stride"])
    if call := _CALL.match(text):
        return _call(text, call)
    if pairs := _pairs(text):
        return pairs
    if sizes := _SIZES.match(text.strip()):
        return _made(text, sizes["size"], sizes["stride"], sizes["offset"])
    if code := _CODE.match(text):
        return view_of(code["code"].strip().rstrip(";"))
    raise bad(text, 0, len(text), "sizes and strides are expected", "size=(..), stride=(..)")


def _pairs(text: str) -> View | None:
    """``size=[..], stride=[..]``, ``shape: .., strides: .., itemsize=..``, an ``__array_interface__``."""
    size = _KEYS["size"].search(text)
    if size is None:
        return None
    stride = _KEYS["stride"].search(text)
    itemsize = _KEYS["itemsize"].search(text) or _KEYS["typestr"].search(text)
    offset = _KEYS["offset"].search(text)
    n = int(itemsize["n"]) if itemsize else _width(text)
    in_bytes = n is not None and re.search(r"\bstrides\b", text) is not None
    if stride is None:
        if _KEYS["none"].search(text) is None:
            return None
        sizes = _leaves(text, size["list"])
        return View(sizes, row_major(sizes), 0, n)
    return _made(text, size["list"], stride["list"], offset["n"] if offset else None, n if in_bytes else None)


def _width(text: str) -> int | None:
    found = _KEYS["dtype"].search(text)
    if found is None:
        return None
    digits = re.search(r"\d+$", found["name"])
    return int(digits[0]) // 8 if digits and int(digits[0]) >= 8 else _WIDTHS.get(found["name"])


def _call(text: str, call: re.Match[str]) -> View:
    """A call with sizes, strides and perhaps an offset among its arguments."""
    name = call["name"]
    if name in ("ndarray", "FixedLayout", "FlexibleLayout") or (
        name == "as_strided" and re.search(r"\bstrides\s*+=", text)
    ):
        found = _pairs(text)
        if name == "ndarray":
            found = _ndarray(text, found)
        if name == "as_strided" and found is not None and (base := _BASE.search(text)):
            found = found.replace(offset=int(base["n"]))
        if found is None and name in ("FixedLayout", "FlexibleLayout"):
            found = _positional(text, call)
        if found is None:
            raise bad(text, *call.span("name"), f"{name} without sizes and strides")
        return found
    return _positional(text, call)


def _positional(text: str, call: re.Match[str]) -> View:
    lists = list(re.finditer(r"[\[(]([^\[\]()]*+)[\])](?:\s*+,\s*+(-?\d{1,400})\b)?", text[call.end() :]))
    if len(lists) < 2:
        raise bad(text, *call.span("name"), f"{call['name']} without sizes and strides", "two lists are expected")
    offset = (
        lists[1][2] if call["name"] in ("reinterpret_tensor", "as_strided", "FixedLayout", "FlexibleLayout") else None
    )
    return _made(text, lists[0][1], lists[1][1], offset)


def _ndarray(text: str, found: View | None) -> View | None:
    """``np.ndarray((4, 6), dtype=np.int16, buffer=b, offset=10, strides=(12, 2))``: the offset is in bytes."""
    size = re.search(r"ndarray\(\s*+(?:shape\s*+=\s*+)?" + _LIST.format("size"), text)
    stride = _KEYS["stride"].search(text)
    offset = _KEYS["offset"].search(text)
    n = _width(text) or 8
    if size is None:
        return found
    sizes = _leaves(text, size["size"])
    at = int(offset["n"]) if offset else 0
    if stride is None:
        strides = tuple(d * n for d in row_major(sizes))
        return _in_elements(text, View(sizes, strides, at, n))
    return _in_elements(text, View(sizes, _leaves(text, stride["list"]), at, n))


def _bytes_of(text: str, found: re.Match[str]) -> View:
    """``x['a'].strides -> (7,)``: the field of a record has a pitch that need not be a multiple of its size."""
    strides = _leaves(text, found["stride"])
    field = re.search(r"\['(\w+)'\]\s*+$", found["code"])
    types = dict(re.findall(r"\('(\w+)',\s*+'[<>|=]?([a-z]\d{1,6})'\)", found["code"]))
    n = int(types[field[1]][1:]) if field and field[1] in types else _width(found["code"]) or 8
    size = re.search(r"\w\(\s*+(\d+|[\[(][^\[\]()]*[\])])", found["code"])
    sizes = _leaves(text, size[1].strip("()[] ")) if size else ()
    if len(sizes) != len(strides):
        raise bad(text, *found.span("stride"), "sizes and strides differ in number")
    return _in_elements(text, View(sizes, strides, 0, n))


def _made(text: str, size: str, stride: str, offset: str | None = None, itemsize: int | None = None) -> View:
    sizes, strides = _leaves(text, size), _leaves(text, stride)
    if len(sizes) != len(strides):
        raise bad(text, 0, len(text), f"{len(sizes)} sizes and {len(strides)} strides", "their numbers differ")
    view = View(sizes, strides, int(offset) if offset else 0, itemsize)
    return view if itemsize is None else _in_elements(text, view)


def _in_elements(text: str, view: View) -> View:
    """Bytes to elements; each must be a multiple of the size of an element."""
    if len(view.sizes) != len(view.strides):
        raise bad(
            text, 0, len(text), f"{len(view.sizes)} sizes and {len(view.strides)} strides", "their numbers differ"
        )
    n = view.itemsize or 1
    for d in (*view.strides, view.offset):
        if type(d) is int and d % n:
            in_bytes = (
                Layout(view.sizes, view.strides) if len(view.sizes) > 1 else Layout(view.sizes[0], view.strides[0])
            )
            raise cannot(
                f"byte stride {d} is not a multiple of itemsize {n}: no layout in elements; in bytes {in_bytes}",
                source=text,
                facts={"stride": d, "itemsize": n, "in_bytes": str(in_bytes)},
            )
    strides = tuple(d // n if type(d) is int else f"{d}/{n}" for d in view.strides)
    return view.replace(strides=strides, offset=view.offset // n)


def _leaves(text: str, inside: str) -> tuple[Any, ...]:
    """The entries of a list: integers, or names and products of names (unknown sizes)."""
    found: list[Any] = []
    if inside.count(",") > RANK_LIMIT:
        raise limit(text, 0, len(text), f"more than {RANK_LIMIT} dimensions")
    for part in filter(None, (p.strip() for p in inside.split(","))):
        if not _LEAF.fullmatch(part) or len(part) > 100:
            start = max(text.find(part), 0)
            raise bad(text, start, start + len(part), "an entry is an integer or a name")
        found.append(int(part) if re.fullmatch(r"-?\d+", part) else part)
    return tuple(found)


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
)  # fmt: skip

NUMPY = Form(
    name="numpy",
    title="numpy: shape, and strides in bytes",
    example="shape=(4, 8) strides=(4, 16) itemsize=4",
    aliases=("np",),
    read=read,
    write=write_numpy,
)
