"""The page on this machine: a server on 127.0.0.1 whose address is a secret, and that answers nobody else.

What it serves lies in the package and is read once; no path of a request reaches the file system. A request must name
this machine as its host and carry the token in its path; one that a page of another origin makes is refused.
"""

from __future__ import annotations

import json
import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any

from .process import Answering, Stopped

__all__ = ["Server"]

QUESTION = 4 << 20
"""A question of more bytes is refused; the text in it may have 1 MiB, and JSON may need more to write it."""

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def pages() -> dict[str, tuple[str, bytes]]:
    """What is served: the type and the bytes of each name."""
    found = {}
    for entry in (files("laycalc.playground") / "page").iterdir():
        ending = entry.name[entry.name.rfind(".") :]
        if ending in TYPES:
            found[entry.name] = TYPES[ending], entry.read_bytes()
    found[""] = found["index.html"]
    found["engine.json"] = TYPES[".json"], json.dumps({"engine": "process"}).encode()
    return found


class Server(ThreadingHTTPServer):
    """Serves the page and answers its questions; ``address`` is where."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int = 0) -> None:
        self.token = secrets.token_urlsafe(24)
        self.pages = pages()
        self.answering = Answering()
        super().__init__(("127.0.0.1", port), Handler)

    @property
    def host(self) -> str:
        """The host that a request must name."""
        return f"127.0.0.1:{self.server_port}"

    @property
    def address(self) -> str:
        """The address of the page, with the token."""
        return f"http://{self.host}/{self.token}/"

    def server_close(self) -> None:
        super().server_close()
        self.answering.stop()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that breaks is nobody's fault."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "laycalc", ""
    timeout = 60
    # Head and body are two packets: the second shall not wait until the first is acknowledged.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        name = self._name()
        if name is None:
            self._say(403, "this address is not yours")
        elif name not in self.server.pages:
            self._say(404, "there is no such page")
        else:
            self._send(200, *self.server.pages[name])

    def do_POST(self) -> None:
        name = self._name()
        body = self._body() if name in ("answer", "stop") else None
        if name is None:
            self._say(403, "this address is not yours")
        elif name not in ("answer", "stop"):
            self._say(404, "there is no such page")
        elif body is None:
            self._say(400, "a question is JSON of at most 4 MiB")
        elif name == "stop":
            self.server.answering.stop()
            self._send(200, TYPES[".json"], b'{"ok": true}')
        else:
            self._answer(body)

    def _answer(self, body: bytes) -> None:
        try:
            self._send(200, TYPES[".json"], self.server.answering.ask(body))
        except Stopped:
            self._send(200, TYPES[".json"], b'{"ok": false, "stopped": true}')

    def _name(self) -> str | None:
        """The name behind the token; None for a request that is not this page's own."""
        headers, server = self.headers, self.server
        token, slash, name = self.path.removeprefix("/").partition("/")
        known = secrets.compare_digest(token.encode("utf-8", "replace"), server.token.encode())
        near = headers.get_all("Host") == [server.host]
        own = headers.get("Origin", f"http://{server.host}") == f"http://{server.host}"
        asked = headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
        return name.partition("?")[0] if slash and known and near and own and asked else None

    def _body(self) -> bytes | None:
        """The body of a question; None for one of another type or length."""
        length = self.headers.get("Content-Length", "")
        if self.headers.get_content_type() != "application/json" or not (length.isascii() and length.isdecimal()):
            return None
        return self.rfile.read(int(length)) if len(length) < 10 and int(length) <= QUESTION else None

    def _say(self, code: int, text: str) -> None:
        # What the request still has to say is not read: the connection ends.
        self.close_connection = True
        self._send(code, "text/plain; charset=utf-8", f"{text}\n".encode())

    def _send(self, code: int, type_: str, body: bytes) -> None:
        self.send_response(code)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", type_)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged: a path has the token."""
