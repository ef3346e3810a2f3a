"""Common refinement and the sum of two layouts."""

from __future__ import annotations

from typing import Any

from ..base.decide import divides, less, quotient, same
from ..base.errors import AdmissibilityError, refuse
from ..base.words import word
from ..values.coalesce import coalesce, unwrap
from ..values.layout import Layout
from ..values.semimodule import Xor, continues, semimodule_of


def split_extents(a: tuple[Any, ...], b: tuple[Any, ...]) -> list[tuple[Any, int, Any, int, Any]]:
    """Cut two flat shapes of one size at all boundaries of both.

    Each piece is (extent, mode of a, step in it, mode of b, step in it). LC310 if a boundary of one falls inside a
    piece of the other without dividing it.
    """
    pieces: list[tuple[Any, int, Any, int, Any]] = []
    left, right = list(a), list(b)
    i = j = 0
    step_a: Any = 1
    step_b: Any = 1
    while i < len(left) and j < len(right):
        if same(left[i], 1):
            i, step_a = i + 1, 1
            continue
        if same(right[j], 1):
            j, step_b = j + 1, 1
            continue
        extent = left[i] if less(left[i], right[j]) else right[j]
        if not divides(extent, left[i]) or not divides(extent, right[j]):
            raise refuse(
                "LC310",
                "shapes {a} and {b} have no common refinement: {left} and {right} do not divide one another",
                op="common_refinement",
                a=str(a),
                b=str(b),
                left=left[i],
                right=right[j],
            )
        pieces.append((extent, i, step_a, j, step_b))
        left[i], right[j] = quotient(left[i], extent), quotient(right[j], extent)
        step_a, step_b = step_a * extent, step_b * extent
    return pieces


def common_refinement(a: Layout, b: Layout) -> tuple[Layout, Layout]:
    """The two layouts over one flat shape, the coarsest that both can be written in.

    Law: the results have one shape and the functions of ``a`` and ``b``. LC310 if there is no common shape.

    >>> common_refinement(Layout((4, 6), (1, 4)), Layout((2, 12), (12, 1)))
    (Layout('(2,2,6):(1,2,4)'), Layout('(2,2,6):(12,1,2)'))
    """
    (sa, da), (sb, db) = a.flat(), b.flat()
    pieces = split_extents(sa, sb)
    return (
        unwrap([(n, _stepped(a, step, da[i])) for n, i, step, _, _ in pieces]),
        unwrap([(n, _stepped(b, step, db[j])) for n, _, _, j, step in pieces]),
    )


def _stepped(layout: Layout, step: Any, d: Any) -> Any:
    """The stride after ``step`` elements of a mode; an XOR mode can be cut at powers of two only (LC308)."""
    if isinstance(d, Xor) and step & (step - 1):
        raise refuse(
            "LC308",
            "mode of stride {stride} of {layout} cannot be cut after {step} elements, no power of two",
            op="common_refinement",
            stride=str(d),
            layout=str(layout),
            step=step,
            left_path=(),
        )
    return step * d


@word("""
    values: layout_add(A: layout, B: layout)
    the sum of two layouts of one size
    law: R(i) = A(i) + B(i)
    layout_add(4:1, (2,2):(10,0))
""")
def layout_add(a: Layout, b: Layout) -> Layout:
    """The layout with ``R(i) = A(i) + B(i)``; LC310 if the shapes have no common refinement.

    >>> layout_add(Layout(4, 1), Layout((2, 2), (10, 0)))
    Layout('(2,2):(11,2)')
    """
    if not same(a.size, b.size):
        raise refuse("LC310", "layouts of sizes {a} and {b} have no sum", op="layout_add", a=a.size, b=b.size)
    semimodule_of((*a.flat()[1], *b.flat()[1]))
    try:
        x, y = common_refinement(a, b)
    except AdmissibilityError:
        x, y = common_refinement(coalesce(a), coalesce(b))
    modes: list[tuple[Any, Any]] = []
    for s, d in zip(x.flat()[0], (p + q for p, q in zip(x.flat()[1], y.flat()[1], strict=True)), strict=True):
        if modes and continues(*modes[-1], d):
            modes[-1] = (modes[-1][0] * s, modes[-1][1])
        else:
            modes.append((s, d))
    return unwrap(modes)
