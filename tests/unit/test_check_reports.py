"""The reports of a check, each against what its readers demand."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from laycalc.cli.checks.checking import Job, check_file
from laycalc.diagnostics.codes import codes
from laycalc.diagnostics.report import Policy, Tally
from laycalc.render.reports.checks import FORMATS, report_for

TEXT = (
    "assert admissible((4,6,8):(2,3,5) o 6:3)\n"
    "10:1 / 4\n"
    "A = 4:1\n"
    "for M in {3,4}: assert M == 4\n"
    'include "gibt, es: nicht 100%.layout"\n'
    "assert admissible(\n  A o <4,\n  4>)\n"
    "assert 1 == 1 # <&> \u00e4 \U0001f600\n"
)


@pytest.fixture
def report(tmp_path: Path) -> Callable[..., str]:
    """The report of a text in some format."""

    def made(form: str, text: str = TEXT, name: str = "a b,c.layout", **policy: Any) -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        stream = StringIO()
        writer, tally = report_for(form, stream), Tally(files=1)
        for result in check_file(str(path), Job(policy=Policy(**policy), listing=form == "junit")):
            tally.add(result)
            if result.findings or (form == "junit" and result.counted):
                writer.add(result)
        writer.end(tally)
        return stream.getvalue()

    return made


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_report_is_whole(form: str, report: Callable[..., str]) -> None:
    text = report(form, "assert 1 == 1\n")
    if form in ("json", "sarif"):
        json.loads(text)
    elif form == "junit":
        ElementTree.fromstring(text)
    else:
        assert text == "1 file: 1 passed, 0 failed\n"


@pytest.mark.parametrize("form", FORMATS)
def test_what_a_false_assertion_compared_is_told(form: str, report: Callable[..., str]) -> None:
    shown = report(form, "assert size((4,8):(1,4)) == 33\n")
    assert "the assertion is false: size((4,8):(1,4)) == 33; 32 == 33" in shown


@pytest.mark.parametrize("form", FORMATS)
def test_no_remark_on_the_source_is_dropped(form: str, report: Callable[..., str]) -> None:
    shown = report(form, "10:1 / 4\n")
    assert "10 elements" in shown and "covers 12" in shown


@pytest.mark.parametrize("form", ["github", "sarif"])
def test_a_message_says_what_works(form: str, report: Callable[..., str]) -> None:
    message = report(form, "10:1 / 4\n").partition("ragged: tiles")[2].partition('"}')[0]
    assert "10: 10 elements" in message and "works: 10:1 / 5 = (5,2):(1,5)" in message


def test_a_relation_that_is_false_warns_once(report: Callable[..., str]) -> None:
    assert report("text", "assert (10,64):(64,1) / <4,32> == 4:1\n").count("warning[LC401]") == 1


# -- JSON --------------------------------------------------------------------------------------------------------


def test_json(report: Callable[..., str]) -> None:
    found = json.loads(report("json"))
    assert found["schema"] == 1
    assert found["summary"] == {"files": 1, "passed": 3, "failed": 4, "warnings": 1, "exit_code": 2}
    first = found["findings"][0]
    assert (first["code"], first["line"], first["column"], first["end_column"]) == ("LC301", 1, 20, 21)
    assert first["facts"]["stride"] == 3 and first["facts"]["prefix"] == 4
    assert [(label["line"], label["column"]) for label in first["labels"]] == [(1, 20), (1, 39)]
    assert first["suggestions"][0] == {
        "expr": "(4,6,8):(2,3,5) o 6:2",
        "value": "(2,3):(4,3)",
        "change": "stride 3 to 2",
    }
    assert [f["code"] for f in found["findings"]] == ["LC301", "LC401", "LC501", "LC103", "LC305"]
    assert found["findings"][2]["case"] == "M = 3"
    assert {(label["line"], label["end_line"]) for label in found["findings"][4]["labels"]} == {(7, 7), (7, 8)}


# -- GitHub ------------------------------------------------------------------------------------------------------


def test_github(report: Callable[..., str]) -> None:
    lines = report("github").splitlines()
    assert lines[0].startswith("::error file=")
    assert "a b%2Cc.layout,line=1,endLine=1,col=20,endColumn=21,title=LC301 stride-divisibility::stride 3 " in lines[0]
    assert "%0Aworks: (4,6,8):(2,3,5) o 6:2 = (2,3):(4,3)" in lines[0]
    assert lines[1].startswith("::warning file=")
    assert "M = 3: the assertion is false" in lines[2]
    assert "nicht 100%25.layout" in lines[3]
    assert "endColumn" in lines[4]
    assert lines[-1] == "1 file, 1 warning: 3 passed, 4 failed"
    assert len(lines) == 6


# -- SARIF -------------------------------------------------------------------------------------------------------

MESSAGE = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string"}, "markdown": {"type": "string"}},
}
REGION = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        name: {"type": "integer", "minimum": 1} for name in ("startLine", "startColumn", "endLine", "endColumn")
    },
}
LOCATION = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "id": {"type": "integer", "minimum": -1},
        "message": MESSAGE,
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "additionalProperties": False,
            "properties": {
                "region": REGION,
                "artifactLocation": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        "uri": {"type": "string", "pattern": "^[^ \\\\]*$"},
                        "uriBaseId": {"type": "string"},
                    },
                },
            },
        },
    },
}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
SARIF: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string"},
        "version": {"enum": ["2.1.0"]},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "properties": {"type": "object"},
                    "invocations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["executionSuccessful"],
                            "additionalProperties": False,
                            "properties": {
                                "executionSuccessful": {"type": "boolean"},
                                "exitCode": {"type": "integer"},
                            },
                        },
                    },
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "additionalProperties": False,
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "additionalProperties": False,
                                            "properties": {
                                                "id": {"type": "string"},
                                                "name": {"type": "string"},
                                                "shortDescription": MESSAGE,
                                                "help": MESSAGE,
                                                "defaultConfiguration": {
                                                    "type": "object",
                                                    "additionalProperties": False,
                                                    "properties": {"level": LEVEL},
                                                },
                                            },
                                        },
                                    },
                                },
                            },
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": -1},
                                "level": LEVEL,
                                "message": MESSAGE,
                                "locations": {"type": "array", "items": LOCATION},
                                "relatedLocations": {"type": "array", "uniqueItems": True, "items": LOCATION},
                                "properties": {"type": "object"},
                            },
                        },
                    },
                },
            },
        },
    },
}
"""What SARIF 2.1.0 says about the properties that are used here; others are refused, so that none slips in."""


def test_sarif(report: Callable[..., str]) -> None:
    found = json.loads(report("sarif"))
    jsonschema.validate(found, SARIF)
    (run,) = found["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(codes())
    assert all(rule["help"]["markdown"].startswith("# LC") for rule in rules)
    assert [r["ruleId"] for r in run["results"]] == ["LC301", "LC401", "LC501", "LC103", "LC305"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        region = result["locations"][0]["physicalLocation"].get("region", {})
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 1,
        "startColumn": 20,
        "endLine": 1,
        "endColumn": 21,
    }
    assert run["results"][0]["relatedLocations"][0]["message"]["text"].startswith("stride 3 neither")
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 2}]


def test_the_schema_has_teeth(report: Callable[..., str]) -> None:
    found = json.loads(report("sarif"))
    found["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, SARIF)


# -- JUnit -------------------------------------------------------------------------------------------------------


def test_junit(report: Callable[..., str]) -> None:
    root = ElementTree.fromstring(report("junit"))
    assert root.tag == "testsuites"
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("7", "4", "0")
    cases = list(suite)
    assert [case.get("name") for case in cases][2:4] == ["assert M == 4 [M = 3]", "assert M == 4 [M = 4]"]
    assert [len(case.findall("failure")) for case in cases] == [1, 0, 1, 0, 1, 1, 0]
    assert "reads outside" in str(cases[1].findtext("system-out"))
    failure = cases[0].find("failure")
    assert failure is not None and failure.get("type") == "LC301"
    assert "works: (4,6,8):(2,3,5) o 6:2" in str(failure.text)
    assert cases[0].get("line") == "1"


def test_junit_writes_what_xml_cannot(report: Callable[..., str]) -> None:
    ElementTree.fromstring(report("junit", "assert 1 == 2 # \x0b\x1b\n(\x01\n"))


def test_denied_warnings_are_failures(report: Callable[..., str]) -> None:
    root = ElementTree.fromstring(report("junit", "10:1 / 4\n", deny=frozenset({"LC401"})))
    assert root[0].get("failures") == "1"


# -- text --------------------------------------------------------------------------------------------------------


def test_text(report: Callable[..., str]) -> None:
    text = report("text")
    assert text.endswith("1 file, 1 warning: 3 passed, 4 failed\n")
    assert "1 | assert admissible((4,6,8):(2,3,5) o 6:3)" in text
    assert "see: laycalc explain LC301" in text
    assert "\x1b" not in text
