"""What the names of a file denote: frames of its blocks, with parameters bound or not, and values found on demand.

A frame is a block at certain arguments: a struct with its template arguments, a function with those of a call. What
nobody says stays a symbol if it is a number, and is lacking otherwise; each outcome names what it still needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from laycalc.algebra.base.record import Record
from laycalc.diagnostics.model import Diagnostic, Failure, Label

from ..forms.dialects.around import Declared, Entity, Lacking, Names
from ..forms.dialects.kinds import RunTime, is_run_time
from ..forms.dialects.settle import settled
from ..language.functions import find as find_function
from ..run.context import Unbound
from ..run.evaluator import CONSTANTS, Evaluator
from ..run.scope import Deferred, Scope, Settings
from ..run.unknowns import investigate
from ..syntax import nodes
from ..syntax.nodes import Expression, Span
from .definitions import Block, Condition, Definition, Extent, Parameter, Unread
from .literals import PLAIN, free_names, literal

__all__ = ["Frame", "Needs", "Outcome", "SourceFile", "Step", "Symbols"]

CHAIN = 48
"""Definitions that wait for one another."""
WORK = 200_000
"""Definitions that are evaluated for a file, in all frames."""
_INDEX = re.compile(
    r"(?:threadIdx|blockIdx)\.[xyz]|thread_idx|thr_idx|tidx?|thread_id|(?:lane|warp|warp_group|warpgroup)_(?:thread_)?idx?"
)
"""Indices that are taken for 0 where nobody says another number: the first thread of the first block."""
SEARCHES = 100
"""Expressions with unknown numbers that are explored over all values."""


class SourceFile(Protocol):
    """A file with its blocks, and a reader of its expressions."""

    text: str
    root: Block
    includes: list[str]
    unread: list[Unread]

    def expression(self, extent: Extent, names: Names) -> Expression:
        """The tree of an expression of the file."""

    def foreign(self, text: str, names: Names) -> Expression:
        """The tree of an expression in the language of the file."""

    def module(self, name: str) -> list[str] | None:
        """The path that an import gives a name."""


class Outcome(Record):
    """What a definition came to: a node to stand for it, its value, or why it has none; ``needs`` are the names that
    nobody bound and that it depends on.
    """

    node: Expression | None = None
    value: Any = None
    failure: Diagnostic | None = None
    needs: frozenset[str] = frozenset()
    warnings: tuple[Diagnostic, ...] = ()
    report: Any = None
    finding: Diagnostic | None = None
    assumed: frozenset[str] = frozenset()
    """What was taken for known, in words: ``threadIdx.x = 0``."""
    defaults: bool = False
    """Does it depend on a parameter that has its default because nobody gave an argument?"""
    question: Any = None
    """Tree, text and error of an expression with unknown numbers that nobody explored yet."""


class Needs:
    """The names that an expression lacks on its way, and what it takes for known."""

    __slots__ = ("assumed", "defaults", "names")

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.assumed: set[str] = set()
        self.defaults = False

    def add(self, name: str) -> None:
        """One more name that nobody bound."""
        self.names.add(name)

    def frozen(self) -> frozenset[str]:
        """The names as they are now."""
        return frozenset(self.names)

    def learn(self, found: Outcome | Needs, name: str = "") -> None:
        """What another expression needs, and ``name`` if that is nothing."""
        names = found.needs if isinstance(found, Outcome) else found.names
        self.names |= names or ({name} if name else set())
        self.assumed |= found.assumed
        self.defaults |= found.defaults


class Step(NamedTuple):
    """An operation on numbers and what it came to."""

    symbol: str
    left: Expression
    right: Expression
    result: Expression


class Frame:
    """A block at certain arguments; ``explicit`` if somebody gave them."""

    __slots__ = ("block", "bound", "explicit", "file", "outcomes", "outer")

    def __init__(self, block: Block, file: SourceFile, outer: Frame | None, bound: Mapping[str, Expression]) -> None:
        self.block = block
        self.file = file
        self.outer = outer
        self.bound = bound
        self.explicit: bool = bool(bound) or (outer is not None and outer.explicit)
        self.outcomes: dict[int, Outcome] = {}


class Symbols:
    """The names of the files of a scan. ``given`` are the texts of the names that are bound from outside."""

    def __init__(self, files: Mapping[str, SourceFile], given: Mapping[str, str], verify: int = 256) -> None:
        self.files = files
        self.given = given
        self._given: dict[str, Expression] = {}
        self.used: set[str] = set()
        """The names of ``given`` that something asked for."""
        self.scope = Scope(Settings(verify=verify))
        self.numbers: set[str] = set()
        self.broken: dict[str, str] = {}
        """Why a name that others need has no value, where that is not for want of other names."""
        self.written: dict[str, Expression] = {}
        """The expressions of the values that the scope keeps."""
        self._roots = {id(file): Frame(file.root, file, None, {}) for file in files.values()}
        self._frames: dict[Any, Frame] = {}
        self._open: list[Any] = []
        self._work = 0
        self._searches = 0

    # ---- frames ----

    def root(self, file: SourceFile) -> Frame:
        """The frame of a file."""
        return self._roots[id(file)]

    def frame(self, block: Block, outer: Frame, bound: Mapping[str, Expression]) -> Frame:
        """The frame of a block at arguments, the same one each time."""
        key = (id(block), id(outer), tuple(bound.items()))
        if key not in self._frames:
            if len(self._frames) > WORK:
                raise Failure(Diagnostic("LC104", "the file has too many template instances"))
            self._frames[key] = Frame(block, outer.file, outer, bound)
        return self._frames[key]

    # ---- names ----

    def lookup(self, frame: Frame, name: str, at: int, needs: Needs, span: Span) -> Expression | None:
        """What stands for a name at a place of a frame."""
        here: Frame | None = frame
        while here is not None:
            found = self.local(here, name, at, needs, span)
            if found is not None:
                return found
            at = here.block.extent.start
            here = here.outer
        return self._elsewhere(frame, name, needs, span)

    def local(self, frame: Frame, name: str, at: int, needs: Needs, span: Span) -> Expression | None:
        """What a name stands for in one frame alone."""
        block = frame.block
        if (outside := self._named_outside(frame, name)) is not None:
            return outside.replace(span=span)
        # A function may bind its parameter anew.
        ways = (self._defined, self._bound) if block.kind == "function" else (self._bound, self._defined)
        for way in ways:
            found = way(frame, name, at, needs, span)
            if found is not None:
                return found
        own = name.removeprefix("self.") if block.kind == "class" else name
        if own in block.blocks:
            return Declared(span, Declaration(self, frame, own))
        return self._inherited(frame, name, needs, span)

    def member(self, frame: Frame, name: str, span: Span) -> Expression | None:
        """What a struct calls by a name; what is lacking says what it waits for."""
        needs = Needs()
        found = self.local(frame, name, len(frame.file.text), needs, span)
        return found.replace(needs=frozenset(needs.names)) if isinstance(found, Lacking) else found

    def _named_outside(self, frame: Frame, name: str) -> Expression | None:
        """What -D binds a name of a block to, unless the block stands at arguments."""
        block = frame.block
        if frame.explicit or not (_parameter(block, name) or name in block.definitions or not frame.outer):
            return None
        return self._from_outside(name)

    def _defined(self, frame: Frame, name: str, at: int, needs: Needs, span: Span) -> Expression | None:
        return self._chosen(frame, name, at, needs, span) if name in frame.block.definitions else None

    def _bound(self, frame: Frame, name: str, at: int, needs: Needs, span: Span) -> Expression | None:
        """A name that arguments bind in a frame, or that is a parameter of its block."""
        block = frame.block
        if name in frame.bound and block.kind != "class":
            return frame.bound[name]
        parameter = _parameter(block, name)
        if parameter is None:
            return None
        if block.name == "__init__" and frame.outer is not None and name in frame.outer.bound:
            return frame.outer.bound[name]
        return self._unbound(frame, parameter, needs, span)

    def _from_outside(self, name: str) -> Expression | None:
        """The node of a name that is bound from outside, read in the file that knows its words."""
        name = name if name in self.given else name.removeprefix("self.")
        if name not in self.given:
            return None
        self.used.add(name)
        if name not in self._given:
            found = [self.ask(root, self.given[name], len(root.file.text)) for root in self._roots.values()]
            good = next((outcome for outcome in found if outcome.node is not None and not outcome.needs), None)
            if good is None or good.node is None:
                failure = found[0].failure or Diagnostic("LC103", f"-D {name}: {self.given[name]} is no value")
                raise Failure(failure.replace(code="LC103"))
            self._given[name] = good.node
        return self._given[name]

    def structs_given(self) -> Iterator[tuple[str, Declared]]:
        """The names from outside that stand for structs, as far as something asked for them."""
        for name, node in self._given.items():
            if isinstance(node, Declared):
                yield name, node

    def _elsewhere(self, frame: Frame, name: str, needs: Needs, span: Span) -> Expression | None:
        """A name of another namespace of the file, or of a file that it includes."""
        for root in self._visible(frame.file):
            for inside in (root, *self._namespaces(root)):
                if inside is not frame and (name in inside.block.definitions or name in inside.block.blocks):
                    found = self.local(inside, name, len(inside.file.text), needs, span)
                    if found is not None:
                        return found
        return None

    def _visible(self, file: SourceFile) -> Iterator[Frame]:
        """The frames of a file and of those that it includes and that are given."""
        waiting, seen = [file], {id(file)}
        while waiting:
            file = waiting.pop(0)
            yield self.root(file)
            for path in file.includes:
                for name, other in self.files.items():
                    if id(other) not in seen and f"/{name}".endswith("/" + path.removeprefix("./").lstrip("./")):
                        seen.add(id(other))
                        waiting.append(other)

    def namesake(self, frame: Frame, name: str, span: Span) -> Expression | None:
        """What a namespace of the same name calls so in another file."""
        for root in self._visible(frame.file):
            for other in self._namespaces(root):
                if other is not frame and other.block.path == frame.block.path:
                    found = self.member(other, name, span)
                    if found is not None:
                        return found
        return None

    def _namespaces(self, frame: Frame) -> Iterator[Frame]:
        for blocks in frame.block.blocks.values():
            for block in blocks:
                if block.kind == "namespace":
                    inner = self.frame(block, frame, {})
                    yield inner
                    yield from self._namespaces(inner)

    def _unbound(self, frame: Frame, parameter: Parameter, needs: Needs, span: Span) -> Expression:
        """A parameter that nobody binds: its default, a symbol if it is a number, else what its type says."""
        if parameter.default is not None and not parameter.many:
            found = self.evaluate(frame, parameter.default)
            needs.learn(found)
            needs.defaults = True
            if found.node is not None:
                return found.node
        if parameter.kind == "number":
            return first_thread(parameter.name, needs, span) or self.symbol(parameter.name, needs, span)
        if parameter.kind == "value" and parameter.type is not None:
            found = self.evaluate(frame, parameter.type)
            if found.value is not None and found.node is not None:
                return found.node
        needs.add(parameter.name)
        return Lacking(span, parameter.name)

    def symbol(self, name: str, needs: Needs, span: Span) -> Expression:
        """An unknown number."""
        needs.add(name)
        self.numbers.add(name)
        return nodes.Name(span, name)

    def _chosen(self, frame: Frame, name: str, at: int, needs: Needs, span: Span) -> Expression | None:
        """The definition of a name that counts at a place."""
        in_function = frame.block.kind == "function"
        for definition in reversed(frame.block.definitions[name]):
            reach = definition.reach
            if in_function and not (reach.start <= at <= reach.end and definition.text.end <= at):
                continue
            unknown = Needs()
            holds = self.holds(self.home(frame, definition), definition.when, unknown, at)
            if holds is None:
                needs.learn(unknown, name)
                return Lacking(span, name)
            if holds:
                found = self._stands_for(frame, definition, needs, span)
                if not (isinstance(found, nodes.Wildcard) and name.startswith("self.")):
                    return found
        return None

    def home(self, frame: Frame, definition: Definition) -> Frame:
        """The frame whose names a definition sees: that of a method, for what it sets of its object."""
        return frame if definition.within is None else self._below(frame, definition.within)

    def _below(self, frame: Frame, block: Block) -> Frame:
        if block is frame.block or block.parent is None:
            return frame
        return self.frame(block, self._below(frame, block.parent), {})

    def _stands_for(self, frame: Frame, definition: Definition, needs: Needs, span: Span) -> Expression:
        if definition.changes or definition.text.start == definition.text.end:
            if definition.kind == "number":
                return self.symbol(definition.name, needs, span)
            needs.add(definition.name)
            return Lacking(span, definition.name)
        found = self.outcome(frame, definition)
        if found.node is not None:
            needs.learn(found)
            # The places of what goes wrong with it are where it is used.
            told = found.value is not None and found.report is None and not is_run_time(found.node)
            return (literal(found.value, span) if told else None) or found.node
        if found.failure is not None and not found.needs:
            self.broken.setdefault(definition.name, found.failure.message)
        needs.learn(found, definition.name)
        return Lacking(span, definition.name)

    def _inherited(self, frame: Frame, name: str, needs: Needs, span: Span) -> Expression | None:
        for base in frame.block.bases:
            found = self.evaluate(frame, base)
            if isinstance(found.node, Declared):
                member = found.node.entity.member(name, span)
                if member is not None:
                    return member
        return None

    def holds(self, frame: Frame, conditions: Sequence[Condition], needs: Needs, at: int) -> bool | None:
        """Do all conditions on the way to a definition hold? None if nobody knows, and what that needs.

        Who asks from inside the branch takes it that its condition holds, unless it is known not to.
        """
        known: bool | None = True
        for condition in conditions:
            found = self.evaluate(frame, condition.text)
            if isinstance(found.node, (nodes.Truth, nodes.Integer)):
                if bool(found.node.value) is not condition.truth:
                    return False
            elif not condition.branch.start <= at <= condition.branch.end:
                needs.learn(found)
                known = None
        return known

    # ---- values ----

    def outcome(self, frame: Frame, definition: Definition) -> Outcome:
        """What a definition comes to in a frame."""
        key = id(definition)
        if key not in frame.outcomes:
            frame.outcomes[key] = self.evaluate(self.home(frame, definition), definition.text, definition.entry)
        return frame.outcomes[key]

    def evaluate(self, frame: Frame, extent: Extent, entry: int | None = None) -> Outcome:
        """What an expression of a file comes to in a frame."""
        key = (id(frame), extent)
        self._work += 1
        if key in self._open:
            return self._refused(frame, extent, "LC103", "it is defined by itself")
        if len(self._open) >= CHAIN or self._work > WORK:
            return self._refused(frame, extent, "LC104", "too many definitions wait for one another")
        self._open.append(key)
        around = Surroundings(self, frame, extent.start)
        try:
            node = frame.file.expression(extent, around)
            found = around.settle(node if entry is None else _entry(node, entry))
            if around.needs.assumed or around.needs.defaults:
                found = found.replace(assumed=frozenset(around.needs.assumed), defaults=around.needs.defaults)
            return found
        except Failure as failure:
            return Outcome(
                failure=failure.diagnostic, needs=frozenset(around.needs.names), warnings=tuple(around.warnings)
            )
        except RecursionError:
            return self._refused(frame, extent, "LC104", "the expression is nested too deeply")
        finally:
            self._open.pop()

    def ask(self, frame: Frame, text: str, at: int) -> Outcome:
        """What an expression that stands in no file comes to in a frame."""
        around = Surroundings(self, frame, at, text)
        try:
            return around.settle(frame.file.foreign(text, around))
        except Failure as failure:
            return Outcome(failure=failure.diagnostic, needs=frozenset(around.needs.names))

    def wanted(self, needs: Iterable[str]) -> str:
        """What an expression needs, in words, with the reason of a name that was not read."""
        names = sorted(needs)
        reasons = [f"{name}: {self.broken[name]}" for name in names if name in self.broken]
        return f"needs {', '.join(names)}" + (f" ({reasons[0]})" if reasons else "")

    def explained(self, frame: Frame, definition: Definition) -> tuple[Expression | None, list[Step]]:
        """The tree of an expression and the operations on the way to its value."""
        around = Surroundings(self, frame, definition.text.start)
        try:
            return frame.file.expression(definition.text, around), around.steps
        except Failure:
            return None, around.steps

    def instances(self) -> list[Frame]:
        """The frames with arguments that somebody asked for."""
        return [frame for frame in self._frames.values() if frame.explicit]

    def frames_below(self, frame: Frame) -> Iterator[Frame]:
        """A frame and those of the blocks in it, with their parameters unbound."""
        yield frame
        for block in frame.block.inner():
            if block.kind != "alias" and block.patterns is None:
                yield from self.frames_below(self.frame(block, frame, {}))

    def _refused(self, frame: Frame, extent: Extent, code: str, message: str) -> Outcome:
        return Outcome(failure=Diagnostic(code, message, frame.file.text, (Label(*extent),)))

    def keep(self, value: Any, node: Expression) -> str:
        """A name in the scope for a value that has no literal; ``node`` is the expression that it comes from."""
        name = f"#{len(self.scope.names)}"
        self.scope.names[name] = value
        self.written[name] = node
        return name

    def open(self, node: Expression, text: str, unbound: Unbound, needs: Needs) -> Outcome:
        """An expression with unknown numbers, which stands for itself; `explored` finds out more."""
        kept = node
        if not isinstance(node, nodes.Name):
            kept = nodes.Name(node.span, self.keep(Deferred(node, text, self.scope), node))
        return Outcome(kept, None, None, needs.frozen(), question=(node, text, unbound))

    def explored(self, outcome: Outcome) -> Outcome:
        """An expression with unknown numbers, over all their values."""
        if outcome.question is None or isinstance(outcome.question[0], nodes.Name):
            return outcome
        node, text, unbound = outcome.question
        self._searches += 1
        if self._searches > SEARCHES:
            failure = Diagnostic("LC104", "too many expressions with unknown numbers", text, (Label(*node.span),))
            return outcome.replace(failure=failure)
        found = investigate(node, text, self.scope, unbound)
        if found.error is not None:
            return outcome.replace(failure=found.error)
        if found.report is None or found.report.value is None:
            failure = found.finding or Diagnostic("LC106", "", text, (Label(*node.span),))
            return outcome.replace(failure=failure.replace(code="LC106") if failure.code == "LC504" else failure)
        return outcome.replace(
            value=found.report, warnings=found.warnings, report=found.report, finding=found.finding
        )  # fmt: skip


def first_thread(name: str, needs: Needs, span: Span) -> Expression | None:
    """0 for the index of a thread or block, which the first one stands for; None for another name."""
    if not _INDEX.fullmatch(name):
        return None
    needs.assumed.add(f"{name} = 0")
    return nodes.Integer(span, 0)


class Surroundings(Names):
    """The names around one expression, and what was needed and drawn while it was evaluated."""

    in_file = True

    def __init__(self, symbols: Symbols, frame: Frame, at: int, text: str | None = None) -> None:
        self.symbols = symbols
        self.frame = frame
        self.at = at
        self.text = frame.file.text if text is None else text
        self.needs = Needs()
        self.steps: list[Step] = []
        """The operations on numbers, in their order."""
        self.warnings: list[Diagnostic] = []

    def find(self, name: str, span: Span) -> Expression | None:
        found = self.symbols.lookup(self.frame, name, self.at, self.needs, span)
        return first_thread(name, self.needs, span) if found is None else found

    def module(self, name: str) -> list[str] | None:
        return self.frame.file.module(name)

    def written(self, node: Expression) -> Expression:
        return self.symbols.written.get(node.name, node) if isinstance(node, nodes.Name) else node

    def computed(self, node: Expression) -> Expression:
        """The literal of an expression whose names are all known; a value without one gets a name."""
        if not isinstance(node, (nodes.Call, nodes.Binary, nodes.Index, nodes.Attribute, nodes.Unary, nodes.Paren)):
            return node
        if any(not self._is_known(name) for name in free_names(node)):
            return node
        try:
            value = self._value(settled(self.text, node))
        except Unbound:
            return node
        return literal(value, node.span) or nodes.Name(node.span, self.symbols.keep(value, node))

    def settle(self, node: Expression) -> Outcome:
        """What an expression comes to."""
        text, symbols = self.text, self.symbols
        if isinstance(node, Lacking):
            return Outcome(failure=Diagnostic("LC106", f"needs {node.name}", text), needs=frozenset(self.needs.names))
        if isinstance(node, PLAIN):
            value = getattr(node, "value", None) if isinstance(node, (nodes.Integer, nodes.Truth)) else None
            return Outcome(node, self._value(node) if isinstance(node, nodes.Swizzle) else value, None, self._needs())
        if isinstance(node, nodes.Tuple) and not all(map(_is_number, node.items)):
            return self._several(node)
        written, node = node, settled(text, node)
        missing = [name for name in free_names(node) if not self._is_known(name) and name not in symbols.numbers]
        if missing:
            self.needs.names.update(missing)
            return Outcome(failure=Diagnostic("LC106", f"needs {missing[0]}", text), needs=self._needs())
        try:
            value = self._value(node)
        except Unbound as unbound:
            return symbols.open(node, text, unbound, self.needs)
        found = written if is_run_time(written) else literal(value, node.span)
        found = found or nodes.Name(node.span, symbols.keep(value, node))
        return Outcome(found, value, None, self._needs(), tuple(self.warnings))

    def _several(self, node: nodes.Tuple) -> Outcome:
        """A tuple of layouts, tensors and the like, each for itself: several results."""
        found = [self.settle(item) for item in node.items]
        failed = next((outcome for outcome in found if outcome.node is None), None)
        if failed is not None:
            return failed
        items = tuple(outcome.node for outcome in found if outcome.node is not None)
        return Outcome(node.replace(items=items), None, None, self._needs())

    def function_at(self, start: int) -> tuple[Expression, int] | None:
        frame: Frame | None = self.frame
        while frame is not None:
            for block in frame.block.blocks.get("", ()):
                if block.extent.start == start and block.kind == "function":
                    only = Declaration(self.symbols, frame, "", within=block)
                    return Declared(Span(*block.extent), only), block.extent.end
            frame = frame.outer
        return None

    def is_number(self, name: str) -> bool:
        return name in self.symbols.numbers

    def assume(self, words: str) -> None:
        self.needs.assumed.add(words)

    @contextmanager
    def in_vain(self) -> Iterator[None]:
        before = set(self.needs.names)
        try:
            yield
        finally:
            self.needs.names = before

    def lacks(self, node: Expression) -> None:
        if isinstance(node, Lacking):
            self.needs.names |= node.needs or {node.name}

    def met(self, symbol: str, left: Expression, right: Expression, result: Expression) -> None:
        self.steps.append(Step(symbol, left, right, result))

    def _needs(self) -> frozenset[str]:
        return frozenset(self.needs.names)

    def _value(self, node: Expression) -> Any:
        evaluator = Evaluator(self.text, self.symbols.scope)
        value = evaluator.value(node)
        self.warnings += evaluator.warnings
        return value

    def _is_known(self, name: str) -> bool:
        return name in self.symbols.scope.names or name in CONSTANTS or find_function(name) is not None


class Declaration(Entity):
    """The structs, functions or alias templates of a name in a frame, perhaps with template arguments."""

    def __init__(
        self,
        symbols: Symbols,
        frame: Frame,
        name: str,
        arguments: tuple[Expression, ...] | None = None,
        within: Block | None = None,
    ) -> None:
        self.symbols = symbols
        self._only = within
        self.frame = frame
        self.name = name
        self.arguments = arguments

    @property
    def blocks(self) -> list[Block]:
        """All blocks of the name: a template and its specialisations, overloads."""
        return self.frame.block.blocks[self.name] if self._only is None else [self._only]

    @property
    def is_namespace(self) -> bool:
        return all(block.kind == "namespace" for block in self.blocks)

    @property
    def takes_template(self) -> bool:
        return self.arguments is None and any(block.template is not None for block in self.blocks)

    def of(self, arguments: Sequence[Any], span: Span) -> Expression:
        found = Declaration(self.symbols, self.frame, self.name, tuple(arguments))
        block = self.blocks[0]
        if block.kind != "alias":
            return Declared(span, found)
        frame = self.symbols.frame(block, self.frame, found.bound(block))
        outcome = self.symbols.outcome(frame, block.definitions[""][0])
        return outcome.node or Lacking(span, self.name)

    def bound(self, block: Block) -> dict[str, Expression]:
        """The template parameters of a block with their arguments."""
        bound: dict[str, Expression] = {}
        arguments = list(self.arguments or ())
        for parameter in block.template or ():
            if parameter.many:
                bound[parameter.name] = nodes.Tuple(Span(0, 0), tuple(arguments))
                break
            if arguments:
                bound[parameter.name] = arguments.pop(0)
        return bound

    def inside(self) -> Frame:
        """The frame of the struct or namespace."""
        block, bound = self._specialised()
        return self.symbols.frame(block, self.frame, bound)

    def _specialised(self) -> tuple[Block, dict[str, Expression]]:
        """The specialisation that the arguments are for, or the template itself."""
        primary = next((block for block in self.blocks if block.patterns is None), self.blocks[0])
        if self.arguments is not None:
            for block in self.blocks:
                if block.patterns is not None and (bound := self._matched(block)) is not None:
                    return block, bound
        return primary, self.bound(primary)

    def _matched(self, block: Block) -> dict[str, Expression] | None:
        """The parameters of a specialisation at the arguments, None if it is for others."""
        bound: dict[str, Expression] = {}
        free = {parameter.name for parameter in block.template or ()}
        patterns, arguments = block.patterns or (), self.arguments or ()
        if len(patterns) != len(arguments):
            return None
        for pattern, argument in zip(patterns, arguments, strict=True):
            written = self.frame.file.text[pattern.start : pattern.end].strip()
            if written in free:
                if bound.setdefault(written, argument) != argument:
                    return None
            elif self.symbols.evaluate(self.frame, pattern).node != argument:
                return None
        return bound

    def member(self, name: str, span: Span) -> Expression | None:
        frame = self.inside()
        if frame.block.kind == "function":
            return None
        found = self.symbols.member(frame, name, span)
        return self.symbols.namesake(frame, name, span) if found is None and self.is_namespace else found

    def called(self, arguments: Sequence[Any], span: Span) -> Expression:
        for block in self.blocks:
            if block.kind == "function" and len(block.parameters) >= len(arguments):
                bound = {**self.bound(block), **_at_run_time(block, _given(block.parameters, arguments))}
                found = self._returned(self.symbols.frame(block, self.frame, bound), span)
                if found is not None:
                    return found
            if block.kind == "class":
                return Declared(span, Constructed(self, block, arguments))
        return Declared(span, self) if not arguments else Lacking(span, self.name)

    def _returned(self, frame: Frame, span: Span) -> Expression | None:
        """What a function returns at its arguments; None if it is not known which of its returns does it."""
        for definition in frame.block.definitions.get("", ()):
            if definition.kind != "return":
                continue
            holds = self.symbols.holds(frame, definition.when, Needs(), -1)
            if holds is None:
                return None
            if holds:
                outcome = self.symbols.outcome(frame, definition)
                if outcome.failure is not None and not outcome.needs:
                    raise Failure(outcome.failure)
                return outcome.node or Lacking(span, self.name, outcome.needs)
        return None


class Constructed(Entity):
    """An object of a class of Python, made with these arguments."""

    def __init__(self, declaration: Declaration, block: Block, arguments: Sequence[Any]) -> None:
        self.declaration = declaration
        self.block = block
        made = block.blocks.get("__init__")
        self.bound = _given(made[0].parameters, arguments) if made else {}

    @property
    def is_namespace(self) -> bool:
        return False

    @property
    def takes_template(self) -> bool:
        return False

    @property
    def blocks(self) -> list[Block]:
        """The class."""
        return [self.block]

    def inside(self) -> Frame:
        """The frame of the object."""
        return self.declaration.symbols.frame(self.block, self.declaration.frame, self.bound)

    def of(self, arguments: Sequence[Any], span: Span) -> Expression:
        return Lacking(span, self.block.name)

    def member(self, name: str, span: Span) -> Expression | None:
        frame = self.inside()
        return self.declaration.symbols.member(frame, f"self.{name}", span)

    def called(self, arguments: Sequence[Any], span: Span) -> Expression:
        return Lacking(span, self.block.name)


def _parameter(block: Block, name: str) -> Parameter | None:
    """The parameter of a template or function by its name."""
    return next((p for p in (*(block.template or ()), *block.parameters) if p.name == name), None)


def _given(parameters: Sequence[Parameter], arguments: Sequence[Any]) -> dict[str, Expression]:
    """The parameters of a function with the arguments of a call, by position and by keyword."""
    places = iter(parameters)
    found: dict[str, Expression] = {}
    for argument in arguments:
        name = argument.name or getattr(next(places, None), "name", "")
        found[name] = argument.value
    return found


def _at_run_time(block: Block, given: dict[str, Expression]) -> dict[str, Expression]:
    """The arguments as a function has them: one for an ``int`` is known when it runs, whatever the caller wrote."""
    numbers = {parameter.name for parameter in block.parameters if parameter.kind == "number"}
    return {
        name: RunTime(node.span, node.value, name) if name in numbers and isinstance(node, nodes.Integer) else node
        for name, node in given.items()
    }


def _entry(node: Expression, entry: int) -> Expression:
    """An entry of a tuple that is written out, or of what will be one."""
    if isinstance(node, nodes.Tuple) and entry < len(node.items):
        return node.items[entry]
    return nodes.Index(node.span, node, (nodes.Integer(node.span, entry),))


def _is_number(node: Expression) -> bool:
    """May an entry of a tuple stay in it: a number, a free mode, a tuple of such?"""
    if isinstance(node, (nodes.Tuple, nodes.Paren)):
        return all(map(_is_number, node.items if isinstance(node, nodes.Tuple) else (node.item,)))
    numbers = (nodes.Integer, nodes.Wildcard, nodes.Coordinate, nodes.Unary, nodes.Truth)
    return isinstance(node, numbers) or (isinstance(node, nodes.Name) and not node.name.startswith("#"))
