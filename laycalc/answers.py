"""What the commands answer, as functions: each gives the data, its text, and the object that ``--json`` writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import prod
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from laycalc.algebra.base.above import Pictured
from laycalc.algebra.base.errors import refuse
from laycalc.algebra.base.record import Value
from laycalc.algebra.categories.diagnosis import Why
from laycalc.algebra.finding.fit import Fit
from laycalc.algebra.questions.analysis import Analysis
from laycalc.algebra.values.htuple import format_htuple, plain, told
from laycalc.algebra.values.lifting import Lifted
from laycalc.algebra.values.tiler import Tiler
from laycalc.atoms.instructions.record import Atom
from laycalc.atoms.memory.patterns import Survey
from laycalc.atoms.memory.vector import Vector
from laycalc.diagnostics.report import Finding
from laycalc.grammar.explain.derivation import Derivation
from laycalc.grammar.language.coerce import coerce
from laycalc.grammar.language.values import Text, kind_of, text_of
from laycalc.render.kinds.difference import Difference

__all__ = [
    *("Answer", "banks", "check", "design_task", "diff", "explain", "fit"),
    *("info", "read", "scan", "vector", "why", "write"),
]

if TYPE_CHECKING:
    from laycalc.cli.checks.kernels import Case

T = TypeVar("T")


class Answer(Generic[T]):
    """What a command answers: ``data``, ``str`` the text for people, `to_dict` what ``--json`` writes.

    The attributes of the data are those of the answer.
    """

    __slots__ = ("_object", "_text", "data")
    data: T

    def __init__(self, data: T, text: Callable[[], str], plain: Callable[[], dict[str, Any]]) -> None:
        self.data = data
        self._text = text
        self._object = plain

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.data, name)

    def __str__(self) -> str:
        return self._text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """The object of ``--json``."""
        return {"schema": 1} | self._object()


def _layout(given: Any, op: str, name: str = "L") -> Any:
    """A layout, or the one that a text denotes."""
    return coerce(told(given), "any-layout", op, name)


def info(L: Lifted | str, *, limit: int = 1 << 20) -> Answer[Analysis]:
    """Everything about one layout; up to ``limit`` values are listed, beyond it is what the strides decide.

    >>> info("(4,8):(1,5)").cosize
    39
    """
    from laycalc.algebra.questions.analysis import analyse
    from laycalc.render.reports.analysis import analysis_lines, analysis_object, tractable_of

    layout = _layout(L, "info")
    found, tractable = analyse(layout, _count(limit, "limit")), tractable_of(layout)
    return Answer(
        found,
        lambda: "\n".join(analysis_lines(found, tractable)),
        lambda: analysis_object(found) | {"tractable": tractable},
    )


def explain(text: str) -> Answer[tuple[Derivation, ...]]:
    """The derivation of each statement of a text, step by step; a failing one shows how far it got.

    >>> print(explain("size((4,8):(1,4))"))
    size((4,8):(1,4)) = 32
      size((4,8):(1,4)) = 32
    """
    from laycalc.grammar.explain.derivation import derive
    from laycalc.render.reports.derivation import derivation_object, derivation_text

    found = tuple(derive(_text(text, "explain")))
    return Answer(
        found,
        lambda: "\n".join(derivation_text(d) if d.error is None else str(d.error) for d in found),
        lambda: {"derivations": [derivation_object(d) for d in found]},
    )


def why(A: Lifted | str, B: Lifted | Tiler | int | tuple[Any, ...] | str) -> Answer[Why]:
    """How far the composition A o B gets, on five levels, and what stops it.

    >>> why("(4,3):(1,5)", "3:2").level
    5
    """
    from laycalc.algebra.categories.why import why as asked

    outer, inner = coerce(told(A), "layout", "why", "A"), coerce(told(B), "operand", "why", "B")
    found = asked(outer, inner)
    return Answer(found, lambda: str(found), found.as_json)


def banks(
    L: Lifted | str,
    *,
    bits: int = 32,
    vector: int | None = None,
    lanes: str | Sequence[str] = "row",
    threads: int | None = None,
    store: bool = False,
    arch: str | None = None,
    suggest: bool = False,
) -> Answer[Survey]:
    """The bank conflicts of warps that read (or store) a layout in shared memory, in one or several ways of ``lanes``.

    A way is row, column, ldmatrix, stmatrix, tv, or in words: "write: row, 16 B". ``suggest`` searches the swizzle and
    the padding that free all, or help most; ``arch`` is the machine, such as sm90 or gfx942.

    >>> banks("(32,32):(32,1)", lanes="column").wavefronts
    1024
    """
    from laycalc.atoms.accesses.asked import ask
    from laycalc.render.reports.banks import banks_lines, banks_object

    layout = _layout(L, "banks")
    given = {"vector": vector, "threads": threads, "store": store}
    options = {name: one for name, one in given.items() if one}
    orders = [lanes] if isinstance(lanes, str) else list(lanes)
    found = ask(layout, orders, _count(bits, "bits"), options, told, arch or "", suggest)
    return Answer(found.survey, lambda: "\n".join(banks_lines(found)), lambda: banks_object(found))


def vector(
    A: Lifted | str, B: Lifted | str, *, bits: int = 32, width: int = 128, pointer: int | None = None
) -> Answer[Vector]:
    """The widest vector that moves elements from A to B, and why it is no wider.

    >>> vector("(4,8):(1,4)", "(4,8):(1,6)", bits=16).bits
    32
    """
    from laycalc.atoms.memory.vector import widest_vector
    from laycalc.cli.streams.found import vector_text

    numbers = _count(bits, "bits"), _count(width, "width"), None if pointer is None else _count(pointer, "pointer")
    found = widest_vector(_layout(A, "vector", "A"), _layout(B, "vector", "B"), *numbers)
    return Answer(found, lambda: vector_text(found), found.as_dict)


def fit(values: Any, shape: Sequence[int] | None = None) -> Answer[Fit]:
    """The smallest layout with these values, else a swizzle of one, else XOR strides.

    ``values`` is a list in order of the index over the box ``shape``, or an array, or nested lists, whose axes are the
    modes; None is a hole.

    >>> fit([[0, 1], [2, 3], [4, 5]]).value
    Layout('(3,2):(2,1)')
    """
    from laycalc.algebra.finding.fit import fit as fitted
    from laycalc.cli.streams.found import fit_object, fit_text

    listed = plain(values)
    if not isinstance(listed, tuple):
        raise refuse("LC103", "fit takes a list of values, not {value}", op="fit", value=format_htuple(listed))
    box, flat = _table(listed)
    if shape is not None:
        extents = coerce(plain(shape), "shape", "fit", "shape")
        box = extents if isinstance(extents, tuple) else (extents,)
    if prod(box) != len(flat):
        said = {"count": len(flat), "box": format_htuple(box)}
        raise refuse("LC103", "{count} values do not fill the box {box}", op="fit", **said)
    found = fitted(flat, box)
    return Answer(found, lambda: fit_text(found), lambda: {"ok": found.value is not None} | fit_object(found))


def _table(values: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The box of nested tuples, and their values with the first axis fastest; LC103 if they are no box."""
    if not isinstance(values, tuple):
        if values is not None and type(values) is not int:
            raise refuse("LC103", "fit takes whole numbers, not {value}", op="fit", value=format_htuple(values))
        return (), [values]
    inner = [_table(v) for v in values]
    if len({box for box, _ in inner}) > 1:
        raise refuse("LC103", "fit takes a list or a full box of values", op="fit")
    columns = [flat for _, flat in inner]
    return (len(values), *(inner[0][0] if inner else ())), [v for column in zip(*columns, strict=True) for v in column]


