"""Calls: functions of the table with checked arguments, evaluation and slices, modes, attributes, special forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Swizzle
from laycalc.diagnostics.model import Failure

from ..language import access
from ..language.arithmetic import ROUNDED
from ..language.coerce import coerce
from ..language.functions import Function, find
from ..language.kinds import LAYOUTS, has_free
from ..language.results import wrap
from ..language.values import Verdict, a_kind
from ..syntax import nodes
from .context import Context

__all__ = ["accepts_ragged", "attribute", "call", "call_function", "index"]


def call(context: Context, node: nodes.Call) -> Any:
    head = node.function
    if isinstance(head, nodes.Index) and (function := row_of(context, head.target)) is not None:
        path = tuple([context.value(item) for item in head.items])
        operands, values, keywords = given(context, function, node)
        return call_function(context, function, node, operands, values, keywords, path)
    if isinstance(head, nodes.Name) and head.name not in context.scope:
        if head.name == "admissible" and (len(node.arguments) == 1 or accepts_ragged(node)):
            return admissible(context, node.arguments[0])
        if head.name in ("ceil", "floor") and len(node.arguments) == 1:
            return rounded(context, head.name, node.arguments[0])
        if (function := row_of(context, head)) is None:
            raise context.unknown_name(head)
        return call_function(context, function, node, *given(context, function, node))
    target = context.value(head)
    arguments = [context.value(a) for a in node.arguments]
    return at(context, node, target, arguments, node.arguments)


def accepts_ragged(node: nodes.Expression) -> bool:
    """Is it ``admissible(expr, ragged)``, which accepts tiles of unknown extents that reach outside?"""
    return (
        isinstance(node, nodes.Call)
        and isinstance(node.function, nodes.Name)
        and node.function.name == "admissible"
        and len(node.arguments) == 2
        and isinstance(node.arguments[1], nodes.Name)
        and node.arguments[1].name == "ragged"
    )


def row_of(context: Context, node: nodes.Expression) -> Function | None:
    """The row of the table that a name stands for, unless a binding hides it."""
    return find(node.name) if isinstance(node, nodes.Name) and node.name not in context.scope else None


def given(
    context: Context, function: Function, node: nodes.Call
) -> tuple[tuple[nodes.Expression, ...], list[Any], dict[str, Any]]:
    values = [context.value(a) for a in node.arguments]
    keywords = {}
    for keyword in node.keywords:
        if all(p.name != keyword.name for p in function.parameters):
            raise context.fail("LC103", f"{function.signature} has no argument {keyword.name}", keyword)
        keywords[keyword.name] = context.value(keyword.value)
    return node.arguments, values, keywords


def call_function(
    context: Context,
    function: Function,
    node: nodes.Expression,
    operands: Sequence[nodes.Expression],
    values: Sequence[Any],
    keywords: dict[str, Any],
    path: Any = None,
) -> Any:
    """Call a row of the function table with checked arguments."""
    if path is not None:
        return at_mode(context, function, node, operands, values, keywords, path)
    arguments = bound(context, function, node, operands, values, keywords)
    target = function.load()
    if context.unknowns is not None:
        from .symbolic_operators import prepare, relation

        prepare(function.name)
        target = relation(function.name, target)
    result = context.apply(target, node, operands, values, arguments)
    context.check(node, function.name, arguments, result)
    return wrap(result, function.result)


def bound(
    context: Context,
    function: Function,
    node: nodes.Expression,
    operands: Sequence[nodes.Expression],
    values: Sequence[Any],
    keywords: dict[str, Any],
) -> list[Any]:
    """The arguments in the order of the parameters, each of its kind; LC103 otherwise."""
    parameters = function.parameters
    last = parameters[-1] if parameters else None
    many = last is not None and last.many
    arguments: list[Any] = []
    if len(values) > len(parameters) and not many:
        raise context.fail(
            "LC103", f"{function.signature} takes {len(parameters)} argument(s), {len(values)} were given", node
        )
    for i, value in enumerate(values):
        parameter = parameters[min(i, len(parameters) - 1)]
        arguments.append(context.apply(coerce, operands[i], (), (value, parameter.kind, function.name, parameter.name)))
    for parameter in parameters[len(values) :]:
        if parameter.name in keywords:
            value = keywords[parameter.name]
            arguments.append(context.apply(coerce, node, (), (value, parameter.kind, function.name, parameter.name)))
        elif parameter.optional:
            break
        else:
            raise context.fail("LC103", f"{function.signature} needs {parameter.name}", node)
    return arguments


def admissible(context: Context, node: nodes.Expression) -> Verdict:
    """``admissible(expr)``: does the expression have a value? The reason is kept."""
    try:
        context.value(node)
    except Failure as failure:
        if not failure.diagnostic.code.startswith(("LC2", "LC3")):
            raise
        return Verdict(False, failure.diagnostic)
    return Verdict(True, None)


def rounded(context: Context, name: str, node: nodes.Expression) -> Any:
    """``ceil(a/b)`` and ``floor(a/b)``: the quotient of integers, rounded."""
    if not isinstance(node, nodes.Binary) or node.operator != "/":
        return context.value(node)
    left, right = context.value(node.left), context.value(node.right)
    return context.apply(ROUNDED[name], node, (node.left, node.right), (left, right))


def at(
    context: Context,
    node: nodes.Expression,
    target: Any,
    arguments: list[Any],
    operands: Sequence[nodes.Expression],
) -> Any:
    """``L(c)``: a value, or a slice where a mode is free."""
    coordinate = arguments[0] if len(arguments) == 1 else tuple(arguments)
    if isinstance(target, Swizzle):
        return context.apply(access.swizzle_at, node, operands, (target, coordinate))
    if not isinstance(target, LAYOUTS):
        hint = "a layout is written shape:stride" if isinstance(target, (int, tuple)) else ""
        raise context.fail("LC103", f"{a_kind(target)} cannot be called", node, hint)
    if not arguments:
        raise context.fail("LC205", "a coordinate is missing", node)
    return context.apply(access.at, node, (node, *operands[:1]), (target, coordinate))


def index(context: Context, node: nodes.Index) -> Any:
    """``L[0]`` is a mode, ``L[0,1]`` a mode of a mode, ``L[_,3]`` a slice."""
    target = context.value(node.target)
    items = [context.value(item) for item in node.items]
    if isinstance(target, LAYOUTS) and any(has_free(i) for i in items):
        return at(context, node, target, items, node.items)
    if context.unknowns is not None:
        from .symbolic_operators import prepare

        prepare("mode")
    return context.apply(access.mode, node, (node.target,), (target, tuple(items)))


def attribute(context: Context, node: nodes.Attribute) -> Any:
    target = context.value(node.target)
    return context.apply(access.attribute, node, (node.target,), (target, node.name))


def at_mode(
    context: Context,
    function: Function,
    node: nodes.Expression,
    operands: Sequence[nodes.Expression],
    values: Sequence[Any],
    keywords: dict[str, Any],
    path: tuple[int, ...],
) -> Any:
    """Apply ``function`` to the mode of the first argument at ``path``; the other modes stay."""
    layout = values[0] if values else None
    if not isinstance(layout, Layout):
        raise context.fail("LC103", f"{function.name}[...] takes a layout first, not {a_kind(layout)}", node)
    if any(type(i) is not int for i in path):
        raise context.fail("LC103", "the mode in brackets is an integer", node)

    def replaced(part: Layout, rest: tuple[int, ...]) -> Layout:
        if not rest:
            result = call_function(context, function, node, operands, (part, *values[1:]), keywords)
            if not isinstance(result, Layout):
                raise context.fail(
                    "LC103",
                    f"{function.name}[...] wants a layout for the mode, {function.name} gives {a_kind(result)}",
                    node,
                )
            return result
        count = part.rank
        if not isinstance(part.shape, tuple) or not -count <= rest[0] < count:
            raise context.fail("LC103", f"{part} has no mode {rest[0]}", operands[0])
        modes = list(part.modes())
        at = rest[0] % count
        modes[at] = replaced(modes[at], rest[1:])
        shape, stride = tuple(m.shape for m in modes), tuple(m.stride for m in modes)
        return context.apply(Layout, node, (node, node), (shape, stride))  # type: ignore[no-any-return]

    return replaced(layout, path)
