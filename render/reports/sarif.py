"""Findings as SARIF 2.1.0, the exchange format of code scanners; written result by result."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, TextIO
from urllib.parse import quote

from laycalc.diagnostics.codes import Code, codes
from laycalc.diagnostics.model import Label
from laycalc.diagnostics.source import position

from .told import in_order, told
from .visible import visible_json

if TYPE_CHECKING:
    from laycalc.diagnostics.report import Finding, Result, Tally


class CheckReport:
    """One run of one tool; results follow one another, so the report of a long check is never in memory."""

    summary = False

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.count = 0
        head = {"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json"}
        stream.write(_dump(head)[:-1] + ', "runs": [{"tool": ')
        stream.write(_dump({"driver": _driver()}))
        stream.write(', "columnKind": "unicodeCodePoints", "results": [')

    def add(self, result: Result) -> None:
        for found in result.findings:
            self.stream.write((",\n" if self.count else "\n") + _dump(_result(found)))
            self.count += 1

    def end(self, tally: Tally, quiet: bool = False) -> None:
        invocation = {"executionSuccessful": tally.exit_code < 3, "exitCode": tally.exit_code}
        self.stream.write(f'\n], "invocations": [{_dump(invocation)}]')
        self.stream.write(f', "properties": {_dump({"passed": tally.passed, "failed": tally.failed})}}}]}}\n')


def _dump(value: Any) -> str:
    return visible_json(json.dumps(value, ensure_ascii=False))


def _driver() -> dict[str, Any]:
    try:
        number = version("laycalc")
    except PackageNotFoundError:
        number = "0"
    return {"name": "laycalc", "version": number, "rules": [_rule(code) for code in codes().values()]}


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.code,
        "name": "".join(word.capitalize() for word in code.name.split("-")),
        "shortDescription": {"text": code.title},
        "defaultConfiguration": {"level": code.severity},
        "help": {"text": code.page, "markdown": code.page},
    }


def _result(found: Finding) -> dict[str, Any]:
    diagnostic = found.diagnostic
    first, *others = in_order(diagnostic) or [Label(0, 0)]
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": list(codes()).index(diagnostic.code),
        "level": diagnostic.severity,
        "message": {"text": "\n".join(told(found))},
        "locations": [_place(found, _region(found), first)],
    }
    if others:
        result["relatedLocations"] = [{"id": i, **_label(found, label)} for i, label in enumerate(others, 1)]
    properties: dict[str, Any] = {"facts": dict(diagnostic.facts), "case": found.case, "witness": diagnostic.witness}
    properties["suggestions"] = [{"expr": s.expr, "value": s.value, "change": s.change} for s in diagnostic.suggestions]
    result["properties"] = {key: value for key, value in properties.items() if value}
    return result


def _physical(found: Finding, region: dict[str, int]) -> dict[str, Any]:
    uri = quote(found.file.replace("\\", "/"), safe="/")
    where: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    return where | {"region": region} if region else where


def _region(found: Finding) -> dict[str, int]:
    if not found.line:
        return {}
    return {
        "startLine": found.line,
        "startColumn": found.column,
        "endLine": found.end_line,
        "endColumn": found.end_column,
    }


def _label(found: Finding, label: Label) -> dict[str, Any]:
    names = ("startLine", "startColumn", "endLine", "endColumn")
    source = found.diagnostic.source
    ends = (*position(source, label.start), *position(source, label.end))
    return _place(found, dict(zip(names, ends, strict=True)), label)


def _place(found: Finding, region: dict[str, int], label: Label) -> dict[str, Any]:
    where = {"physicalLocation": _physical(found, region)}
    return where | {"message": {"text": label.text}} if label.text else where
