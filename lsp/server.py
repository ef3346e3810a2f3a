"""The server: the protocol's requests to questions about a document, on standard input and output.

One document is worked on at a time, in slices: a change or a question never waits for more than a slice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import PositionCodec

from laycalc.algebra.base.errors import LayoutError
from laycalc.cli.checks.sources import SUFFIXES, suffix_of
from laycalc.diagnostics.model import Diagnostic, Failure

from .acting import check_of, draw, explain, repairs, why
from .document import Document, Told
from .hovering import hover
from .naming import completions, definition, hints, signature, symbols
from .places import Place, Range
from .told import function_in_markdown

__all__ = ["Server", "server"]

ENDINGS = {
    "layout": ".layout",
    "cpp": ".cpp",
    "c": ".cpp",
    "cuda-cpp": ".cu",
    "cuda": ".cu",
    "python": ".py",
    "markdown": ".md",
}
"""The ending of a document that has no file yet, by the language that the editor says."""
SLICE = 50
"""Pieces that are evaluated before a question is looked for."""
PAUSE = 0.1
"""Seconds without a change before a document is gone through; questions are answered at once."""
SHOWN = 1000
"""Diagnostics of one document that are sent; that there are more is said."""

COMMANDS: dict[str, Callable[[Document, Place], str]] = {
    "laycalc.draw": draw,
    "laycalc.explain": explain,
    "laycalc.why": why,
}
"""Commands that tell of a place; the editor shows the text or the picture."""
CHECK = "laycalc.insertCheck"


def _version() -> str:
    """The version of the package; a checkout that is not installed has none."""
    try:
        return version("laycalc")
    except PackageNotFoundError:
        return "unknown"


class Server(LanguageServer):
    """The documents that are open, and what is being worked on."""

    def __init__(self) -> None:
        super().__init__("laycalc", _version())
        self.documents: dict[str, Document] = {}
        self.work: dict[str, asyncio.Task[None]] = {}
        self.wishes = {"pictures": True, "inlayHints": False}

    def wish(self, given: Any) -> None:
        """Take the wishes that an editor says."""
        for name in self.wishes:
            if isinstance(given, dict) and isinstance(given.get(name), bool):
                self.wishes[name] = given[name]

    @property
    def codec(self) -> PositionCodec:
        """How the editor counts columns."""
        return self.workspace.position_codec

    def place(self, document: Document, position: types.Position) -> Place:
        """The place of the editor's position; a line that is not there is the last one."""
        lines = document.pieces.lines
        line = min(position.line, len(lines) - 1)
        found = self.codec.position_from_client_units(lines, types.Position(line, position.character))
        return Place(line, min(found.character, len(lines[line])))

    def range(self, document: Document, found: Range) -> types.Range:
        """A range as the editor counts it."""
        start, end = (types.Position(place.line, place.column) for place in found)
        return self.codec.range_to_client_units(document.pieces.lines, types.Range(start, end))

    def check(self, uri: str) -> None:
        """Tell what is wrong with a document, once it is known; what was begun for an older text is given up."""
        if uri in self.work:
            self.work.pop(uri).cancel()
        self.work[uri] = asyncio.ensure_future(self._check(uri, self.documents[uri]))

    async def _check(self, uri: str, document: Document) -> None:
        await asyncio.sleep(PAUSE)
        found: list[Told] = []
        for number, piece in enumerate(document.pieces.pieces):
            found += document.told(piece)
            if number % SLICE == SLICE - 1:
                await asyncio.sleep(0)
        found += document.findings()
        diagnostics = [self._diagnostic(document, told) for told in found[:SHOWN]]
        if len(found) > SHOWN:
            diagnostics.append(_more(len(found) - SHOWN))
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def _diagnostic(self, document: Document, told: Told) -> types.Diagnostic:
        diagnostic = told.diagnostic
        said = [diagnostic.message, *filter(None, [diagnostic.witness and f"witness: {diagnostic.witness}"])]
        said += [f"note: {note}" for note in diagnostic.notes]
        warning = diagnostic.severity == "warning"
        return types.Diagnostic(
            range=self.range(document, told.range),
            message="\n".join(said),
            severity=types.DiagnosticSeverity.Warning if warning else types.DiagnosticSeverity.Error,
            code=diagnostic.code,
            code_description=types.CodeDescription(_page(diagnostic)),
            source="laycalc",
        )


def _page(diagnostic: Diagnostic) -> str:
    """The address of the page of a code, which lies in the package."""
    return Path(str(files("laycalc.diagnostics") / "pages" / f"{diagnostic.code}.md")).as_uri()


def _more(count: int) -> types.Diagnostic:
    start = types.Position(0, 0)
    return types.Diagnostic(types.Range(start, start), f"{count} more findings are not shown", source="laycalc")


server = Server()


def asked(params: Any) -> Document | None:
    """The document that a request is about, if it is one of ours."""
    return server.documents.get(params.text_document.uri)


@server.feature(types.INITIALIZE)
def initialize(params: types.InitializeParams) -> None:
    """Take the wishes that the editor begins with."""
    server.wish(params.initialization_options)


