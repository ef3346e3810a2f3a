"""What the page asks and is told, and the server that answers nobody else."""

from __future__ import annotations

import http.client
import json
import re
import shlex
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from program import laycalc

from laycalc.grammar.run.statements import run
from laycalc.playground import gather
from laycalc.playground.answers import ASKS, answer, answer_text
from laycalc.playground.process import Answering, Stopped
from laycalc.playground.server import POLICY, Server

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "playground" / "page"
EXAMPLES: list[dict[str, Any]] = json.loads((PAGE / "examples.json").read_text("utf-8"))


def asked(ask: str, text: str = "", **more: Any) -> dict[str, Any]:
    """The answer, by way of the text that it travels as."""
    found: dict[str, Any] = json.loads(answer_text(json.dumps({"ask": ask, "text": text, **more})))
    return found


# -- answers -------------------------------------------------------------------------------------------------------


def test_an_answer_has_a_result_for_each_statement_and_the_table_of_the_last() -> None:
    found = asked("eval", "A = (4,8):(8,1)\nA o 8:2")
    assert [result["value"] for result in found["results"]] == ["(4,8):(8,1)", "(2,4):(16,1)"]
    assert found["results"][1]["measures"] == ["layout, rank 2, size 8, cosize 20"]
    (sheet,) = found["table"]["sheets"]
    assert sheet["cells"] == [["0", "1", "2", "3"], ["16", "17", "18", "19"]]
    assert sheet["columns"] == [[[0, 1, "0"], [1, 1, "1"], [2, 1, "2"], [3, 1, "3"]]]


def test_an_error_has_its_labels_and_repairs_that_work() -> None:
    error = asked("eval", "(4,6,8):(2,3,5) o 6:3")["results"][0]["error"]
    assert error["code"] == "LC301"
    assert [label["start"] for label in error["labels"]] == [1, 20]
    for repair in error["suggestions"]:
        assert asked("eval", repair["expr"])["results"][0]["value"] == repair["value"]


def test_a_repair_leaves_the_other_statements() -> None:
    text = "B = 6:3\nA = (4,6,8):(2,3,5) o 6:3 # composed\nsize(B)"
    error = asked("eval", text)["results"][1]["error"]
    texts = [repair["text"] for repair in error["suggestions"]]
    assert texts[0] == "B = 6:3\nA = (4,6,8):(2,3,5) o 6:2 # composed\nsize(B)"
    assert all(asked("eval", text)["results"][2]["value"] == "6" for text in texts)


def test_unknown_sizes_are_told_with_their_conditions_and_may_be_given() -> None:
    text = "(M,64):(64,1) / <128,64>"
    (result,) = asked("eval", text)["results"]
    assert result["report"]["symbols"] == ["M"]
    assert [one["text"] for one in result["report"]["obligations"]] == ["128 | M"]
    (result,) = asked("eval", text, define={"M": "256"})["results"]
    assert result["value"] == "((128,2),(64,1)):((64,8192),(1,0))"
    (result,) = asked("eval", text, define={"M": "100"})["results"]
    assert [warning["code"] for warning in result["warnings"]] == ["LC402"]


def test_a_link_of_another_visualiser_is_read() -> None:
    (result,) = asked("eval", "?key=tv-1-(32,4):(1,32)-(8,16)")["results"]
    assert result["value"] == "(32,4):(1,32)"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["title"])
def test_a_picture_has_the_bytes_of_the_command_that_is_offered(example: dict[str, Any]) -> None:
    drawn = asked("draw", example["text"], options=example["options"])
    command = asked("copies", example["text"], options=example["options"])["draw"]
    program, *arguments = shlex.split(command)
    assert program == "laycalc"
    done = laycalc(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout == drawn["text"]


def test_a_picture_of_bytes_comes_in_base_64() -> None:
    assert b64decode(asked("draw", "(2,2):(2,1)", options={"format": "png"})["bytes"]).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "text",
    [
        "A = (4,8):(8,1); A o 8:2",
        "size((4,8))",
        "(4,8):(1,4) == (4,8):(1,4)",
        "Sw<2,0,3> o 0 o (8,8):(8,1)",
        "(M,64):(64,1) / <128,64>",
        "<4:1,8:2>",
        "assert size((4,8)) == 32",
    ],
)
def test_the_line_of_a_check_passes(text: str, tmp_path: Path) -> None:
    line = asked("copies", text)["check"]
    assert "assert" in line
    assert all(outcome.error is None for outcome in run(line))
    path = tmp_path / "copied.layout"
    path.write_text(line + "\n")
    assert laycalc("check", str(path)).returncode == 0


def test_no_line_of_a_check_is_offered_that_fails() -> None:
    assert "check" not in asked("copies", "?key=tv-1-(32,4):(1,32)-(8,16)")
    assert "check" not in asked("copies", "4:1 o")


