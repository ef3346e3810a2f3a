"""``laycalc lsp``: the editor's server."""

from __future__ import annotations

from laycalc.diagnostics.model import Diagnostic, Failure

from ..streams.command import command

__all__ = ["run"]


@command(190, "The language server, for editors.", "laycalc lsp")
def run() -> int:
    """Speak the language server protocol on standard input and output; needs `pip install 'laycalc[lsp]'`.

    Hover, diagnostics, repairs, completion and more, for .layout files and for C++, CUDA and Python sources;
    docs/editors.md says how an editor starts it.
    """
    try:
        from laycalc.lsp.server import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Failure(Diagnostic("LC103", "the server stands on pygls: pip install 'laycalc[lsp]'")) from None
    server.start_io()
    return 0
