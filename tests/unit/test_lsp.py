"""The editor's server: pieces and their values, and conversations of a real client over standard input and output."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from laycalc.grammar.run.statements import run
from laycalc.grammar.syntax.nodes import Assume
from laycalc.lsp.document import Document
from laycalc.lsp.evaluation import Evaluation
from laycalc.lsp.hovering import hover
from laycalc.lsp.pieces import Piece, Pieces
from laycalc.lsp.places import Place, call_at

types: Any = pytest.importorskip("lsprotocol.types", reason="the server stands on pygls")
pygls_client: Any = pytest.importorskip("pygls.lsp.client", reason="the server stands on pygls")

# -- pieces and their values -----------------------------------------------------------------------------------------

LINES = (
    *("A = (4,8):(1,4)", "size(A)", "B = A o (2,2)", "", "# a comment", "assume M % 8 == 0", "(M,8):(8,1) / <8,8>"),
    *("C = (4,8):(", "    1,4)", "for a in 1,2: assert size((a,4)) == 4*a", "4:1 o", "let A = 8:2; A", "D = C"),
)


def shape(pieces: Pieces) -> list[tuple[int, tuple[str, ...]]]:
    return [(piece.first, piece.lines) for piece in pieces.pieces]


@pytest.mark.parametrize("path", ["x.layout", "x.cu"])
def test_a_storm_of_changes_leaves_the_pieces_of_the_text(path: str) -> None:
    """Cutting only what changed is cutting everything."""
    dice = random.Random(21)
    mark = "// laycalc: " if path.endswith("cu") else ""
    lines = [mark + dice.choice(LINES) for _ in range(40)]
    pieces = Pieces(path, "\n".join(lines))
    for _ in range(400):
        place, count = dice.randrange(len(lines) + 1), dice.randrange(3)
        lines[place : place + count] = [mark + dice.choice(LINES) for _ in range(dice.randrange(3))]
        pieces.change("\n".join(lines))
        assert shape(pieces) == shape(Pieces(path, "\n".join(lines)))


def came_to(evaluation: Evaluation, piece: Piece) -> list[tuple[str, str, str]]:
    """The values, reports and errors of a piece as texts."""
    outcomes = evaluation.of(piece).outcomes
    return [(str(o.value), str(o.report), str(o.error)) for o in outcomes if not isinstance(o.statement, Assume)]


def test_a_storm_of_changes_leaves_the_values_of_the_text() -> None:
    """What is kept from before a change is what the text comes to now."""
    dice = random.Random(21)
    lines = [dice.choice(LINES) for _ in range(20)]
    pieces = Pieces("x.layout", "\n".join(lines))
    evaluation = Evaluation(pieces)
    for _ in range(60):
        lines[dice.randrange(len(lines))] = dice.choice(LINES)
        pieces.change("\n".join(lines))
        evaluation.changed()
        fresh = Pieces("x.layout", "\n".join(lines))
        again = Evaluation(fresh)
        kept = [came_to(evaluation, piece) for piece in pieces.pieces]
        assert kept == [came_to(again, piece) for piece in fresh.pieces]


def test_an_answer_costs_what_its_line_needs() -> None:
    lines = [f"A{i} = ({i % 7 + 1},4):(4,1)" if i % 2 else f"size(A{i - 1})" for i in range(1, 20001)]
    document = Document("x.layout", "\n".join(lines))
    assert hover(document, Place(19999, 6)) is not None
    assert sum(piece.found is not None for piece in document.pieces.pieces) == 2
    before = document.pieces.pieces[19998]
    document.change("\n".join([*lines[:10], "B = 4:1", *lines[10:]]))
    assert document.pieces.at(19999) is before and before.found is not None


def test_the_values_of_a_document_are_those_of_its_text() -> None:
    text = "\n".join(LINES[:10])
    document = Document("x.layout", text)
    found = [o for piece in document.pieces.pieces for o in document.evaluation.of(piece).outcomes]
    assert [str(o.value) for o in found] == [str(o.value) for o in run(text)]


def test_a_long_chain_of_names_is_no_recursion() -> None:
    lines = ["A0 = 1", *(f"A{i} = A{i - 1} + 1" for i in range(1, 3000))]
    document = Document("x.layout", "\n".join(lines))
    told = hover(document, Place(2999, 1))
    assert told is not None and "A2999 = 3000" in told[0]


@pytest.mark.parametrize(
    ("text", "found"),
    [("size(", ("size", 0)), ("f((1,2), ", ("f", 1)), ("size((4,8):(1", ("size", 0)), ("size(4)", None), ("(4,", None)],
)
def test_the_call_around_a_place(text: str, found: tuple[str, int] | None) -> None:
    assert call_at(text) == found


def test_a_long_kernel_is_scanned_in_a_pause() -> None:
    """Questions about it are answered from the scan before, until it is refreshed."""
    lines = ["using namespace cute;", "using A = Layout<Shape<_4,_8>,Stride<_8,_1>>;", *(["// a plain line"] * 3000)]
    document = Document("kernel.cu", "\n".join(lines))
    assert "A = (4,8):(8,1)" in str(hover(document, Place(1, 6)))
    document.change("\n".join(lines).replace("_4,", "_2,"))
    assert "A = (4,8):(8,1)" in str(hover(document, Place(1, 6)))
    list(document.findings())
    assert "A = (2,8):(8,1)" in str(hover(document, Place(1, 6)))


# -- conversations ---------------------------------------------------------------------------------------------------


class Editor:
    """A client with what the server tells it unasked."""

    def __init__(self) -> None:
        self.client = pygls_client.LanguageClient("test", "1")
        self.told: dict[str, Any] = {}
        self.edits: list[Any] = []
        self.news = asyncio.Event()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._publish(params))
        self.client.feature(types.WORKSPACE_APPLY_EDIT)(lambda params: self._apply(params))

    def _publish(self, params: Any) -> None:
        self.told[params.uri] = params.diagnostics
        self.news.set()

    def _apply(self, params: Any) -> Any:
        self.edits.append(params.edit)
        return types.ApplyWorkspaceEditResult(True)

    async def open(self, name: str, language: str, text: str) -> Any:
        """Open a document and wait for its diagnostics; its identifier."""
        uri = f"file:///kernels/{name}"
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await self.diagnostics(uri)
        return types.TextDocumentIdentifier(uri)

    async def diagnostics(self, uri: str) -> Any:
        """The next diagnostics of a document."""
        while uri not in self.told:
            self.news.clear()
            await self.news.wait()
        return self.told.pop(uri)

    def change(self, document: Any, version: int, line: int, start: int, end: int, text: str) -> None:
        where = types.Range(types.Position(line, start), types.Position(line, end))
        change = types.TextDocumentContentChangePartial(text=text, range=where)
        name = types.VersionedTextDocumentIdentifier(version=version, uri=document.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(name, [change]))

    async def hover(self, document: Any, line: int, column: int) -> str:
        found = await self.client.text_document_hover_async(types.HoverParams(document, types.Position(line, column)))
        return "" if found is None else str(found.contents.value)

    async def actions(self, document: Any, line: int, column: int = 0) -> list[Any]:
        at = types.Position(line, column)
        context = types.CodeActionContext([])
        params = types.CodeActionParams(document, types.Range(at, at), context)
        return list(await self.client.text_document_code_action_async(params))

    async def command(self, name: str, document: Any, line: int, column: int) -> Any:
        params = types.ExecuteCommandParams(f"laycalc.{name}", [document.uri, line, column])
        return await self.client.workspace_execute_command_async(params)


def conversation(talk: Callable[[Editor], Awaitable[None]]) -> None:
    """Start the server, talk with it, and see that it ends well."""

    async def held() -> None:
        editor = Editor()
        await editor.client.start_io(sys.executable, "-m", "laycalc", "lsp")
        wishes = {"inlayHints": True}
        await editor.client.initialize_async(
            types.InitializeParams(types.ClientCapabilities(), initialization_options=wishes)
        )
        editor.client.initialized(types.InitializedParams())
        await talk(editor)
        await editor.client.shutdown_async(None)
        editor.client.exit(None)
        await editor.client.stop()

    asyncio.run(held())


LAYOUTS = """\
A = (4,6,8):(2,3,5)
B = A o 6:3
C = Sw<2,0,3> o 0 o (8,8):(8,1)
size(C)
(M,64):(64,1) / <128,64>
composition(A,
"""


def test_a_layout_file() -> None:
    async def talk(editor: Editor) -> None:
        document = await editor.open("tiles.layout", "layout", LAYOUTS.rpartition("composition")[0])
        told = await editor.hover(document, 3, 5)
        assert "C = Sw<2,0,3> o 0 o (8,8):(8,1)" in told
        assert "size 64, cosize 64" in told and "conflict" in told
        assert "size(x)" in await editor.hover(document, 3, 1)
        assert "128 | M" in await editor.hover(document, 4, 14)
        assert await editor.hover(document, 40, 5) == ""
        repairs = [a for a in await editor.actions(document, 1) if isinstance(a, types.CodeAction)]
        (edit,) = repairs[0].edit.changes[document.uri]
        assert edit.new_text == "B = A o 6:2"
        assert repairs[0].diagnostics[0].code == "LC301"
        editor.change(document, 2, 1, edit.range.start.character, edit.range.end.character, edit.new_text)
        assert not await editor.diagnostics(document.uri)
        found = await editor.client.text_document_definition_async(
            types.DefinitionParams(document, types.Position(3, 5))
        )
        assert (found.range.start.line, found.range.end.character) == (2, 1)
        listed = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        assert [symbol.name for symbol in listed] == ["A", "B", "C"]
        whole = types.Range(types.Position(0, 0), types.Position(9, 0))
        hints = await editor.client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
        assert [(h.position.line, h.label) for h in hints][:2] == [(0, "= (4,6,8):(2,3,5)"), (1, "= (2,3):(4,3)")]
        drawn = await editor.command("draw", document, 3, 5)
        assert drawn["text"].startswith("<svg")
        assert "level" in (await editor.command("why", document, 1, 6))["text"]
        assert "prefix products" in (await editor.command("explain", document, 1, 0))["text"]
        await editor.command("insertCheck", document, 2, 0)
        ((made,),) = editor.edits[0].changes.values()
        assert made.new_text == "\nassert C == Sw<2,0,3> o 0 o (8,8):(8,1)"

    conversation(talk)


def test_words_are_completed_and_signatures_shown() -> None:
    async def talk(editor: Editor) -> None:
        document = await editor.open("tiles.layout", "layout", LAYOUTS)
        at = types.Position(5, 14)
        found = await editor.client.text_document_completion_async(types.CompletionParams(document, at))
        words = {item.label: item for item in found}
        assert {"A", "B", "C", "coalesce"} <= set(words)
        assert words["coalesce"].detail.startswith("coalesce(L")
        told = await editor.client.text_document_signature_help_async(types.SignatureHelpParams(document, at))
        assert told.signatures[0].label.startswith("composition(A, B")
        assert told.active_parameter == 1

    conversation(talk)


KERNEL = """\
#include <cute/tensor.hpp>
using namespace cute;

using SmemLayout = decltype(composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>,Stride<_64,_1>>{}));
using Tile = Layout<Shape<_4,_6,_8>,Stride<_2,_3,_5>>;
using Bad = decltype(composition(Tile{}, Layout<_6,_3>{}));
// laycalc: assert size((4,8):(1,4)) == 33
"""


def test_a_kernel_in_cpp() -> None:
    async def talk(editor: Editor) -> None:
        uri = "file:///kernels/kernel.cu"
        item = types.TextDocumentItem(uri, "cuda-cpp", 1, KERNEL)
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        document = types.TextDocumentIdentifier(uri)
        found = {d.range.start.line: d for d in await editor.diagnostics(uri)}
        assert found[6].code == "LC501"
        assert found[5].code == "LC301"
        assert found[5].code_description.href.endswith("LC301.md")
        told = await editor.hover(document, 3, 8)
        assert "SmemLayout = Sw<3,3,3> o 0 o (8,64):(64,1)" in told and "conflict" in told
        assert await editor.hover(document, 0, 3) == ""
        listed = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        assert {"SmemLayout", "Tile"} <= {symbol.name for symbol in listed}
        await editor.command("insertCheck", document, 4, 8)
        ((made,),) = editor.edits[0].changes.values()
        assert made.new_text == "\nstatic_assert(cute::size(Tile{}) == 192);"
        commands = [a.command for a in await editor.actions(document, 3) if isinstance(a, types.Command)]
        assert "laycalc.draw" in commands

    conversation(talk)


DSL = """\
import cutlass.cute as cute