def test_markdown_is_read_by_a_check(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(asked("copies", "(4,8):(8,1) / 4")["markdown"])
    assert laycalc("check", str(path)).returncode == 0


def test_the_tabs() -> None:
    assert "prefix products" in asked("explain", "(4,6,8):(2,3,5) o 6:2")["text"]
    assert asked("page", "lc301")["text"].startswith("# LC301")
    assert ["size", "32"] in asked("info", "(4,8):(1,4)")["rows"]
    assert asked("why", "A = (4,8):(8,1); A o 8:2")["found"]["level"] == 2
    forms = asked("forms", "(4,8):(8,1)")["forms"]
    assert forms[0]["name"] == "cpp" and forms[0]["text"] == "Layout<Shape<_4,_8>,Stride<_8,_1>>{}"
    found = asked("banks", "(32,32):(32,1)", options={"lanes": ["column"], "suggest": True})
    assert found["found"]["accesses"][0]["degree"] == 32
    assert not found["free"] and "32-way conflict" in found["lines"][0]
    mended = asked("banks", found["found"]["suggestion"]["swizzle"]["layout"], options={"lanes": ["column"]})
    assert mended["free"]


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (None, "LC103"),
        ([], "LC103"),
        ({"ask": "open"}, "LC103"),
        ({"ask": 4}, "LC103"),
        ({"ask": "eval", "text": 4}, "LC103"),
        ({"ask": "eval", "file": "x"}, "LC103"),
        ({"ask": "eval", "define": {"M": 4}}, "LC103"),
        ({"ask": "eval", "define": {"M N": "4"}}, "LC103"),
        ({"ask": "eval", "text": "4", "shape": "x"}, "LC103"),
        ({"ask": "eval", "text": "4" * (1 << 20) + "4"}, "LC104"),
        ({"ask": "draw", "text": "4:1", "options": {"output": "x.svg"}}, "LC103"),
        ({"ask": "draw", "text": "4:1", "options": {"format": "exe"}}, "LC103"),
        ({"ask": "draw", "text": "4:1", "options": {"bits": "16"}}, "LC103"),
        ({"ask": "draw", "text": "", "options": {}}, "LC101"),
        ({"ask": "banks", "text": "4:1", "options": {"bits": True}}, "LC103"),
        ({"ask": "banks", "text": "4:1", "options": {"jsonl": True}}, "LC103"),
        ({"ask": "banks", "text": "4", "options": {}}, "LC103"),
        ({"ask": "why", "text": "4:1"}, "LC103"),
        ({"ask": "page", "text": "../pages/LC301"}, "LC103"),
        ({"ask": "page", "text": "LC999"}, "LC103"),
    ],
)
def test_what_is_no_question_is_refused(question: Any, code: str) -> None:
    found = answer(question)
    assert not found["ok"]
    assert found["error"]["code"] == code


@pytest.mark.parametrize(
    "text", ['include "/etc/hostname"', "(" * 5000, "9" * 4000, "2^99999", "\x00", "\ud800", "{" * 300]
)
@pytest.mark.parametrize("ask", sorted(ASKS))
def test_a_hostile_text_is_answered(ask: str, text: str) -> None:
    found = asked(ask, text)
    errors = [found["error"]] if "error" in found else [r["error"] for r in found.get("results", []) if "error" in r]
    assert all(error["code"] != "LC901" for error in errors)
    if ask == "eval":
        assert errors


def test_the_examples_are_those_of_the_gallery() -> None:
    assert gather.gathered() == gather.FILE.read_text("utf-8")
    assert len(EXAMPLES) == len(list((ROOT / "gallery").glob("*.layout")))


# -- the page ------------------------------------------------------------------------------------------------------


def test_the_page_makes_elements_and_no_html() -> None:
    for script in PAGE.glob("*.js"):
        text = script.read_text("utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text), (
            script
        )
        assert not re.search(r"https?://(?!www\.w3\.org/)", text), script
    page = (PAGE / "index.html").read_text("utf-8")
    assert not re.search(r"\son\w+=|style=|<script(?! type=\"module\" src=\"main\.js\")", page)


