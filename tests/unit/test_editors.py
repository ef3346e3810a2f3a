"""The extension for Visual Studio Code without the editor, and the colours of layout text."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from pygments.token import Token

from laycalc.cli.commands.lsp import run as lsp
from laycalc.colours import LayoutLexer
from laycalc.grammar.language.functions import functions

ROOT = Path(__file__).parents[2]
VSCODE = ROOT / "editors" / "vscode"
PACKAGE: dict[str, Any] = json.loads((VSCODE / "package.json").read_text("utf-8"))
TEXTS = [*(ROOT / "gallery").glob("*.layout"), *(ROOT / "tests" / "cases").glob("*.layout")]


def grammar_kind(text: str) -> str:
    """The name that the TextMate grammar gives to a text at its beginning."""
    for pattern in json.loads((VSCODE / "layout.tmLanguage.json").read_text("utf-8"))["patterns"]:
        found = re.match(pattern["match"], text)
        if found and found[0]:
            return str(pattern["name"])
    return ""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# said", "comment.line.layout"),
        ("// said", "comment.line.layout"),
        ("assert x", "keyword.control.layout"),
        ("o B", "keyword.operator.word.layout"),
        ("Sw<2,0,3>", "support.type.swizzle.layout"),
        ("2e0", "constant.other.coordinate.layout"),
        ("_4", "constant.numeric.layout"),
        ("128", "constant.numeric.layout"),
        ("coalesce(", "entity.name.function.layout"),
        ("A = 4", "variable.other.definition.layout"),
        ("⊘ B", "keyword.operator.layout"),
        ('"F16"', "string.quoted.double.layout"),
        ("(4", "punctuation.layout"),
    ],
)
def test_the_grammar_names_the_pieces(text: str, kind: str) -> None:
    assert grammar_kind(text) == kind


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_the_lexer_knows_every_piece_of_the_gallery(path: Path) -> None:
    text = path.read_text("utf-8")
    tokens = list(LayoutLexer(ensurenl=False, stripnl=False).get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    assert not [value for kind, value in tokens if kind is Token.Text or kind in Token.Error]


def test_the_lexer_tells_functions_from_names() -> None:
    for function in functions():
        kinds = {value: kind for kind, value in LayoutLexer().get_tokens(f"{function.name}(A)")}
        assert kinds[function.name] is Token.Name.Function
        assert kinds["A"] is Token.Name


def test_pygments_finds_the_lexer() -> None:
    from pygments.lexers import get_lexer_by_name

    assert isinstance(get_lexer_by_name("layout"), LayoutLexer)


def test_the_package_names_files_that_are_there() -> None:
    assert (VSCODE / PACKAGE["main"]).exists()
    for kind, name in (("languages", "configuration"), ("grammars", "path")):
        for entry in PACKAGE["contributes"][kind]:
            json.loads((VSCODE / entry[name]).read_text("utf-8"))
    assert lsp.help
    script = (VSCODE / "package.sh").read_text("utf-8")
    assert all(path.name in script for path in VSCODE.iterdir() if path.suffix in (".js", ".json"))


HARNESS = """
const Module = require("module");
const seen = { commands: {}, shown: [], clients: [] };
const vscode = {
  ViewColumn: { Beside: 2 },
  workspace: {
    getConfiguration: () => ({ get: (name) => ({ command: "here/laycalc", inlayHints: true, pictures: false })[name] }),
    openTextDocument: async (given) => given,
  },
  window: {
    activeTextEditor: { selection: { active: { line: 3, character: 5 } }, document: { uri: "file:///x.layout" } },
    showInformationMessage: (text) => seen.shown.push(["message", text]),
    showTextDocument: async (given) => seen.shown.push(["text", given.content]),
    createWebviewPanel: () => ({ webview: { set html(text) { seen.shown.push(["panel", text]); } } }),
  },
  commands: {
    registerCommand: (name, work) => { seen.commands[name] = work; return { dispose() {} }; },
    executeCommand: async (...words) => { seen.asked = words; },
  },
};
class LanguageClient {
  constructor(id, name, server, options) { seen.clients.push({ server, options }); }
  start() { seen.started = true; }
  stop() { seen.stopped = true; }
}
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode
  : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
(async () => {
  const extension = require(process.argv[2]);
  extension.activate({ subscriptions: [] });
  const { server, options } = seen.clients[0];
  const run = options.middleware.executeCommand;
  await seen.commands["laycalc.showPicture"]();
  await run("laycalc.draw", [], async () => ({ text: "<svg onload=alert(1)>" }));
  await run("laycalc.why", [], async () => ({ text: "level 2" }));
  await run("laycalc.why", [], async () => ({ error: "why looks at a composition" }));
  await extension.deactivate();
  console.log(JSON.stringify({ server, wishes: options.initializationOptions, languages: options.documentSelector,
    commands: Object.keys(seen.commands), asked: seen.asked, shown: seen.shown,
    started: seen.started, stopped: seen.stopped }));
})();
"""


def test_the_extension_starts_the_server_and_shows_what_it_tells(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    (tmp_path / "harness.js").write_text(HARNESS)
    done = subprocess.run(
        [node, tmp_path / "harness.js", VSCODE / "extension.js"], capture_output=True, text=True, check=True
    )
    seen = json.loads(done.stdout)
    assert seen["server"]["run"] == {"command": "here/laycalc", "args": ["lsp"]}
    assert seen["wishes"] == {"inlayHints": True, "pictures": False}
    assert {"language": "layout"} in seen["languages"]
    assert seen["commands"] == [entry["command"] for entry in PACKAGE["contributes"]["commands"]]
    assert seen["asked"] == ["laycalc.draw", "file:///x.layout", 3, 5]
    (panel, text), why, message = seen["shown"]
    assert panel == "panel" and "default-src 'none'" in text and "onload" not in text
    assert why == ["text", "level 2"] and message == ["message", "laycalc: why looks at a composition"]
    assert seen["started"] and seen["stopped"]


def test_a_package_has_the_files_and_the_same_bytes(tmp_path: Path) -> None:
    spec = spec_from_file_location("vsix", VSCODE / "vsix.py")
    assert spec is not None and spec.loader is not None
    vsix = module_from_spec(spec)
    spec.loader.exec_module(vsix)
    (tmp_path / "extension").mkdir()
    for name in ("package.json", "extension.js", "README.md"):
        shutil.copy(VSCODE / name, tmp_path / "extension")
    for target in ("one", "two"):
        vsix.pack(tmp_path, tmp_path / target)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with zipfile.ZipFile(tmp_path / "one") as packed:
        assert {"extension.vsixmanifest", "[Content_Types].xml", "extension/package.json"} <= set(packed.namelist())
        assert b'Id="laycalc" Version="0.1.0"' in packed.read("extension.vsixmanifest")