def diff(A: Lifted | str, B: Lifted | str) -> Answer[Difference]:
    """Where two layouts differ as functions of the index.

    >>> print(diff("(4,8):(8,1)", "(4,8):(8,1)"))
    all 32 cells agree
    """
    from laycalc.cli.streams.found import difference_object
    from laycalc.render.kinds.difference import difference

    a, b = _layout(A, "diff", "A"), _layout(B, "diff", "B")
    found = difference(a, b)
    return Answer(found, lambda: str(found), lambda: difference_object(a, b, found))


def check(
    *files: str, deny: Iterable[str] = (), allow: Iterable[str] = (), strict: bool = False
) -> Answer[list[Finding]]:
    """The findings in files and directories, as ``laycalc check`` has them; none is an empty list."""
    from io import StringIO
    from json import loads

    from laycalc.cli.checks.checking import Job, check_file
    from laycalc.cli.checks.config import Config
    from laycalc.cli.checks.sources import files_of
    from laycalc.diagnostics.report import Tally
    from laycalc.render.reports.checks import report_for

    paths = tuple(_text(file, "check") for file in files)
    job, tally = Job((), Config(paths, None, tuple(deny), tuple(allow), strict).policy(), 256, False), Tally()
    results = [result for file in files_of(paths) for result in check_file(file, job)]

    def report(form: str) -> str:
        stream = StringIO()
        written = report_for(form, stream)
        for result in results:
            if result.findings:
                written.add(result)
        written.end(tally)
        return stream.getvalue().rstrip("\n")

    tally.files = len(list(files_of(paths)))
    for result in results:
        tally.add(result)
    findings = [finding for result in results for finding in result.findings]
    return Answer(findings, lambda: report("text"), lambda: dict(loads(report("json"))))