def luminance(colour: str) -> float:
    """The relative luminance of #rrggbb."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_every_text_has_contrast_in_a_light_and_a_dark_page() -> None:
    style = (PAGE / "page.css").read_text("utf-8")
    looks = [
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block)) for block in re.findall(r":root \{(.*?)\}", style, re.S)
    ]
    assert len(looks) == 2
    for look in looks:
        pairs = [(ink, ground) for ink in look for ground in ("page", "field")]
        pairs = [(ink, ground) for ink, ground in pairs if ink not in ("page", "field", "line", "on-accent")]
        for ink, ground in [*pairs, ("on-accent", "accent")]:
            dark, light = sorted(luminance(look[name]) for name in (ink, ground))
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)


# -- the process and the server ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    found = Server()
    Thread(target=found.serve_forever, daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


def request(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of a request to the server; ``{token}`` in the path is its token."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    try:
        said = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path.replace("{token}", server.token), body, said)
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()
    finally:
        connection.close()


def test_the_page_is_served_with_its_policy(server: Server) -> None:
    status, headers, body = request(server, "GET", "/{token}/")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert body == (PAGE / "index.html").read_bytes()
    assert headers["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY and "default-src 'none'" in POLICY
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers
    for file in PAGE.iterdir():
        assert request(server, "GET", f"/{{token}}/{file.name}")[::2] == (200, file.read_bytes())


def test_a_question_is_answered(server: Server) -> None:
    body = json.dumps({"ask": "eval", "text": "(4,8):(1,4)\n\n4"}).encode()
    status, _, found = request(server, "POST", "/{token}/answer", body, Content_Type="application/json")
    assert status == 200
    assert [result["value"] for result in json.loads(found)["results"]] == ["(4,8):(1,4)", "4"]


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, 403),
        ("/index.html", {}, 403),
        ("/x{token}/", {}, 403),
        ("/{token}", {}, 403),
        ("/{token}/", {"Origin": "http://example.org"}, 403),
        ("/{token}/", {"Origin": "null"}, 403),
        ("/{token}/", {"Host": "example.org"}, 403),
        ("/{token}/", {"Host": "localhost"}, 403),
        ("/{token}/", {"Sec_Fetch_Site": "cross-site"}, 403),
        ("/{token}/../../../../etc/passwd", {}, 404),
        ("/{token}//etc/passwd", {}, 404),
        ("/{token}/%2e%2e/server.py", {}, 404),
        ("/{token}/../server.py", {}, 404),
        ("/{token}/index.html/", {}, 404),
    ],
)
def test_what_is_not_the_page_s_own_is_refused(server: Server, path: str, headers: dict[str, str], status: int) -> None:
    assert request(server, "GET", path, **headers)[0] == status
    asking = {"Content_Type": "application/json", **headers}
    assert request(server, "POST", path, b'{"ask":"eval","text":"4"}', **asking)[0] in (403, 404)
    assert request(server, "POST", path.rstrip("/") + "/answer", b"{}", **asking)[0] in (403, 404) or not headers


@pytest.mark.parametrize(
    "headers",
    [
        {"Content_Type": "text/plain"},
        {"Content_Type": "application/x-www-form-urlencoded"},
        {"Content_Type": "application/json", "Content_Length": str(1 << 40)},
        {"Content_Type": "application/json", "Content_Length": "-1"},
        {"Content_Type": "application/json", "Content_Length": "two"},
    ],
)
def test_a_question_of_another_type_or_length_is_refused(server: Server, headers: dict[str, str]) -> None:
    assert request(server, "POST", "/{token}/answer", b"{}", **headers)[0] == 400


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "PATCH"])
def test_other_methods_are_refused(server: Server, method: str) -> None:
    assert request(server, method, "/{token}/")[0] == 501


def test_the_server_listens_on_this_machine_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert len(server.token) >= 32
    other = Server()
    assert other.token != server.token
    other.server_close()


def test_a_question_can_be_stopped_and_the_next_is_answered() -> None:
    answering = Answering()
    # Nearly as many cases as are allowed.
    loops = "".join(f"for {name} in {{1, 2, 3, 4, 5, 6, 7, 8, 9}}: " for name in "abcde")
    endless = json.dumps({"ask": "eval", "text": f"{loops}assert size((a,4096)) == a*4096"}).encode()
    ended: list[str] = []

    def ask() -> None:
        try:
            answering.ask(endless)
            ended.append("answered")
        except Stopped:
            ended.append("stopped")

    thread = Thread(target=ask)
    thread.start()
    while not answering.busy:
        pass
    answering.stop()
    thread.join()
    assert ended == ["stopped"]
    assert json.loads(answering.ask(b'{"ask":"eval",\n"text":"4"}'))["ok"]
    answering.stop()


def memory(process: int) -> int:
    """The resident memory of a process in KiB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1])


QUESTIONS = [
    {"ask": ask, "text": text.replace("8", str(8 * k))}
    for k in range(1, 6)
    for ask in ("eval", "draw", "explain", "copies", "forms")
    for text in ("(4,8):(8,1) / 4", "(4,6,8):(2,3,5) o 6:3", "(M,8):(8,1) / <4,8>", "4:1 o")
]


def test_many_requests_leave_memory_flat() -> None:
    answering = Answering()
    questions = [json.dumps(question).encode() for question in QUESTIONS]

    def round_() -> int:
        for question in questions:
            answering.ask(question)
        assert answering.process is not None
        return memory(answering.process)

    try:
        warm = [round_() for _ in range(3)][-1]
        after = [round_() for _ in range(5)][-1]
    finally:
        answering.stop()
    assert after - warm < 2048, f"{after - warm} KiB more after {5 * len(questions)} questions"
