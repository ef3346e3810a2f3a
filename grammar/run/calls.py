"""Calls: functions of the table with checked arguments, evaluation and slices, modes, attributes, special forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from laycalc.algebra.values.layout import Layout
from laycalc.algebra.values.swizzle import Swizzle
from laycalc.diagnostics.model import Failure

from ..language import access
from ..language.arithmetic import ROUNDED
from ..language.coerce import coerce
from ..language.functions import Function, Parameter, find
from ..language.kinds import LAYOUTS, has_free
from ..language.results import printed
from ..language.values import Verdict, a_kind
from ..syntax import nodes
from .context import Context


class Application(NamedTuple):
    """A function of the table and what it is applied to: the nodes of the positional arguments and all values."""

    function: Function
    node: nodes.Expression
    operands: Sequence[nodes.Expression]
    values: Sequence[Any]
    keywords: Mapping[str, Any] = MappingProxyType({})


def call(context: Context, node: nodes.Call) -> Any:
    head = node.function
    if isinstance(head, nodes.Index) and (function := row_of(context, head.target)) is not None:
        path = tuple([context.value(item) for item in head.items])
        return at_mode(context, given(context, function, node), path)
    if isinstance(head, nodes.Name) and head.name not in context.scope:
        if head.name == "admissible" and (len(node.arguments) == 1 or accepts_ragged(node)):
            return admissible(context, node.arguments[0])
        if head.name in ("ceil", "floor") and len(node.arguments) == 1:
            return rounded(context, head.name, node.arguments[0])
        if (function := row_of(context, head)) is None:
            raise context.unknown_name(head)
        return apply(context, given(context, function, node))
    target = context.value(head)
    arguments = [context.value(a) for a in node.arguments]
    return at(context, node, target, arguments, node.arguments)


def accepts_ragged(node: nodes.Expression) -> bool:
    """Is it ``admissible(expr, ragged)``, which accepts tiles of unknown extents that reach outside?"""
    match node:
        case nodes.Call(function=nodes.Name(name="admissible"), arguments=(_, nodes.Name(name="ragged"))):
            return True
    return False


def row_of(context: Context, node: nodes.Expression) -> Function | None:
    """The row of the table that a name stands for, unless a binding hides it."""
    return find(node.name) if isinstance(node, nodes.Name) and node.name not in context.scope else None


def given(context: Context, function: Function, node: nodes.Call) -> Application:
    """A call with its arguments evaluated; LC103 for a keyword that the function does not have, or has already."""
    values = [context.value(a) for a in node.arguments]
    placed = {p.name for p in function.parameters[: len(values)]}
    keywords: dict[str, Any] = {}
    for keyword in node.keywords:
        if all(p.name != keyword.name for p in function.parameters):
            raise context.fail("LC103", f"{function.signature} has no argument {keyword.name}", keyword)
        if keyword.name in placed | keywords.keys():
            raise context.fail("LC103", f"{function.signature} is given {keyword.name} twice", keyword)
        keywords[keyword.name] = context.value(keyword.value)
    return Application(function, node, node.arguments, values, keywords)


def apply(context: Context, call: Application) -> Any:
    """The result of a function with checked arguments, held against its law."""
    function = call.function
    arguments = bound(context, call)
    target = function.load()
    if context.unknowns is not None:
        from .symbolic_operators import prepare, relation

        prepare(function.name)
        target = relation(function.name, target)
    shown = printed(target, function.result)
    result = context.apply(shown, call.node, call.operands, call.values, arguments)
    context.check(call.node, function.name, arguments, result)
    return result


def bound(context: Context, call: Application) -> list[Any]:
    """The arguments in the order of the parameters, each of its kind; LC103 otherwise."""
    function, values = call.function, call.values
    parameters = function.parameters
    if len(values) > len(parameters) and not (parameters and parameters[-1].many):
        counts = f"takes {len(parameters)} argument(s), {len(values)} were given"
        raise context.fail("LC103", f"{function.signature} {counts}", call.node)

    def one(parameter: Parameter, value: Any, node: nodes.Expression) -> Any:
        return context.apply(coerce, node, (), (value, parameter.kind, function.name, parameter.name))

    last = len(parameters) - 1
    arguments = [one(parameters[min(i, last)], value, call.operands[i]) for i, value in enumerate(values)]
    left = len(call.keywords)
    for i, parameter in enumerate(parameters[len(values) :], len(values)):
        if parameter.name in call.keywords:
            left -= 1
            arguments.append(one(parameter, call.keywords[parameter.name], call.node))
        elif not parameter.optional:
            raise context.fail("LC103", f"{function.signature} needs {parameter.name}", call.node)
        elif left:
            # A keyword follows: what is left out before it has its default.
            arguments.append(function.default(i))
        else:
            break
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


def at_mode(context: Context, call: Application, path: tuple[int, ...]) -> Any:
    """Apply a function to the mode of the first argument at ``path``; the other modes stay."""
    name, node = call.function.name, call.node
    layout = call.values[0] if call.values else None
    if not isinstance(layout, Layout):
        raise context.fail("LC103", f"{name}[...] takes a layout first, not {a_kind(layout)}", node)
    if any(type(i) is not int for i in path):
        raise context.fail("LC103", "the mode in brackets is an integer", node)

    def replaced(part: Layout, rest: tuple[int, ...]) -> Layout:
        if not rest:
            result = apply(context, call._replace(values=(part, *call.values[1:])))
            if not isinstance(result, Layout):
                message = f"{name}[...] wants a layout for the mode, {name} gives {a_kind(result)}"
                raise context.fail("LC103", message, node)
            return result
        count = part.rank
        if not isinstance(part.shape, tuple) or not -count <= rest[0] < count:
            raise context.fail("LC103", f"{part} has no mode {rest[0]}", call.operands[0])
        modes = list(part.modes())
        at = rest[0] % count
        modes[at] = replaced(modes[at], rest[1:])
        shape, stride = tuple(m.shape for m in modes), tuple(m.stride for m in modes)
        return context.apply(Layout, node, (node, node), (shape, stride))  # type: ignore[no-any-return]

    return replaced(layout, path)