def scan(*files: str, deny: Iterable[str] = (), allow: Iterable[str] = (), **names: Any) -> Answer[list[Case]]:
    """Every layout in files of C++, CUDA and Python, with its line; ``names`` are bound, as ``scan -D`` binds them."""
    from laycalc.cli.checks.kernels import findings_of, scans_of, source_files
    from laycalc.cli.checks.listing import counted, objects_of, rows_of
    from laycalc.diagnostics.report import Policy
    from laycalc.render.reports.kernels import scan_object, table_text

    policy = Policy(frozenset(deny), frozenset(allow), False)
    paths = source_files([_text(file, "scan") for file in files])
    cases = list(scans_of(paths, [f"{name}={value}" for name, value in names.items()]))

    def text() -> str:
        found = [str(found.diagnostic) for case in cases for found in findings_of(case, policy)]
        return "\n".join([table_text(rows_of(cases, False)), counted(cases), *found])

    return Answer(cases, text, lambda: dict(scan_object(objects_of(cases, policy))))


def design_task(kind: str, **task: Any) -> dict[str, Any]:
    """The answer to a design task, as a line of ``laycalc design --jsonl`` has it; values may stand for their texts.

    >>> design_task("left", A="(4,8):(1,8)", C="(2,2):(1,16)")
    {'X': '(2,2):(1,8)'}
    """
    from laycalc.design.answering import answer

    return dict(
        answer({"kind": _text(kind, "design_task"), **{name: _written(value) for name, value in task.items()}}, told)
    )


def _written(value: Any) -> Any:
    """A value of a task as JSON has it."""
    if isinstance(value, (list, tuple)):
        return [_written(v) for v in value]
    return text_of(value) if isinstance(value, (Value, Pictured)) else value


def object_of(value: Any) -> dict[str, Any]:
    """What ``--json`` writes of a value: the facts of an atom, the text of everything else."""
    from laycalc.render.reports.json import SCHEMA, result_object

    if isinstance(value, Atom):
        from laycalc.atoms.instructions.facts import atom_facts

        return {"schema": SCHEMA, **atom_facts(value)}
    return result_object(text_of(value), kind_of(value), text_of(value), None, ())


def read(text: str, form: str | None = None, shape: tuple[int, ...] | None = None) -> Any:
    """The value of a text in any notation: the language, C++, the DSL, a dump of numpy or torch, Triton, ...

    >>> read("Layout<Shape<_4,_8>,Stride<_8,_1>>{}")
    Layout('(4,8):(8,1)')
    """
    from laycalc.diagnostics.model import Diagnostic, Failure
    from laycalc.grammar.forms import read_any
    from laycalc.grammar.run.scope import Scope
    from laycalc.grammar.run.statements import run, run_reading

    source = _text(text, "read")
    box = None if shape is None else coerce(plain(shape), "shape", "read", "shape")
    foreign = None if form is None else read_any(source, _text(form, "read"), box)
    outcomes = list(run(source, None, box) if foreign is None else run_reading(foreign, Scope()))
    for outcome in outcomes:
        if outcome.error is not None:
            raise Failure(outcome.error)
    if not outcomes:
        raise Failure(Diagnostic("LC101", "the text has no value", source))
    last = outcomes[-1]
    return last.value if last.report is None else last.report


def write(value: Any, form: str, shape: tuple[int, ...] | None = None) -> str:
    """The text of a value in another notation: cpp, dsl, pycute, numpy, torch, latex, triton, ...

    >>> write(told("(4,8):(8,1)"), "pycute")
    'Layout((4, 8),(8, 1))'
    """
    from laycalc.grammar.forms import write as written

    return written(
        value, _text(form, "write"), None if shape is None else coerce(plain(shape), "shape", "write", "shape")
    )


def _text(given: Any, op: str) -> str:
    if isinstance(given, (str, Text)):
        return str(given)
    raise refuse("LC103", "{op} takes a text, not {given}", op=op, given=type(given).__name__)


def _count(given: Any, name: str) -> int:
    number: int = coerce(plain(given), "integer", "call", name)
    if number < 1:
        raise refuse("LC103", "{name} is a positive number, not {given}", op="call", name=name, given=number)
    return number