@cute.jit
def kernel():
    tile = cute.make_layout((4, 8), stride=(8, 1))
    half = cute.composition(tile, cute.make_layout(8, stride=2))
    # laycalc: size((4,8):(8,1)) o
"""


def test_a_kernel_in_the_dsl() -> None:
    async def talk(editor: Editor) -> None:
        document = await editor.open("kernel.py", "python", DSL)
        assert "tile = (4,8):(8,1)" in await editor.hover(document, 4, 6)
        assert "half = (2,4):(16,1)" in await editor.hover(document, 5, 6)
        await editor.command("insertCheck", document, 4, 6)
        ((made,),) = editor.edits[0].changes.values()
        assert made.new_text == "\n    assert cute.size(tile) == 32"

    conversation(talk)


def test_a_storm_of_edits_and_a_large_file() -> None:
    async def talk(editor: Editor) -> None:
        small = await editor.open("small.layout", "layout", "A = (4,8):(8,1)\nsize(A)")
        for k in range(1000):
            editor.change(small, k + 2, 0, 5, 6, str(k % 9 + 1))
        assert "(1,8):(8,1)" in await editor.hover(small, 1, 5)
        large = await editor.open("large.layout", "layout", "\n".join(f"A{i} = ({i},8):(8,1)" for i in range(1, 20001)))
        editor.change(large, 2, 0, 6, 7, "7")
        assert "A1 = (7,8):(8,1)" in await editor.hover(large, 0, 1)
        assert "A20000 = (20000,8):(8,1)" in await editor.hover(large, 19999, 1)

    conversation(talk)


def test_columns_are_those_of_the_editor() -> None:
    async def talk(editor: Editor) -> None:
        document = await editor.open("\U0001d4dcx.layout", "layout", 'A = 4:1; "\U0001d4dc\U0001d4dc"; A; nope')
        found = await editor.client.text_document_hover_async(types.HoverParams(document, types.Position(0, 17)))
        assert (found.range.start.character, found.range.end.character) == (17, 18)

    conversation(talk)


@pytest.mark.parametrize(
    "message",
    [
        b"Content-Length: 3\r\n\r\n{]}",
        b"Content-Length: 2\r\n\r\n[]",
        b'Content-Length: 16\r\n\r\n{"jsonrpc":"2.0"',
        b"Content-Length: 4\r\n\r\nnull",
        b'Content-Length: 58\r\n\r\n{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","x":',
    ],
)
def test_a_malformed_message_ends_nothing(message: bytes) -> None:
    """A request behind the bad message is answered."""
    good = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
    end = json.dumps({"jsonrpc": "2.0", "method": "exit"}).encode()
    sent = message + b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(text), text) for text in (good, end))
    done = subprocess.run([sys.executable, "-m", "laycalc", "lsp"], input=sent, capture_output=True, timeout=60)
    assert b'"id": 1' in done.stdout or b'"id":1' in done.stdout
    assert b"capabilities" in done.stdout


def test_the_server_says_what_it_stands_on(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ModuleNotFoundError('no', name='pygls')")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from laycalc.cli.main import main; main(['lsp'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'laycalc[lsp]'" in done.stderr
