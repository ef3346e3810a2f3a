"""The site of the documents: every link of it leads somewhere, and nothing is asked of another host."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("markdown", reason="the site is made by Python-Markdown")

ROOT = Path(__file__).parents[2]


def script() -> ModuleType:
    spec = spec_from_file_location("website", ROOT / "docs" / "website.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Page(HTMLParser):
    """The links, anchors and scripts of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.tags: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" and value:
                self.anchors.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert script().main([str(folder), "--without-playground"]) == 0
    return folder


def test_every_page_is_there(site: Path) -> None:
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert {"index.html", "gallery/index.html", "docs/editors.html", "diagnostics/pages/LC301.html"} <= pages
    assert len(pages) >= len(list(ROOT.glob("docs/*.md"))) + len(list(ROOT.glob("diagnostics/pages/*.md")))


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {path: Page(path) for path in site.rglob("*.html")}
    lost = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or "playground/" in link:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = pages[target].anchors if target in pages else {parts.fragment}
            if not target.exists() or (parts.fragment and parts.fragment not in anchors):
                lost.append(f"{path.relative_to(site)}: {link}")
    assert not lost


def test_nothing_comes_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        page = Page(path)
        assert "script" not in page.tags
        loaded = re.findall(r'(?:src|<link[^>]*href)="([^"]*)"', path.read_text("utf-8"))
        assert not [address for address in loaded if urlsplit(address).netloc]
    assert "codehilite" in (site / "site.css").read_text()


def test_layout_text_has_its_colours(site: Path) -> None:
    assert '<span class="nf">' in (site / "docs" / "language.html").read_text("utf-8")


def test_a_folder_with_something_in_it_is_left_alone(site: Path) -> None:
    with pytest.raises(SystemExit, match="not empty"):
        script().main([str(site), "--without-playground"])
