"""The names of CuTe as data: every row is well made, and every argument is used or refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from laycalc.diagnostics.model import Failure
from laycalc.grammar.forms import read_any
from laycalc.grammar.forms.dialects.cpp_names import CPP
from laycalc.grammar.forms.dialects.kernel_builders import BUILDERS
from laycalc.grammar.forms.dialects.python_names import CALLS, CLASSES
from laycalc.grammar.forms.dialects.rows import Row, rows_of
from laycalc.grammar.language.functions import find
from laycalc.grammar.language.values import text_of
from laycalc.grammar.run.statements import evaluate
from laycalc.grammar.syntax import nodes

ROWS = [row for table in (CPP, CALLS, CLASSES) for rows in rows_of(table).values() for row in rows]


def names(node: object) -> Iterator[str]:
    if isinstance(node, nodes.Name):
        yield node.name
    for field in getattr(node, "fields", ()):
        part = getattr(node, field)
        for item in part if isinstance(part, tuple) else (part,):
            if isinstance(item, nodes.Node):
                yield from names(item)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}: {row.made}")
def test_the_right_side_of_a_row_is_made_of_its_parameters(row: Row) -> None:
    holes = {"self"} if row.name[0] == "." or row.name.startswith("::") else set()
    for side in (row.template, row.call):
        if side is not None:
            holes |= {*side.positions, *side.names, side.rest} - {""}
    if row.builder:
        assert row.builder in BUILDERS
        assert set(row.made.split()[1:]) <= holes
        return
    for name in names(row.expression):
        assert name in holes or find(name) is not None or name in ("LayoutLeft", "ceil"), name


WRONG = [
    "cute.make_layout((4, 8), stride=(8, 1), colour=3)",
    "cute.make_layout((4, 8), (8, 1))",
    "cute.size((4, 8), [0], 3)",
    "cute.composition((4,8):(1,4), 8:1, 2:1)",
    "get<0>((4, 8), 2)",
    "take<0,2,3>((4,8,2):(1,4,32))",
    "Layout<Shape<_4,_8>,Stride<_1,_4>>{}.shape(2)",
    "make_composed_layout(Swizzle<3,3,3>{}, _0{}, Layout<_8>{}, Layout<_8>{})",
    "ComposedLayout<Swizzle<3,3,3>, _0, Layout<_8>, Layout<_8>>",
    "sizeof_bits_v<half_t, float>",
    "Swizzle(3, 0, 3, 4)",
    "Layout((4,8),(1,4),offset=3)",
    "Layout.row_major(2, 3, order=1)",
    "Tensor((4,8):(1,4), shift=2)",
    "counting_iterator<int,int>{5} o 4:1",
]


@pytest.mark.parametrize("text", WRONG)
def test_an_argument_that_is_left_over_is_refused(text: str) -> None:
    with pytest.raises(Failure) as caught:
        evaluate(text)
    assert caught.value.diagnostic.code in ("LC101", "LC103")
    assert caught.value.diagnostic.labels


RIGHT = [
    ("cute.make_layout(shape=(8,64), stride=(64,1))", "(8,64):(64,1)"),
    ("cute.make_layout((4,8), loc=loc, ip=ip)", "(4,8):(1,4)"),
    ("cute.crd2idx((1,2), cute.make_layout((4,8), stride=(8,1)))", "10"),
    ("cute.recast_layout(128, 16, cute.make_layout((8, 64), stride=(64, 1)))", "(8,8):(8,1)"),
    ("cute.select(cute.make_layout((8, 64, 2), stride=(64, 1, 512)), mode=[0, 1])", "(8,64):(64,1)"),
    ("cute.group_modes(cute.make_layout((8, 64, 2), stride=(64, 1, 512)), 0, 2)", "((8,64),2):((64,1),512)"),
    ("cute.size(cute.make_layout((4, (2, 3))), mode=[1, 0])", "2"),
    ("cute.make_layout((64 * 128 // 2, 2))", "(4096,2):(1,4096)"),
    ("cute.cosize(cute.make_layout((4,8))) // 2", "16"),
    ("(cute.size((2,2)) - 7) // 2", "-2"),
    ("cute.size(cute.make_layout((4,8) if 3 > 2 else 5)) == 32", "true"),
    ("get<0>(shape(Layout<Shape<_8,_64>>{}))", "8"),
    ("size<0>((4,8):(1,4))", "4"),
    ("size<0,1>(Layout<Shape<Shape<_2,_3>,_4>>{})", "3"),
    ("rank<1>(Layout<Shape<_128,Shape<_8,_4>,_2>>{})", "2"),
    ("take<0,2>((4,8,2):(1,4,32))", "(4,8):(1,4)"),
    ("select<0,2>((4,8,2):(1,4,32))", "(4,2):(1,32)"),
    ("group<0,2>((4,8,2):(1,4,32))", "((4,8),2):((1,4),32)"),
    ("Layout<Shape<Int<(128 + 127) / 128>, _8>>{}", "(1,8):(0,1)"),
    ("std::conditional_t<(96 % 64 == 0), Swizzle<3,3,3>, Swizzle<2,3,3>>{}", "Sw<2,3,3>"),
    ("128 / sizeof_bits_v<half_t>", "8"),
    ("Layout<Shape<_4,_8>,Stride<_8,_1>>{}(13)", "11"),
    ("T = (4,8); Layout<T>{}", "(4,8):(1,4)"),
]


@pytest.mark.parametrize(("text", "expected"), RIGHT)
def test_a_use_of_a_name_has_its_value(text: str, expected: str) -> None:
    assert text_of(evaluate(text)) == expected


def test_a_comment_of_the_language_is_not_read_into_python() -> None:
    with pytest.raises(Failure) as caught:
        evaluate("cute.make_layout((4,8)) o 4:1 // two words")
    assert caught.value.diagnostic.code == "LC101"


def test_integers_of_cpp_are_divided_as_cpp_divides_them() -> None:
    assert read_any("(128 + 127) / 128", "cpp").expression == "1"
    assert read_any("-7 / 2", "cpp").expression == "-3"
    assert read_any("-7 // 2", "dsl").expression == "-4"
