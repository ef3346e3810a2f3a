"""Builds the documents as a site: python docs/website.py FOLDER [--pyodide FOLDER] [--without-playground]

Every page of the repository keeps its place, README.md becomes index.html; what a page links to comes along. The
playground goes into playground/. Needs `pip install 'laycalc[docs]'`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from html import escape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import markdown
from pygments.formatters import HtmlFormatter

from laycalc.playground import build as playground

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "docs/*.md", "gallery/README.md", "diagnostics/pages/*.md", "CHANGELOG.md", "CONTRIBUTING.md")
EXTENSIONS = ["tables", "fenced_code", "codehilite", "toc", "sane_lists"]

TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'">
<title>{title}</title>
<link rel="stylesheet" href="{top}site.css">
</head>
<body>
<nav aria-label="Pages">{menu}</nav>
<main>
{body}
</main>
</body>
</html>
"""

STYLE = """\
:root { color-scheme: light dark; --ink: #16181d; --page: #fff; --line: #c3c8cf; --soft: #f5f6f8; --link: #0b5cad; }
body { display: grid; grid-template-columns: 13rem minmax(0, 50rem); gap: 2rem; margin: 0 auto; max-width: 70rem;
  padding: 1rem; color: var(--ink); background: var(--page); font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; }
nav ul { list-style: none; margin: 0; padding: 0; }
a { color: var(--link); }
pre, code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9rem; }
pre { overflow-x: auto; padding: .7rem; background: var(--soft); border-radius: .3rem; }
img { max-width: 100%; background: #fff; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
td, th { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
@media (max-width: 50rem) { body { display: block; } }
"""
DARK = ":root { --ink: #e9ebee; --page: #16181d; --line: #454b55; --soft: #20242b; --link: #7db7f5; }"


def build(folder: Path) -> list[Path]:
    """Write all pages and what they link to into a folder; the pages that were written."""
    sources = [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    targets = {path: _target(path) for path in sources}
    written = []
    for source, target in targets.items():
        text = source.read_text(encoding="utf-8")
        body = markdown.markdown(
            text,
            extensions=EXTENSIONS,
            extension_configs={"toc": {"slugify": slug}, "codehilite": {"guess_lang": False}},
        )
        body = _linked(body, source, target, targets, folder)
        title = re.sub(r"[#`]", "", text.partition("\n")[0]).strip() or source.stem
        top = "../" * (len(target.parts) - 1)
        page = TEMPLATE.format(title=escape(title), top=top, menu=_menu(top, targets), body=body)
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        (folder / target).write_text(page, encoding="utf-8")
        written.append(folder / target)
    (folder / "site.css").write_text(_style(), encoding="utf-8")
    return written


def _target(source: Path) -> Path:
    """Where a page goes: its own place, README.md as the index of its folder."""
    place = source.relative_to(ROOT)
    return place.with_name("index.html") if place.name == "README.md" else place.with_suffix(".html")


def slug(text: str, separator: str = "-") -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


def _linked(body: str, source: Path, target: Path, targets: dict[Path, Path], folder: Path) -> str:
    """The page with its links to the other pages; the other files that it links to come along."""

    def replace(found: re.Match[str]) -> str:
        name, address = found[1], found[2]
        parts = urlsplit(address)
        if parts.scheme or parts.netloc or not parts.path:
            return found[0]
        linked = Path(os.path.normpath(source.parent / unquote(parts.path)))
        if linked in targets:
            place = targets[linked]
        else:
            place = _copied(linked, folder, f"{source.relative_to(ROOT)}: {address}")
        relative = Path(os.path.relpath(place, target.parent)).as_posix()
        return f'{name}="{relative}{"#" + parts.fragment if parts.fragment else ""}"'

    return re.sub(r'\b(href|src)="([^"]*)"', replace, body)


def _copied(linked: Path, folder: Path, what: str) -> Path:
    """A file of the repository in its place in the site; of a folder its index."""
    if ROOT not in linked.parents or not linked.exists():
        raise SystemExit(f"{what} leads nowhere")
    place = linked.relative_to(ROOT)
    if linked.is_dir():
        (folder / place).mkdir(parents=True, exist_ok=True)
        names = sorted(path.name for path in linked.iterdir() if path.is_file())
        items = "".join(f"<li>{escape(name)}</li>" for name in names)
        page = TEMPLATE.format(title=place.name, top="../" * len(place.parts), menu="", body=f"<ul>{items}</ul>")
        (folder / place / "index.html").write_text(page, encoding="utf-8")
        return place / "index.html"
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(linked, folder / place)
    return place


def _menu(top: str, targets: dict[Path, Path]) -> str:
    """The pages that are not those of codes, and the playground."""
    shown = [("playground/index.html", "playground")]
    for source, target in targets.items():
        if source.parent.name != "pages":
            name = source.parent.name if source.name == "README.md" and source.parent != ROOT else source.stem.lower()
            shown.append((target.as_posix(), "laycalc" if name == "readme" else name))
    items = "".join(f'<li><a href="{top}{place}">{escape(name)}</a></li>' for place, name in sorted(shown, key=_order))
    return f"<ul>{items}</ul>"


def _order(entry: tuple[str, str]) -> tuple[int, str]:
    first = ("laycalc", "playground", "tutorial", "language", "gallery")
    return (first.index(entry[1]) if entry[1] in first else len(first), entry[1])


def _style() -> str:
    light = HtmlFormatter(style="default").get_style_defs(".codehilite")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".codehilite")
    return f"{STYLE}{light}\n@media (prefers-color-scheme: dark) {{ {DARK}\n{dark}\n}}\n"


def main(arguments: list[str]) -> int:
    """Build the site, and say where it is."""
    parser = argparse.ArgumentParser(prog="docs/website.py", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the site goes: a new or an empty folder")
    parser.add_argument("--pyodide", type=Path, help="the unpacked package of Pyodide")
    parser.add_argument("--without-playground", action="store_true", help="the pages alone")
    given = parser.parse_args(arguments)
    if given.folder.exists() and any(given.folder.iterdir()):
        raise SystemExit(f"{given.folder} is not empty")
    pages = build(given.folder)
    if not given.without_playground:
        with tempfile.TemporaryDirectory() as there:
            playground.build(given.folder / "playground", given.pyodide or playground.fetched(Path(there)))
    print(f"{given.folder}: {len(pages)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
