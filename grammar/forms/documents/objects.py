"""JSON: ``{"schema": 1, "kind": "layout", "shape": [4, [2, 4]], "stride": [8, [1, "m"]]}``.

A leaf is an integer, or a string for what JSON has no type for: a coordinate ``"6e1"``, an XOR stride ``"f5"``, a
symbol.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler

from ...syntax.limits import NESTING
from ..reading.form import Form
from ..reading.reading import Reading, argument_error, bad, cannot, leaf_text, limit

__all__ = ["FORM"]

SCHEMA = 1

_LEAF = re.compile(r"[\w.+*/?@{}=() -]+")


def recognise(text: str) -> bool:
    """Is the text an object with the keys of a value?"""
    return text.lstrip().startswith("{") and re.search(r'"(?:shape|kind|modes|value)"\s*+:', text) is not None


def read(text: str, shape: Any = None) -> Reading:
    """An object as `write` makes it; also a result of ``--json``, whose text is under ``value``."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise bad(text, error.pos, error.pos + 1, "this is no JSON", error.msg) from None
    except (RecursionError, ValueError):
        raise limit(text, 0, len(text), "the object is nested too deeply or has too long a number") from None
    return Reading("json", _Reader(text).value(found), source=text)


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source

    def fail(self, message: str) -> Exception:
        return bad(self.source, 0, len(self.source), message)

    def value(self, found: Any, depth: int = 0) -> str:
        """The canonical text of an object; a key that its kind has not is refused."""
        if depth > NESTING:
            raise limit(self.source, 0, len(self.source), f"objects are nested more than {NESTING} deep")
        if not isinstance(found, dict):
            return self.htuple(found)
        if isinstance(text := found.get("value"), str) and "shape" not in found:
            return text
        kind = found.get("kind", "layout")
        if not isinstance(kind, str) or kind not in _KINDS:
            raise self.fail(f"no object is of kind {kind!r}")
        needed, further, text_of = _KINDS[kind]
        if not needed <= found.keys():
            raise self.fail(f"an object of kind {kind!r} without its keys")
        for key in found.keys() - needed - further - {"schema", "kind"}:
            raise self.at(key, f"an object of kind {kind!r} has no {key}")
        return text_of(self, found, depth + 1)

    def at(self, key: str, message: str) -> Exception:
        """LC103 where a key stands."""
        start = max(self.source.find(f'"{key}"'), 0)
        return argument_error(self.source, start, start + len(key) + 2, message)

    def layout(self, found: dict[str, Any], depth: int) -> str:
        shape = self.htuple(found["shape"])
        if "stride" not in found:
            return f"make_layout({shape})"
        return f"{_operand(shape)}:{_operand(self.htuple(found['stride']))}"

    def swizzle(self, found: dict[str, Any], depth: int) -> str:
        numbers = [found[key] for key in _SWIZZLE]
        if not all(type(n) is int for n in numbers):
            raise self.fail("a swizzle has integers bits, base and shift")
        return f"Sw<{','.join(map(str, numbers))}>"

    def composed(self, found: dict[str, Any], depth: int) -> str:
        swizzle = found["swizzle"]
        if isinstance(swizzle, list) and len(swizzle) == 3:
            swizzle = dict(zip(_SWIZZLE, swizzle, strict=True))
        if not isinstance(swizzle, dict) or not isinstance(found["layout"], dict):
            raise self.fail("a composed layout has a swizzle [B, M, S] and a layout")
        outer = self.value({"kind": "swizzle", **swizzle}, depth)
        return f"{outer} o {self.htuple(found.get('offset', 0))} o {self.value(found['layout'], depth)}"

    def tensor(self, found: dict[str, Any], depth: int) -> str:
        offset = f"{{{self.htuple(found['offset'])}}}"
        inner = found.get("layout")
        return offset if inner is None else f"{offset} o {self.value(inner, depth)}"

    def tiler(self, found: dict[str, Any], depth: int) -> str:
        if not isinstance(found["modes"], list):
            raise self.fail("the modes of a tiler are a list")
        return "<" + ",".join("_" if m is None else self.value(m, depth) for m in found["modes"]) + ">"

    def items(self, found: dict[str, Any], depth: int) -> str:
        return self.htuple(found["items"])

    def htuple(self, x: Any, depth: int = 0) -> str:
        """A nested list; strings are leaves."""
        if depth > NESTING:
            raise limit(self.source, 0, len(self.source), f"lists are nested more than {NESTING} deep")
        if isinstance(x, list):
            inside = ",".join(self.htuple(e, depth + 1) for e in x)
            return f"({inside},)" if len(x) == 1 else f"({inside})"
        if type(x) is int:
            return str(x)
        if x is None:
            return "_"
        if isinstance(x, str) and _LEAF.fullmatch(x):
            return x
        raise self.fail(f"{x!r} is no leaf of a layout: an integer or a string like 6e1, f5 or m is expected")


