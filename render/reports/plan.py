"""A plan of several parts as text, Markdown or one HTML page, with the pictures that were drawn for it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from laycalc.design.gemm.plan import Plan

__all__ = ["html", "markdown", "text"]


def text(plan: Plan) -> str:
    """Sentences and statements, part by part."""
    lines = [plan.title]
    for part in plan.parts:
        lines += ["", part.title, *(f"  {line}" for line in part.told), *(f"    {line}" for line in part.statements)]
    return "\n".join(lines)


def markdown(plan: Plan, files: Mapping[str, str]) -> str:
    """A page whose ``layout`` blocks `laycalc check` reads; ``files`` has the picture of each part by its title."""
    lines = [f"# {plan.title}", ""]
    for part in plan.parts:
        lines += [f"## {part.title}", "", *(f"- {line}" for line in part.told), ""]
        if part.picture is not None and part.title in files:
            lines += [f"![{part.picture.title}]({files[part.title]})", ""]
        lines += ["```layout", *part.statements, "```", ""]
    return "\n".join(lines).rstrip() + "\n"


STYLE = (
    "body{max-width:60em;margin:2em auto;padding:0 1em;font:16px/1.5 system-ui,sans-serif}"
    "body{color:#1b1f24;background:#fff}"
    "pre{background:#f3f4f6;padding:.8em;overflow-x:auto;font-size:13px}"
    "figure{margin:1em 0;overflow-x:auto}svg{max-width:100%;height:auto}figcaption{color:#4b5563}"
)


def html(plan: Plan, pictures: Mapping[str, str]) -> str:
    """A page that needs nothing else; ``pictures`` has the SVG of each part by its title."""
    parts = [f"<h1>{escape(plan.title)}</h1>"]
    for part in plan.parts:
        parts.append(f"<section><h2>{escape(part.title)}</h2>")
        parts.append("<ul>" + "".join(f"<li>{escape(line)}</li>" for line in part.told) + "</ul>")
        if part.picture is not None and part.title in pictures:
            caption = f"<figcaption>{escape(part.picture.title)}</figcaption>"
            parts.append(f"<figure>{_inline(pictures[part.title])}{caption}</figure>")
        parts.append("<pre><code>" + escape("\n".join(part.statements)) + "</code></pre></section>")
    head = f'<meta charset="utf-8"><title>{escape(plan.title)}</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'


def _inline(svg: str) -> str:
    """The picture without what only a file of its own has."""
    return svg[svg.index("<svg") :]
