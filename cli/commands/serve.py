"""``laycalc serve``: the playground's page on this machine."""

from __future__ import annotations

import errno
from typing import Annotated

import typer

from laycalc.diagnostics.model import Diagnostic, Failure

from ..streams.command import command
from ..streams.output import write_line

__all__ = ["run"]


@command(180, "The page of the playground, on this machine only.", "laycalc serve", "laycalc serve --port 8790 --open")
def run(
    port: Annotated[int, typer.Option(help="The port on 127.0.0.1.", show_default="a free one", min=0, max=65535)] = 0,
    open: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> int:
    """Serve the playground at an address that only you know, until ctrl-C.

    The page talks to this process alone, nothing leaves the machine. Whoever has the address can evaluate and draw,
    and read no file.
    """
    from laycalc.playground.server import Server

    try:
        server = Server(port)
    except OSError as error:
        taken = "it is in use" if error.errno == errno.EADDRINUSE else error.strerror
        raise Failure(Diagnostic("LC103", f"cannot listen on port {port}: {taken}")) from None
    write_line(server.address)
    _flush()
    if open:
        import webbrowser

        webbrowser.open(server.address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return 0
    finally:
        server.server_close()
    return 0


def _flush() -> None:
    """The address is wanted now, by a program that reads it from a pipe, too."""
    import sys

    sys.stdout.flush()
