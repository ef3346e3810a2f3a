"""Text to syntax tree: each construct, precedence, spans."""

from __future__ import annotations

import pytest

from laycalc.diagnostics.model import Diagnostic, Failure
from laycalc.grammar.syntax import nodes
from laycalc.grammar.syntax.parser import parse, parse_expression, statements


def show(value: object) -> str:
    """A node in one line: integers and names as they are, `Kind(field, ...)` otherwise, without spans."""
    if isinstance(value, nodes.Integer | nodes.Name):
        return str(value.value if isinstance(value, nodes.Integer) else value.name)
    if isinstance(value, tuple) and not isinstance(value, nodes.Span):
        return f"[{', '.join(map(show, value))}]"
    if isinstance(value, nodes.Binary):
        return f"({show(value.left)} {value.operator} {show(value.right)})"
    fields = getattr(value, "fields", None)
    if fields is None:
        return str(value)
    shown = ", ".join(show(getattr(value, field)) for field in fields if not field.endswith("span"))
    return f"{type(value).__name__}({shown})"


def only(text: str) -> nodes.Statement:
    (statement,) = parse(text).statements
    return statement


EXPRESSIONS = [
    # integers, tuples, layouts
    ("4", "4"),
    ("_4", "4"),
    ("007", "7"),
    ("()", "Tuple([])"),
    ("(8)", "Paren(8)"),
    ("(8,)", "Tuple([8])"),
    ("(4,(2,3))", "Tuple([4, Tuple([2, 3])])"),
    ("(4,8,)", "Tuple([4, 8])"),
    ("(4,8):(1,4)", "Pair(Tuple([4, 8]), Tuple([1, 4]))"),
    ("((_4,_8),_11):((_1,_4),_32)", "Pair(Tuple([Tuple([4, 8]), 11]), Tuple([Tuple([1, 4]), 32]))"),
    ("4:-1", "Pair(4, -1)"),
    ("4:-s", "Pair(4, Unary(-, s))"),
    ("-4", "Unary(-, 4)"),
    ("4:1:2", "Pair(Pair(4, 1), 2)"),
    ("(4:1, 8:4)", "Tuple([Pair(4, 1), Pair(8, 4)])"),
    # strides of the other semimodules; e1.0 and 0@1 are one path
    ("e0", "Coordinate([[1, [0]]])"),
    ("6e1", "Coordinate([[6, [1]]])"),
    ("e1.0", "Coordinate([[1, [1, 0]]])"),
    ("2e0+3e1", "Coordinate([[2, [0]], [3, [1]]])"),
    ("2e0-3e1.2", "Coordinate([[2, [0]], [-3, [1, 2]]])"),
    ("1@0", "Coordinate([[1, [0]]])"),
    ("6@1", "Coordinate([[6, [1]]])"),
    ("_1@_0", "Coordinate([[1, [0]]])"),
    ("1@0@1", "Coordinate([[1, [1, 0]]])"),
    ("2@0+3@0@1", "Coordinate([[2, [0]], [3, [1, 0]]])"),
    ("E<0>", "Coordinate([[1, [0]]])"),
    ("E<1, 0>", "Coordinate([[1, [1, 0]]])"),
    ("4:e0", "Pair(4, Coordinate([[1, [0]]]))"),
    ("4:e0+e1", "Pair(4, Coordinate([[1, [0]], [1, [1]]]))"),
    ("4:-2e0+3e1", "Pair(4, Coordinate([[-2, [0]], [3, [1]]]))"),
    ("-2e0+3e1", "Coordinate([[-2, [0]], [3, [1]]])"),
    ("x - -e0+e1", "((x - Coordinate([[-1, [0]]])) + Coordinate([[1, [1]]]))"),
    ("2*e0+e1", "((2 * Coordinate([[1, [0]]])) + Coordinate([[1, [1]]]))"),
    ("e0+e1*2", "(Coordinate([[1, [0]]]) + (Coordinate([[1, [1]]]) * 2))"),
    ("x - e0+e1", "((x - Coordinate([[1, [0]]])) + Coordinate([[1, [1]]]))"),
    ("f5", "Xor(5)"),
    ("4:f5", "Pair(4, Xor(5))"),
    # names that look like strides or integers
    ("e4m3", "e4m3"),
    ("f16x", "f16x"),
    ("_a", "_a"),
    ("e", "e"),
    ("order", "order"),
    # swizzles
    ("Sw<3,4,3>", "Swizzle(3, 4, 3)"),
    ("S<3,4,3>", "Swizzle(3, 4, 3)"),
    ("Swizzle<2, 0, -3>", "Swizzle(2, 0, -3)"),
    ("Sw<_3,_4,_3>", "Swizzle(3, 4, 3)"),
    (
        "Sw<3,4,3> o 0 o (8,8):(8,1)",
        "((Swizzle(3, 4, 3) o 0) o Pair(Tuple([8, 8]), Tuple([8, 1])))",
    ),
    # tilers, brackets, offsets
    ("<4:1, _, 8>", "Tiler([Pair(4, 1), Wildcard(), 8])"),
    ("<>", "Tiler([])"),
    ("<*,_>", "Tiler([Star(), Wildcard()])"),
    ("<*, a*b, *>", "Tiler([Star(), (a * b), Star()])"),
    ("<*>", "Tiler([Star()])"),
    ("<4,8,>", "Tiler([4, 8])"),
    ("<<4,2>,8>", "Tiler([Tiler([4, 2]), 8])"),
    ("<4 + 4, 2*2>", "Tiler([(4 + 4), (2 * 2)])"),
    ("<(a > b), 4>", "Tiler([Paren((a > b)), 4])"),
    ("<4,8>==T", "(Tiler([4, 8]) == T)"),
    ("<4,8>===<4,8>", "(Tiler([4, 8]) === Tiler([4, 8]))"),
    ("A / <4,8>", "(A / Tiler([4, 8]))"),
    ("[a]", "Bracket([a])"),
    ("[4:1;8:2;_]", "Bracket([Pair(4, 1), Pair(8, 2), Wildcard()])"),
    ("[4:1,8:2]", "Bracket([Pair(4, 1), Pair(8, 2)])"),
    ("[4:1;8:2;]", "Bracket([Pair(4, 1), Pair(8, 2)])"),
    ("{5} o L", "(Offset(5) o L)"),
    ("{(0,2)} o L", "(Offset(Tuple([0, 2])) o L)"),
    # postfix forms, at one level with `:`
    ("L(22)", "Call(L, [22], [])"),
    ("L()", "Call(L, [], [])"),
    ("L(2,5,)", "Call(L, [2, 5], [])"),
    ("L((0,1),(1,1))", "Call(L, [Tuple([0, 1]), Tuple([1, 1])], [])"),
    ("L(_,3)", "Call(L, [Wildcard(), 3], [])"),
    ("f(x, stride=(1,2), y=3)", "Call(f, [x], [Keyword(stride, Tuple([1, 2])), Keyword(y, 3)])"),
    ("f(x == y)", "Call(f, [(x == y)], [])"),
    ("L[None,3]", "Index(L, [Wildcard(), 3])"),
    ("L[0][1]", "Index(Index(L, [0]), [1])"),
    ("L[_,]", "Index(L, [Wildcard()])"),
    ("coalesce[1](A)", "Call(Index(coalesce, [1]), [A], [])"),
    ("X.A", "Attribute(X, A)"),
    ("X.A(3).B", "Attribute(Call(Attribute(X, A), [3], []), B)"),
    ("(4,8):(1,4)(22)", "Call(Pair(Tuple([4, 8]), Tuple([1, 4])), [22], [])"),
    ("4:1[0]", "Index(Pair(4, 1), [0])"),
    ("A^*", "Postfix(*, A)"),
    ("A^-1", "Postfix(-1, A)"),
    ("A^R", "Postfix(R, A)"),
    ("A‡", "Postfix(R, A)"),
    ("A^L", "Postfix(L, A)"),
    ("A†(3)", "Call(Postfix(L, A), [3], [])"),
    ("4:2^*", "Postfix(*, Pair(4, 2))"),
    # morphisms
    ("(4,8) --(2,1)--> (8,4)", "Morphism(Tuple([4, 8]), [2, 1], Tuple([8, 4]))"),
    ("(2,2) --(*, 0,)--> ()", "Morphism(Tuple([2, 2]), [0, 0], Tuple([]))"),
    ("() --()--> ()", "Morphism(Tuple([]), [], Tuple([]))"),
    ("8 --(1)--> (8) o g", "(Morphism(8, [1], Paren(8)) o g)"),
    # unknown extents, texts, truth
    ("?", "Unknown(1, 0)"),
    ("?{div=64}", "Unknown(64, 0)"),
    ("?{i64 div=8192}", "Unknown(8192, 0)"),
    ("?{i64}", "Unknown(1, 0)"),
    ("(?,8):(1,?{div=64})", "Pair(Tuple([Unknown(1, 0), 8]), Tuple([1, Unknown(64, 0)]))"),
    ('"a # b // c; ü 😀"', "String(a # b // c; ü 😀)"),
    (r'"say \"x\" C:\\new\tmp"', r'String(say "x" C:\new\tmp)'),
    ("true", "Truth(True)"),
    ("False", "Truth(False)"),
    # binary operators: left associative, tightest first
    ("a o b o c", "((a o b) o c)"),
    ("a ∘ b", "(a o b)"),
    ("a ⊘ b ⊗ c", "((a / b) * c)"),
    ("a / b o c", "(a / (b o c))"),
    ("a + b * c", "(a + (b * c))"),
    ("a - b - c", "((a - b) - c)"),
    ("a % b * c", "((a % b) * c)"),
    ("4:1 o 2:1", "(Pair(4, 1) o Pair(2, 1))"),
    ("-a o b", "(Unary(-, a) o b)"),
    ("-L(3)", "Unary(-, Call(L, [3], []))"),
    ("a - -b", "(a - Unary(-, b))"),
    ("a + b == c", "((a + b) == c)"),
    ("not a == b", "Unary(not, (a == b))"),
    ("not not a", "Unary(not, Unary(not, a))"),
    ("a and not b or c and d", "((a and Unary(not, b)) or (c and d))"),
    ("A ∼ B", "(A ~ B)"),
    ("A ≲ B", "(A <~ B)"),
    ("A ⪯ B", "(A <= B)"),
    ("A ≡ B", "(A === B)"),
    ("A <~ B", "(A <~ B)"),
    ("A != B", "(A != B)"),
    ("S <= T", "(S <= T)"),
    ("S < T", "(S < T)"),
    ("S<T", "(S < T)"),
    ("a > b", "(a > b)"),
    ("a >= b", "(a >= b)"),
    ("128 | M*K", "(128 | (M * K))"),
    ("M % 128 == 0", "((M % 128) == 0)"),
    ("K in {64, 96}", "(K in Tuple([64, 96]))"),
    ("1 <= N <= 8", "((1 <= N) and (N <= 8))"),
    ("1 < N < 8 == x", "(((1 < N) and (N < 8)) and (8 == x))"),
    ("(a < b) < c", "(Paren((a < b)) < c)"),
    ("a < b and c < d", "((a < b) and (c < d))"),
    # newlines and comments inside brackets
    ("(4, # four\n 8 // eight\n):(1,\n4)", "Pair(Tuple([4, 8]), Tuple([1, 4]))"),
    ("<4,\n8>", "Tiler([4, 8])"),
    ("f(\r\n  x\r\n)", "Call(f, [x], [])"),
]