@server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
def configured(params: types.DidChangeConfigurationParams) -> None:
    """Take other wishes."""
    settings = params.settings
    server.wish(settings.get("laycalc", settings) if isinstance(settings, dict) else settings)


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def opened(params: types.DidOpenTextDocumentParams) -> None:
    """Begin with a document, if the language can stand in it."""
    item = params.text_document
    path = to_fs_path(item.uri) or item.uri
    if suffix_of(path) not in SUFFIXES:
        path += ENDINGS.get(item.language_id, "")
    if suffix_of(path) in SUFFIXES:
        server.documents[item.uri] = Document(path, item.text)
        server.check(item.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def changed(params: types.DidChangeTextDocumentParams) -> None:
    """Go on with another text."""
    document = asked(params)
    if document is not None:
        document.change(server.workspace.get_text_document(params.text_document.uri).source)
        server.check(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def closed(params: types.DidCloseTextDocumentParams) -> None:
    """Forget a document."""
    uri = params.text_document.uri
    if server.documents.pop(uri, None) is not None:
        if uri in server.work:
            server.work.pop(uri).cancel()
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hovered(params: types.HoverParams) -> types.Hover | None:
    """What stands at a place."""
    document = asked(params)
    told = None
    if document is not None:
        told = hover(document, server.place(document, params.position), server.wishes["pictures"])
    if document is None or told is None:
        return None
    text, around = told
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), server.range(document, around))


@server.feature(types.TEXT_DOCUMENT_DEFINITION)
def defined(params: types.DefinitionParams) -> types.Location | None:
    """Where a name is bound."""
    document = asked(params)
    found = None if document is None else definition(document, server.place(document, params.position))
    if document is None or found is None:
        return None
    return types.Location(params.text_document.uri, server.range(document, found))


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def listed(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """The layouts of a file."""
    document = asked(params)
    found = []
    for symbol in () if document is None else symbols(document):
        here = server.range(document, symbol.range)  # type: ignore[arg-type]
        found.append(types.DocumentSymbol(symbol.name, types.SymbolKind.Variable, here, here, symbol.detail))
    return found


@server.feature(types.TEXT_DOCUMENT_COMPLETION)
def completed(params: types.CompletionParams) -> list[types.CompletionItem]:
    """Functions and names."""
    document = asked(params)
    found = [] if document is None else completions(document, server.place(document, params.position))
    return [_item(one.name, one.function) for one in found]


def _item(name: str, function: Any) -> types.CompletionItem:
    if function is None:
        return types.CompletionItem(name, kind=types.CompletionItemKind.Variable)
    about = types.MarkupContent(types.MarkupKind.Markdown, function_in_markdown(function))
    return types.CompletionItem(
        name, kind=types.CompletionItemKind.Function, detail=function.signature, documentation=about
    )


@server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","]))
def signed(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """What the function takes whose brackets are open."""
    document = asked(params)
    found = None if document is None else signature(document, server.place(document, params.position))
    if found is None:
        return None
    function, place = found
    parameters = [types.ParameterInformation(p.name) for p in function.parameters]
    told = types.SignatureInformation(function.signature, function.help, parameters)
    return types.SignatureHelp([told], 0, min(place, max(0, len(parameters) - 1)))


@server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
def hinted(params: types.InlayHintParams) -> list[types.InlayHint]:
    """The values of bindings, if the editor wants them."""
    document = asked(params)
    if document is None or not server.wishes["inlayHints"]:
        return []
    found = []
    for hint in hints(document, params.range.start.line, params.range.end.line):
        at = server.range(document, Range(hint.place, hint.place)).start
        found.append(types.InlayHint(at, f"= {hint.text}", padding_left=True))
    return found


@server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
def offered(params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
    """Repairs that were tried, and the commands."""
    document = asked(params)
    if document is None:
        return []
    uri, first, last = params.text_document.uri, params.range.start.line, params.range.end.line
    found = repairs(document, first, min(last, first + SLICE))
    actions: list[types.CodeAction | types.Command] = [_repair(document, uri, one) for one in found]
    for title, command in (
        ("laycalc: draw this", "laycalc.draw"),
        ("laycalc: explain", "laycalc.explain"),
        ("laycalc: why", "laycalc.why"),
        ("laycalc: insert check", CHECK),
    ):
        where = [uri, params.range.start.line, params.range.start.character]
        actions.append(types.Command(title, command, arguments=where))
    return actions


def _repair(document: Document, uri: str, repair: Any) -> types.CodeAction:
    edit = types.TextEdit(server.range(document, repair.edit.range), repair.edit.text)
    return types.CodeAction(
        repair.title,
        types.CodeActionKind.QuickFix,
        diagnostics=[server._diagnostic(document, repair.told)],
        edit=types.WorkspaceEdit({uri: [edit]}),
    )


def _told(name: str) -> Callable[[str, int, int], dict[str, Any]]:
    """The command of a name: a text, or why there is none."""

    def told(uri: str, line: int, character: int) -> dict[str, Any]:
        document = server.documents.get(uri)
        if document is None:
            return {"error": "the document is not open"}
        try:
            return {"text": COMMANDS[name](document, server.place(document, types.Position(line, character)))}
        except Failure as failure:
            return {"error": failure.diagnostic.message}
        except LayoutError as error:
            return {"error": str(error)}

    return told


for _name in COMMANDS:
    server.command(_name)(_told(_name))


@server.command(CHECK)
async def inserted(uri: str, line: int, character: int) -> dict[str, Any]:
    """Put a line below that fails when the value changes."""
    document = server.documents.get(uri)
    edit = None if document is None else check_of(document, server.place(document, types.Position(line, character)))
    if document is None or edit is None:
        return {"error": "nothing here has a value"}
    made = types.TextEdit(server.range(document, edit.range), edit.text)
    await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(types.WorkspaceEdit({uri: [made]})))
    return {"text": edit.text.strip()}
