"""What an exploration found: verdict, value, obligations, the other cases, a counterexample."""

from __future__ import annotations

from typing import Any

from ..base.errors import Remark
from ..base.record import Record
from ..values.htuple import format_htuple
from .condition import Condition


class Point(Record):
    """Values of the symbols, and what the numbers do there: a message, or the value as text."""

    at: dict[str, int]
    why: str = ""
    code: str = ""

    def __str__(self) -> str:
        return ", ".join(f"{name} = {x}" for name, x in sorted(self.at.items()))


class Case(Record):
    """What happens when conditions hold: ``status`` is ok, ragged, holes, refused or open.

    ``codes`` are those of its warnings or of its refusal, ``perhaps`` those of warnings that depend on more than the
    conditions; a refusal that only lists of values would prove is perhaps LC401, or right by ``coincidence``. ``error``
    is the exception of a refusal, ``remarks`` what the operations remarked. ``witness`` is the smallest point found,
    None if there is none or none was looked for.
    """

    when: tuple[Condition, ...]
    status: str
    value: Any = None
    codes: tuple[str, ...] = ()
    why: str = ""
    witness: Point | None = None
    error: Exception | None = None
    remarks: tuple[Remark, ...] = ()
    perhaps: tuple[str, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Does the case have a value without a warning?"""
        return self.status == "ok"

    def __str__(self) -> str:
        outcome = _text(self.value) if self.status == "ok" else self.why or self.status
        if not outcome.startswith(self.status) and self.status != "ok":
            outcome = f"{self.status}: {outcome}"
        return f"{', '.join(map(str, self.when)) or 'always'}: {outcome}"

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "when": list(map(str, self.when)),
            "status": self.status,
            "value": None if self.value is None else _text(self.value),
            "codes": list(self.codes),
            "perhaps": list(self.perhaps),
            "why": self.why or None,
            "witness": self.witness and self.witness.at,
        }


class Obligation(Record):
    """A condition of the main case that separates it from a case with another outcome.

    ``kind`` is ``needs`` (otherwise refused), ``exact`` (otherwise ragged or with holes), ``form`` (otherwise another
    value) or ``open`` (otherwise unknown). ``facts`` are those of the error or remark on the other side: ``op``,
    ``left_path``, ``right_path`` and its numbers; ``perhaps`` is as in `Case`.
    """

    condition: Condition
    kind: str
    code: str = ""
    why: str = ""
    facts: dict[str, Any] = {}  # noqa: RUF012 - a default that nobody changes
    perhaps: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.condition)

    @property
    def source(self) -> str:
        """Where it comes from: the mode, and the operand that asks for it."""
        return _source(self.facts)

    @property
    def otherwise(self) -> str:
        """What the other side is, with its code."""
        other = {"needs": "refused", "exact": "ragged", "form": "another value", "open": "not known"}[self.kind]
        if self.kind == "needs" and "LC401" in self.perhaps:
            other = "refused or ragged"
        elif self.kind == "needs" and self.perhaps:
            other = "refused, or right by coincidence"
        if self.code == "LC404":
            other = "with holes"
        return f"{other} ({self.code})" if self.code else other

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "text": str(self.condition),
            "kind": self.kind,
            "code": self.code or None,
            "op": self.facts.get("op"),
            "left_path": _path(self.facts.get("left_path")),
            "right_path": _path(self.facts.get("right_path")),
            "why": self.why or None,
        }


class Report(Record):
    """The answer to an expression with unknown numbers.

    ``value`` is that of the main case, and right wherever the ``obligations`` hold. ``verdict`` is one of proven,
    proven-by-cases, valid-iff, valid-if, refuted and gives-up; ``used`` are the assumptions that decided a question,
    by their number, ``notes`` the conditions that the ragged mode left aside, ``offer`` the ranges of a sweep to try
    where the search did not answer everything.
    """

    verdict: str
    main: Case | None
    obligations: tuple[Obligation, ...] = ()
    cases: tuple[Case, ...] = ()
    counterexample: Point | None = None
    why: str = ""
    used: tuple[int, ...] = ()
    notes: tuple[Condition, ...] = ()
    symbols: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    offer: tuple[str, ...] = ()

    @property
    def value(self) -> Any:
        """The value of the main case, None if nothing is shown."""
        return None if self.main is None else self.main.value

    @property
    def is_clean(self) -> bool:
        """Proven, by cases or without: nothing to report."""
        return self.verdict in ("proven", "proven-by-cases")

    @property
    def code(self) -> str:
        """The code for `check`: LC503 conditional, LC501 refuted, LC504 gave up; empty if clean."""
        codes = {"valid-iff": "LC503", "valid-if": "LC503", "refuted": "LC501", "gives-up": "LC504"}
        return codes.get(self.verdict, "")

    @property
    def condition(self) -> str:
        """The obligations on one line, as an assumption reads them."""
        return ", ".join(map(str, self.obligations))

    @property
    def missing(self) -> str:
        """What to assume to make the expression clean: the obligations whose other side is not."""
        return ", ".join(str(o) for o in self.obligations if o.kind != "form")

    @property
    def alternatives(self) -> tuple[tuple[Condition, ...], ...]:
        """The conditions of every clean case: the expression is clean where one of them holds (verdict valid-iff)."""
        clean = (case for case in (self.main, *self.cases) if case is not None and case.is_clean)
        return tuple(case.when for case in clean)

    def __str__(self) -> str:
        lines = [_text(self.value)] if self.value is not None else []
        width = max((len(str(o)) for o in self.obligations), default=0)
        places = max((len(o.source) for o in self.obligations), default=0)
        for i, o in enumerate(self.obligations):
            head = f"{'   ' if i else 'if '}{o!s:<{width}}"
            place = f"  {o.source:<{places}}" if places else ""
            lines.append(f"{head}{place}  else {o.otherwise}")
        lines += [f"ragged unless {note}" for note in self.notes]
        lines += [f"when {c}" for c in self.cases if c.is_clean]
        if self.verdict == "gives-up":
            lines.append(f"gave up: {self.why}")
            lines += [f"try a sweep: {' '.join(f'--sweep {r}' for r in self.offer)}"] if self.offer else []
        elif self.verdict == "refuted":
            lines.append(f"never without a warning or an error: {self.why}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """Plain data: the symbolic fields of the ``--json`` schema."""
        return {
            "symbols": list(self.symbols),
            "assumptions": list(self.assumptions),
            "verdict": self.verdict,
            "value": None if self.value is None else _text(self.value),
            "obligations": [o.as_json() for o in self.obligations],
            "cases": [c.as_json() for c in self.cases],
            "counterexample": self.counterexample and {"at": self.counterexample.at, "why": self.counterexample.why},
            "notes": [f"ragged unless {note}" for note in self.notes],
            "used": list(self.used),
            "offer": list(self.offer),
            "why": self.why or None,
        }


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return format_htuple(value) if isinstance(value, tuple) else str(value)


def _path(path: Any) -> list[int] | None:
    return None if path is None else list(path)


def _source(facts: dict[str, Any]) -> str:
    place = facts.get("left_path") or facts.get("right_path") or ()
    text = f"mode {'.'.join(map(str, place))}: " if place else ""
    if "tile" in facts and "layout" in facts:
        return f"{text}tile {facts['tile']} against {facts['layout']}"
    if "B" in facts and "A" in facts:
        return f"{text}{facts['B']} against {facts['A']}"
    return f"{text}{facts['op']}" if "op" in facts else text