_SWIZZLE = ("bits", "base", "shift")
_KINDS: dict[str, tuple[frozenset[str], frozenset[str], Callable[[_Reader, dict[str, Any], int], str]]] = {
    "layout": (frozenset({"shape"}), frozenset({"stride"}), _Reader.layout),
    "swizzle": (frozenset(_SWIZZLE), frozenset(), _Reader.swizzle),
    **dict.fromkeys(
        ("composed", "composed layout"), (frozenset({"swizzle", "layout"}), frozenset({"offset"}), _Reader.composed)
    ),
    "tensor": (frozenset({"offset"}), frozenset({"layout"}), _Reader.tensor),
    "tiler": (frozenset({"modes"}), frozenset(), _Reader.tiler),
    **dict.fromkeys(("integer", "tuple"), (frozenset({"items"}), frozenset(), _Reader.items)),
}
"""The keys that an object of a kind has, those that it may have, and what it is."""


def _operand(text: str) -> str:
    """Brackets around a leaf that is an expression, because ``:`` binds tightly."""
    return text if text.startswith("(") or re.fullmatch(r"-?[\w.?{}=+]+", text) else f"({text})"


def write(value: Any, shape: Any = None) -> str:
    """One line of JSON."""
    return json.dumps({"schema": SCHEMA, **_object(value)})


def _object(value: Any) -> dict[str, Any]:
    match value:
        case Layout():
            return {"kind": "layout", "shape": _list(value.shape), "stride": _list(value.stride)}
        case Composed(swizzle=s, offset=offset, layout=inner):
            return {
                "kind": "composed",
                "swizzle": [s.bits, s.base, s.shift],
                "offset": _list(offset),
                "layout": _object(inner),
            }
        case Tensor(layout=inner):
            found: dict[str, Any] = {"kind": "tensor", "offset": _offset(value)}
            return found if inner is None else {**found, "layout": _object(inner)}
        case Swizzle(bits=bits, base=base, shift=shift):
            return {"kind": "swizzle", "bits": bits, "base": base, "shift": shift}
        case Tiler(modes=modes):
            return {"kind": "tiler", "modes": [_mode(m) for m in modes]}
        case bool():
            pass
        case int() | tuple():
            return {"kind": "tuple" if isinstance(value, tuple) else "integer", "items": _list(value)}
    if hasattr(value, "symbols"):
        return {"kind": "integer", "items": leaf_text(value)}
    raise cannot(f"there is no JSON form of {value}")


def _mode(mode: Any) -> Any:
    return None if mode is None else _object(mode) if isinstance(mode, (Layout, Tiler)) else _list(mode)


def _offset(tensor: Tensor) -> Any:
    """As the codomain is: a coordinate tuple, or an integer."""
    from laycalc.algebra.values.codomain import value_of
    from laycalc.algebra.values.layout import codomain_profile
    from laycalc.algebra.values.semimodule import Coordinate

    inner = tensor.layout
    if (
        isinstance(inner, Layout)
        and (profile := codomain_profile(inner))
        and not tensor.offset_text().startswith(("e", "-e"))
    ):
        return _list(value_of(tensor.offset, profile)) if "e" not in tensor.offset_text() else str(tensor.offset)
    return str(tensor.offset) if isinstance(tensor.offset, Coordinate) else _list(tensor.offset)


def _list(x: Any) -> Any:
    if isinstance(x, tuple):
        return [_list(e) for e in x]
    return x if type(x) is int or x is None else leaf_text(x)


FORM = Form(
    name="json",
    title="JSON",
    example='{"schema": 1, "kind": "layout", "shape": [4, 8], "stride": [1, 4]}',
    marks=('"schema"',),
    recognise=recognise,
    order=130,
    read=read,
    write=write,
    surplus=(
        '{"schema": 1, "kind": "layout", "shape": [4, 8], "stride": [1, 4], "colour": 3}',
        '{"schema": 1, "kind": "swizzle", "bits": 3, "base": 3, "shift": 3, "order": 1}',
    ),
)
