"""One self-contained web page: the SVG, a little script of our own, no network."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from ..scene.records import Format
from .svg import escape, svg

if TYPE_CHECKING:
    from ..scene.scene import Scene


def html(scene: Scene) -> str:
    """The scene as a page: hover tells what a cell is, click pins a thread or an offset, keys move and zoom."""
    assets = files("laycalc.render") / "assets"
    title = escape(scene.title or scene.caption.split("\n")[0] or scene.kind)
    return _PAGE.format(
        title=title,
        style=(assets / "page.css").read_text(encoding="utf-8"),
        script=(assets / "page.js").read_text(encoding="utf-8"),
        picture=svg(scene, data=True),
    )


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<header>
<form id="find" role="search"><label for="pick">Pin</label>
<input id="pick" placeholder="T11, V3, (2,5) or 26" autocomplete="off" spellcheck="false"></form>
<button type="button" id="smaller" title="smaller (-)">&#8722;</button>
<button type="button" id="whole" title="original size (0)">1:1</button>
<button type="button" id="larger" title="larger (+)">+</button>
<output id="facts" aria-live="polite">Point at a cell; click to pin its thread or offset.</output>
</header>
<main id="picture">
{picture}</main>
<footer>Arrow keys move, Enter pins, Escape releases, + &#8722; 0 zoom, / searches.</footer>
<script>
{script}</script>
</body>
</html>
"""


HTML = Format("html", html)