@pytest.mark.parametrize(("text", "tree"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_expression(text: str, tree: str) -> None:
    assert show(parse_expression(text)) == tree


STATEMENTS = [
    ("4", "Evaluate(4)"),
    ("x = 4:1", "Let(x, Pair(4, 1))"),
    ("let x = 4", "Let(x, 4)"),
    ("let x = y == z", "Let(x, (y == z))"),
    ("assert a == b", "Assert((a == b), [])"),
    ("assert a given 8 | M, K >= 64", "Assert(a, [(8 | M), (K >= 64)])"),
    ("assume M % 128 == 0, K >= 64,", "Assume([((M % 128) == 0), (K >= 64)])"),
    ("for M in {64,96}, N in {8}: assert a", "For([[M, [64, 96]], [N, [8]]], Assert(a, []))"),
    ("for M in {64}: for N in {M,}: x = N", "For([[M, [64]]], For([[N, [M]]], Let(x, N)))"),
    ('include "tiles.layout"', "Include(tiles.layout)"),
]


@pytest.mark.parametrize(("text", "tree"), STATEMENTS, ids=[text for text, _ in STATEMENTS])
def test_statement(text: str, tree: str) -> None:
    assert show(only(text)) == tree


def test_separators_and_comments() -> None:
    text = "\ufeff\n# title\na = 4;; b = (8,\n  2) # rest\n// line\n  // indented\nb // 2 is what counts\n;\n"
    assert [show(s) for s in parse(text).statements] == ["Let(a, 4)", "Let(b, Tuple([8, 2]))", "Evaluate(b)"]


def test_nothing_is_a_program() -> None:
    assert parse("").statements == parse(" \n ;# x").statements == ()


def test_statements_are_read_one_at_a_time() -> None:
    lazy = statements("4; (")
    assert isinstance(next(lazy), nodes.Evaluate)
    assert isinstance(next(lazy), Diagnostic)


def test_nodes_compare_without_spans() -> None:
    assert parse("( 4,8 ) : (1,4)") == parse("(4,8):(1,4) ;")


def test_spans() -> None:
    text = "x = 1 ; assert  (4,8):(1,4) o f(2) <= -y"
    let, check = parse(text).statements
    assert isinstance(let, nodes.Let) and isinstance(check, nodes.Assert)
    relation = check.value
    assert isinstance(relation, nodes.Binary)
    composition = relation.left
    assert isinstance(composition, nodes.Binary) and isinstance(composition.left, nodes.Pair)
    assert isinstance(composition.left.stride, nodes.Tuple)
    expected = [
        (let.span, "x = 1"),
        (let.value.span, "1"),
        (check.span, "assert  (4,8):(1,4) o f(2) <= -y"),
        (relation.span, "(4,8):(1,4) o f(2) <= -y"),
        (relation.operator_span, "<="),
        (relation.right.span, "-y"),
        (composition.span, "(4,8):(1,4) o f(2)"),
        (composition.operator_span, "o"),
        (composition.left.span, "(4,8):(1,4)"),
        (composition.left.stride.span, "(1,4)"),
        (composition.left.stride.items[1].span, "4"),
        (composition.right.span, "f(2)"),
    ]
    for span, part in expected:
        assert text[span.start : span.end] == part


def test_spans_of_a_chain() -> None:
    text = "1 <= N <= 8"
    both = parse_expression(text)
    assert isinstance(both, nodes.Binary)
    parts = (both, both.left, both.right)
    assert [text[part.span.start : part.span.end] for part in parts] == ["1 <= N <= 8", "1 <= N", "N <= 8"]
    assert both.operator_span == nodes.Span(7, 9)


@pytest.mark.parametrize(
    ("text", "start", "end", "label"),
    [
        ("", 0, 0, "expected an expression"),
        ("4; 8", 3, 4, "this is a second statement"),
        ("x = 4", 0, 5, "this is a statement"),
        ("assume M > 1", 0, 12, "this is a statement"),
    ],
)
def test_one_expression(text: str, start: int, end: int, label: str) -> None:
    with pytest.raises(Failure) as raised:
        parse_expression(text)
    diagnostic = raised.value.diagnostic
    assert (diagnostic.code, diagnostic.name, diagnostic.source) == ("LC101", "syntax", text)
    assert [(mark.start, mark.end, mark.text) for mark in diagnostic.labels] == [(start, end, label)]


def test_blanks_around_one_expression() -> None:
    assert parse_expression(" \n 4:1\n\n ") == parse_expression("4:1")
