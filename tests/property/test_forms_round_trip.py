"""What we write in a form reads back as the value, for every form and every kind of value that the form can hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.semimodule import Xor
from laycalc.algebra.values.swizzle import Composed, Swizzle
from laycalc.algebra.values.tensor import Tensor
from laycalc.algebra.values.tiler import Tiler
from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import read_any, recognise, write
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate

from .strategies import (
    BASIS,
    BINARY,
    EXTENTS,
    SIGNED,
    any_layouts,
    compact_layouts,
    coordinate_layouts,
    integer_layouts,
    layouts,
    shapes,
    xor_layouts,
)

# ---- values ----

SWIZZLES = st.builds(
    lambda bits, base, extra, sign: Swizzle(bits, base, sign * (bits + extra)),
    st.integers(0, 3),
    st.integers(0, 4),
    st.integers(0, 2),
    st.sampled_from([1, 1, 1, -1]),
)
# A swizzle of no bits does nothing, and the language drops it.
MOVING = SWIZZLES.filter(lambda s: s.bits > 0)
COMPOSED = st.builds(Composed, MOVING, st.integers(0, 12), integer_layouts())
OFFSET_INTEGERS = st.builds(lambda n, layout: Tensor(n, layout), st.integers(-9, 40), integer_layouts(SIGNED))


@st.composite
def coordinate_tensors(draw: st.DrawFn) -> Tensor:
    """An offset on the axes that the strides have."""
    layout = draw(coordinate_layouts(BASIS))
    paths = {p for d in Layout(layout.shape, layout.stride).flat()[1] if d != 0 for p, _ in d.terms}
    assume(paths)
    from laycalc.algebra.values.semimodule import Coordinate

    return Tensor(Coordinate.of((p, draw(st.integers(0, 9))) for p in sorted(paths)), layout)


TILERS = st.recursive(
    st.one_of(EXTENTS, st.none(), integer_layouts()),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(Tiler),
    max_leaves=4,
).filter(lambda t: isinstance(t, Tiler))
SYMBOLIC = st.sampled_from(
    [
        "(m,8):(1,m)",
        "(m,k,l):(k*l,l,1)",
        "(4,(m,2)):(2*m,(2,1))",
        "(8,m):(1,8)",
        "(m,8):(8,1)",
        "(4,8):(m*e0,e1)",
        "{5} o (m,8):(8,1)",
        "(2*m,4):(4,1)",
    ]
).map(lambda text: evaluate(text).value)
UNKNOWN = st.sampled_from(["(?,8):(1,4)", "(4,(?,2)):(?,(2,1))", "?:1"]).map(lambda text: evaluate(text).value)
NUMBERS = st.one_of(st.integers(0, 99), shapes(EXTENTS))

VALUES = {
    "Z": integer_layouts(SIGNED),
    "Z^P": layouts("Z^P"),
    "F2": layouts("F2"),
    "composed": COMPOSED,
    "tensor": OFFSET_INTEGERS,
    "coordinate tensor": coordinate_tensors(),
    "tiler": TILERS,
    "swizzle": SWIZZLES,
    "number": NUMBERS,
    "symbolic": SYMBOLIC,
    "unknown": UNKNOWN,
}

# What each form can hold, by its definition; everything else it must refuse with a reason.
HOLDS = {
    "cpp": {"Z", "Z^P", "composed", "tensor", "coordinate tensor", "tiler", "swizzle", "number", "symbolic", "unknown"},
    "cpp-call": {
        "Z",
        "Z^P",
        "composed",
        "tensor",
        "coordinate tensor",
        "tiler",
        "swizzle",
        "number",
        "symbolic",
        "unknown",
    },
    "printed": {
        "Z",
        "Z^P",
        "composed",
        "tensor",
        "coordinate tensor",
        "tiler",
        "swizzle",
        "number",
        "symbolic",
        "unknown",
    },
    "mlir": {"Z", "Z^P", "composed", "coordinate tensor", "tiler", "swizzle", "number", "symbolic", "unknown"},
    "dsl": {"Z", "Z^P", "composed", "tensor", "tiler", "swizzle", "number", "symbolic"},
    "pycute": {"Z", "composed", "tiler", "swizzle", "number", "symbolic"},
    "tensor-layouts": {"Z", "composed", "tensor", "tiler", "swizzle", "number", "symbolic"},
    "mojo": {"Z", "swizzle", "number", "symbolic", "unknown"},
    "latex": set(VALUES),
    "json": set(VALUES),
}
# Forms that cannot say everything of a kind: the sum of two basis elements, a tiler without a layout, ...
PARTLY = {
    ("cpp", "Z^P"), ("cpp-call", "Z^P"), ("printed", "Z^P"), ("mlir", "Z^P"), ("dsl", "Z^P"),
    ("dsl", "tiler"), ("pycute", "tiler"), ("tensor-layouts", "tiler"), ("mojo", "swizzle"), ("printed", "tiler"),
    ("pycute", "symbolic"), ("dsl", "symbolic"), ("tensor-layouts", "symbolic"), ("mojo", "symbolic"),
    ("mlir", "symbolic"),
}  # fmt: skip


def shown(value: Any) -> str:
    """The text of a value; unknowns have no names of their own."""
    import re

    value = value.value if hasattr(value, "obligations") else value
    return re.sub(r"\?\d+", "?", text_of(value))


def has_sum(value: Any) -> bool:
    inner = getattr(value, "layout", value)
    return isinstance(inner, Layout) and any(hasattr(d, "terms") and len(d.terms) > 1 for d in inner.flat()[1])


@pytest.mark.parametrize("form", HOLDS)
@pytest.mark.parametrize("kind", VALUES)
@given(data=st.data())
@settings(max_examples=12)
def test_a_written_value_reads_back(form: str, kind: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    try:
        text = write(value, form)
    except Failure as failure:
        assert failure.diagnostic.code == "LC103"
        assert failure.diagnostic.message
        # A refusal of something that the form holds must be one of the known gaps.
        plain_zero = kind in ("Z^P", "F2") and "e" not in shown(value) and "f" not in shown(value)
        assert kind not in HOLDS[form] or (form, kind) in PARTLY or plain_zero
        return
    back = evaluate(read_any(text, form).expression)
    assert shown(back) == shown(value), text


# Whole texts that nobody would take for another form.
RECOGNISED = ["cpp", "cpp-call", "mlir", "pycute", "json", "latex"]


@pytest.mark.parametrize("form", RECOGNISED)
@given(data=st.data())
@settings(max_examples=40)
def test_a_written_layout_is_recognised_without_its_name(form: str, data: st.DataObject) -> None:
    value = data.draw(st.one_of(VALUES["Z"], VALUES["composed"], VALUES["Z^P"]))
    try:
        text = write(value, form)
    except Failure:
        return
    if form == "latex" and "\\" not in text:
        return  # (4,8) : (1,4) is text of the language
    found = recognise(text)
    assert found is not None
    assert shown(evaluate(found.expression)) == shown(value)


# ---- forms that keep the function and not the nesting ----


def values_of(value: Any) -> list[Any]:
    return [v.value if isinstance(v, Xor) else v for v in value.values()]


FUNCTIONS: dict[str, st.SearchStrategy[Any]] = {
    "numpy": st.one_of(integer_layouts(SIGNED), st.builds(Tensor, st.integers(0, 40), integer_layouts(SIGNED))),
    "torch": st.one_of(integer_layouts(), st.builds(Tensor, st.integers(0, 40), integer_layouts())),
    "memref": st.one_of(integer_layouts(SIGNED), OFFSET_INTEGERS),
    "graphene": integer_layouts(SIGNED),
    "isl": st.one_of(integer_layouts(SIGNED), OFFSET_INTEGERS, COMPOSED, xor_layouts(BINARY), compact_layouts()),
    "tilelang": st.one_of(
        integer_layouts(), compact_layouts(), st.builds(Composed, SWIZZLES, st.integers(0, 12), integer_layouts())
    ),
    "lego": compact_layouts(),
    "xla": compact_layouts(),
}


@pytest.mark.parametrize("form", FUNCTIONS)
@given(data=st.data())
@settings(max_examples=60)
def test_a_written_function_reads_back(form: str, data: st.DataObject) -> None:
    value = data.draw(FUNCTIONS[form])
    try:
        text = write(value, form)
    except Failure as failure:
        assert failure.diagnostic.code == "LC103"
        assert form in ("xla", "tilelang", "graphene"), failure.diagnostic.message
        return
    back = evaluate(read_any(text, form).expression)
    assert back.size == value.size, text
    assert values_of(back) == values_of(value), text


# ---- thread-value layouts ----


@st.composite
def distributions(draw: st.DrawFn) -> tuple[Layout, tuple[int, ...]]:
    """Threads and values over the cells of a tensor, each cell once: bits in any order."""
    from laycalc.algebra.finding.criteria import layout_of_bits
    from laycalc.algebra.values.semimodule import Coordinate

    widths = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3).filter(lambda w: 1 <= sum(w) <= 10))
    bits = draw(st.permutations([(axis, b) for axis, w in enumerate(widths) for b in range(w)]))
    cut = draw(st.integers(0, len(bits)))
    elements = [Coordinate.of([((axis,), 1 << b)]) for axis, b in bits]
    zeros = draw(st.integers(0, 2))
    return layout_of_bits([[*elements[:cut], *([0] * zeros)], elements[cut:]]), tuple(1 << w for w in widths)


@given(distributions())
def test_a_distribution_is_a_linear_encoding(case: tuple[Layout, tuple[int, ...]]) -> None:
    layout, shape = case
    text = write(layout, "triton", shape)
    assert evaluate(read_any(text, "triton", shape).expression).elements() == layout.elements()


@given(distributions())
def test_a_distribution_is_a_fragment(case: tuple[Layout, tuple[int, ...]]) -> None:
    layout, shape = case
    try:
        text = write(layout, "tilelang", shape)
    except Failure as failure:
        assert "stride 0" in failure.diagnostic.message
        return
    back = evaluate(read_any(text, "tilelang").expression)
    assert back.size == layout.size
    assert back.elements() == layout.elements(), text


@st.composite
def bijections(draw: st.DrawFn) -> Layout:
    """Power-of-two boxes onto 0..2^n-1: any invertible matrix over F2, as strides or XOR strides."""
    from laycalc.algebra.finding.criteria import layout_of_bits

    widths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    n = sum(widths)
    columns = [1 << b for b in draw(st.permutations(range(n)))]
    for _ in range(draw(st.integers(0, 4)) if n > 1 else 0):
        i, j = draw(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)))
        if i != j:
            columns[i] ^= columns[j]
    rest = iter(columns)
    found = layout_of_bits([[Xor.of(next(rest)) for _ in range(w)] for w in widths])
    return found if len(widths) > 1 else found[0]


@given(bijections())
def test_a_bijection_is_a_shared_linear_encoding(layout: Layout) -> None:
    shape = tuple(m.size for m in layout.modes())
    for form in ("triton", "triton-linear"):
        text = write(layout, form, shape)
        assert values_of(evaluate(read_any(text, form, shape).expression)) == values_of(layout), text


@given(st.integers(0, 3), st.integers(0, 4), st.integers(0, 3), st.integers(3, 8), st.integers(3, 7), st.booleans())
def test_a_swizzled_matrix_is_a_swizzled_encoding_or_spelled_out(
    bits: int, base: int, extra: int, columns: int, rows: int, turned: bool
) -> None:
    c, r = 1 << columns, 1 << rows
    plain = Layout((c, r), (1, c)) if turned else Layout((r, c), (c, 1))
    value = Composed(Swizzle(bits, base, bits + extra), 0, plain)
    shape = tuple(plain.shape)
    text = write(value, "triton", shape)
    assert values_of(evaluate(read_any(text, "triton", shape).expression)) == values_of(value), text


# ---- tile tensors ----

DIMS = st.tuples(st.integers(1, 6), st.sampled_from([1, 2, 4]), st.booleans(), st.booleans())


@given(st.lists(DIMS, min_size=1, max_size=3))
@example([(6, 2, True, False), (1, 4, False, True)])
def test_a_tile_tensor_reads_back(dims: list[tuple[int, int, bool, bool]]) -> None:
    text = (
        "[" + ",".join(f"{'*' if star else n}{'~' if mix and not star else ''}/{t}" for n, t, mix, star in dims) + "]"
    )
    layout = evaluate(read_any(text, "helayers").expression)
    try:
        written = write(layout, "helayers")
    except Failure as failure:
        assert failure.diagnostic.message
        return
    assert evaluate(read_any(written, "helayers").expression) == layout, (text, written)


@given(any_layouts())
def test_isl_and_json_agree_on_the_values(layout: Layout) -> None:
    assert evaluate(read_any(write(layout, "json"), "json").expression) == layout
