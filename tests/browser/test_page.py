"""The page in a real Chromium, over both engines: the process of `laycalc serve`, and Python in a worker."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote

import pytest
from program import laycalc

from laycalc.playground.build import build, fetched
from laycalc.playground.server import Server

playwright: Any = pytest.importorskip("playwright.sync_api", reason="the browser is driven by playwright")
CHROMIUM = os.environ.get("LAYCALC_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

FLAGS = ("no-sandbox", "disable-gpu", "disable-background-networking", "disable-component-update", "disable-sync",
         "no-first-run")  # fmt: skip
FIGURE = "((4,8),2):((16,1),8)"
FAILS = "(4,6,8):(2,3,5) o 6:3"


class Quiet(SimpleHTTPRequestHandler):
    """A host of files, as any is."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


@pytest.fixture(scope="module")
def static(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page as the build makes it."""
    there = tmp_path_factory.mktemp("pyodide")
    known = os.environ.get("LAYCALC_PYODIDE")
    try:
        pyodide = Path(known) if known else fetched(there)
    except SystemExit as reason:
        pytest.skip(f"there is no Pyodide: {reason}")
    site = tmp_path_factory.mktemp("site")
    build(site, pyodide)
    host = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=host.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{host.server_port}/"
    host.shutdown()
    host.server_close()


@pytest.fixture(scope="module")
def process() -> Iterator[str]:
    """The address of the page as a process serves it."""
    server = Server()
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.address
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=[f"--{flag}" for flag in FLAGS])
        yield found
        found.close()


class Page:
    """A page that was loaded once; what went wrong on it, and where it asked."""

    def __init__(self, context: Any, address: str) -> None:
        self.address = address
        self.page = context.new_page()
        self.wrong: list[str] = []
        self.hosts: set[str] = set()
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.page.on("dialog", lambda dialog: (self.wrong.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda asked: self.hosts.add(asked.url.split("/")[2]))
        self.load("")

    def load(self, said: str) -> None:
        """Load the page with what stands behind its address."""
        self.page.goto("about:blank")
        self.page.goto(self.address + said)
        self.ready()

    def ready(self) -> None:
        self.page.locator("#status", has_text=re.compile("^Ready$")).wait_for(timeout=60_000)

    def visit(self, **said: Any) -> None:
        """Follow a link to this page: e the text, t the tab, and options under their names."""
        self.follow("#" + "&".join(f"{name.replace('__', '.')}={quote(value)}" for name, value in said.items()))

    def follow(self, said: str) -> None:
        """Change what stands behind the address."""
        self.page.evaluate(
            "said => new Promise((done) => { addEventListener('hashchange', () => done(), { once: true });"
            " if (location.hash === said) done(); location.hash = said; })",
            said,
        )
        self.ready()

    def type(self, text: str) -> None:
        self.page.locator("#text").fill(text)
        self.page.locator("#text").press("Enter")
        self.page.wait_for_timeout(50)
        self.ready()

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).first.inner_text())

    def copied(self, what: str) -> str:
        """What a button puts on the clipboard."""
        self.page.evaluate("navigator.clipboard.writeText('')")
        self.page.locator(f"[data-copy={what}]").click()
        self.page.locator("#copied", has_text="copied").wait_for()
        return str(self.page.evaluate("navigator.clipboard.readText()"))


@pytest.fixture(scope="module", params=["process", "static"])
def page(request: pytest.FixtureRequest, browser: Any) -> Iterator[Page]:
    address: str = request.getfixturevalue(request.param)
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    found = Page(context, address)
    yield found
    context.close()
    assert found.wrong == []
    assert found.hosts == {address.split("/")[2]}


def test_it_evaluates_and_draws(page: Page) -> None:
    page.type("(8,16):(20,1) / <4:1,8:2>")
    assert page.text("#answer .value") == "((4,2),(8,2)):((20,80),(2,1))"
    assert page.page.locator("#picture svg").count() == 1
    page.page.locator("#picture svg g > title").nth(3).locator("..").hover(force=True)
    assert "offset" in page.text("#facts")


def test_a_link_has_the_bytes_of_the_command(page: Page) -> None:
    page.visit(e=FIGURE, o__tile='"8x8"', o__legend="false")
    done = laycalc("draw", FIGURE, "--tile", "8x8", "--no-legend")
    assert page.copied("svg") == done.stdout
    link = page.copied("link")
    page.type("4")
    page.load(link.removeprefix(page.address))
    assert page.copied("svg") == done.stdout
    assert page.copied("command") == f"laycalc draw '{FIGURE}' --tile 8x8 --no-legend"


def test_it_copies_lines_and_pictures(page: Page) -> None:
    page.visit(e="(4,8):(8,1) / 4", t="table")
    assert page.copied("check") == "assert ((4,8):(8,1) / 4) == (4,8):(8,1)"
    assert page.copied("command") == "laycalc '(4,8):(8,1) / 4'"
    assert page.copied("markdown").startswith("```layout\n(4,8):(8,1) / 4\n# (4,8):(8,1)\n")
    page.page.locator("[data-copy=png]").click()
    page.page.locator("#copied", has_text="copied").wait_for()
    kinds = page.page.evaluate("navigator.clipboard.read().then(items => items.flatMap(item => item.types))")
    assert kinds == ["image/png"]


def test_a_repair_is_one_click(page: Page) -> None:
    page.type(f"B = 4:1\n{FAILS}")
    assert "LC301" in page.text("#answer")
    assert page.page.locator("#shade .wrong").count() == 2
    page.page.locator(".repair").first.click()
    page.page.locator("#answer .value", has_text="(2,3):(4,3)").wait_for()
    assert page.page.locator("#text").input_value() == "B = 4:1\n(4,6,8):(2,3,5) o 6:2"


def test_every_tab_answers(page: Page) -> None:
    page.type("(4,6,8):(2,3,5) o 6:2")
    for tab, words in {
        "Table": "cosize", "Explain": "prefix products", "Notations": "Layout<Shape<_2,_3>", "Banks": "wavefront",
        "Why": "level", "Sizes": "no unknown sizes", "Examples": "Figure 1", "Picture": "Options of the picture",
    }.items():  # fmt: skip
        page.page.locator("#tabs button", has_text=re.compile(f"^{tab}$")).click()
        page.page.locator("#view", has_text=words).wait_for()
        page.ready()
        assert not re.search(r"\[object|undefined|NaN", page.text("body"))


def test_a_table_has_its_nested_headers(page: Page) -> None:
    page.visit(e="((2,2),(2,2)):((1,4),(2,8))", t="table")
    rows = [row.split() for row in page.page.locator("#view table").first.locator("tr").all_inner_texts()]
    assert rows == [
        ["0", "1"],
        ["0", "1", "0", "1"],
        ["0", "0", "0", "2", "8", "10"],
        ["1", "1", "3", "9", "11"],
        ["1", "0", "4", "6", "12", "14"],
        ["1", "5", "7", "13", "15"],
    ]


def test_a_size_has_a_slider(page: Page) -> None:
    page.visit(e="(M,64):(64,1) / <128,64>", t="sizes")
    assert "128 | M" in page.text("#view")
    page.page.locator("#view input[type=number]").fill("512")
    page.page.locator("#view input[type=number]").press("Tab")
    page.page.locator("#answer .value", has_text="((128,4),(64,1)):((64,8192),(1,0))").wait_for()
    assert "d.M" in page.page.url


def test_an_option_redraws(page: Page) -> None:
    page.visit(e="(4,8):(8,1)", t="picture")
    page.page.locator("#wishes summary").click()
    page.page.locator("[data-option=label]").select_option("index")
    page.page.wait_for_timeout(100)
    page.ready()
    assert "o.label" in page.page.url
    assert page.copied("svg") == laycalc("draw", "(4,8):(8,1)", "--label", "index").stdout


def test_an_example_is_drawn(page: Page) -> None:
    page.visit(e="4", t="examples")
    page.page.locator(".examples button", has_text="Figure 6:").click()
    page.page.locator("#picture svg").wait_for()
    page.ready()
    assert page.page.locator("#text").input_value() == FIGURE


def test_pasted_text_and_links_of_another_visualiser_are_read(page: Page) -> None:
    page.type("Layout<Shape<_4,_8>,Stride<_8,_1>>{}")
    assert page.text("#answer .value") == "(4,8):(8,1)"
    page.load("?key=tv-1-(32,4):(1,32)-(8,16)")
    assert page.text("#answer .value") == "(32,4):(1,32)"
    assert page.copied("svg") == laycalc("draw", "?key=tv-1-(32,4):(1,32)-(8,16)", "--tile", "8x16").stdout


HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</textarea><script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "javascript:alert(1)",
    "4:1 # <b>bold</b> ]]> &amp; \u202e",
    'X = "<script>alert(1)</script>"; X',
)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_link_stays_a_text(page: Page, text: str) -> None:
    word = quote(text)
    said = f"#e={word}&t={word}&s={word}&o.title={quote(repr(text))}&o.kind={word}&d.{word}=1"
    if text == HOSTILE[0]:
        page.load(said)
    else:
        page.follow(said)
    assert page.page.locator("#text").input_value() == text
    assert page.page.locator("script").count() == 1
    assert page.page.locator("#answer img, #answer script, #view img, #view script, #shade img, b").count() == 0
    page.visit(e="4:1", o__title=f'"{"<script>alert(1)</script>"}"', t="picture")
    assert page.page.locator("#picture svg > title").text_content() == "<script>alert(1)</script>"
    assert page.page.locator("script").count() == 1


def test_the_policy_holds(page: Page) -> None:
    """A script or a style that got into the page would not run."""
    before = len(page.wrong)
    ran = page.page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        " document.body.append(s); s.remove(); return window.ran === undefined; }"
    )
    asked = page.page.evaluate("() => fetch('http://127.0.0.1:9/').then(() => 'asked', () => 'refused')")
    assert ran and asked == "refused"
    assert len(page.wrong) > before
    del page.wrong[before:]
    page.hosts.discard("127.0.0.1:9")


def test_it_can_be_stopped(page: Page) -> None:
    # Nearly as many cases as are allowed.
    loops = "".join(f"for {name} in {{1, 2, 3, 4, 5, 6, 7, 8, 9}}: " for name in "abcde")
    page.page.locator("#text").fill(f"{loops}assert size((a,4096)) == a*4096")
    page.page.locator("#text").press("Enter")
    page.page.locator("#stop").click()
    page.page.locator("#answer", has_text="Stopped.").wait_for()
    page.ready()
    page.type("4:1")
    assert page.text("#answer .value") == "4:1"


def test_the_keyboard_is_enough(page: Page) -> None:
    page.type("4:1")
    page.type("(4,8):(8,1)")
    keys = page.page.keyboard
    page.page.locator("#text").focus()
    keys.press("ArrowUp")
    page.page.wait_for_timeout(100)
    page.ready()
    assert page.page.locator("#text").input_value() != "(4,8):(8,1)"
    keys.press("ArrowDown")
    page.page.wait_for_timeout(100)
    page.ready()
    assert page.page.locator("#text").input_value() == "(4,8):(8,1)"
    page.page.locator("#text").fill("")
    keys.type("coal")
    assert page.page.locator("#words li").count() > 0
    keys.press("Tab")
    assert page.page.locator("#text").input_value() == "coalesce("
    keys.type("(4,8):(1,4))")
    keys.press("Enter")
    page.page.locator("#answer .value", has_text="32:1").wait_for()
    page.page.locator("#tab-picture").focus()
    keys.press("ArrowRight")
    page.ready()
    assert page.page.evaluate("document.activeElement.id") == "tab-table"
    keys.press("Home")
    page.page.locator("#picture").wait_for()
    page.ready()
    page.page.locator("#picture").focus()
    keys.press("ArrowRight")
    first = page.text("#facts")
    keys.press("ArrowRight")
    assert "offset" in first and page.text("#facts") != first


def test_everything_has_a_name(page: Page) -> None:
    """Each field and button says what it is to a reader of the screen; each tab knows its panel."""
    page.visit(e="(4,8):(8,1)", t="picture")
    nameless = page.page.evaluate(
        "() => [...document.querySelectorAll('button, input, select, textarea, [role=listbox], [role=tablist]')]"
        ".filter(e => !e.hidden && !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length))"
        ".map(e => e.outerHTML)"
    )
    assert nameless == []
    assert page.page.locator("[role=tab][aria-selected=true][aria-controls=view]").count() == 1
    assert page.page.locator("[role=tabpanel][aria-labelledby=tab-picture]").count() == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_a_phone(page: Page, width: int) -> None:
    before = page.page.viewport_size
    page.page.set_viewport_size({"width": width, "height": 844})
    for tab in ("picture", "table", "explain", "notations", "banks", "why", "sizes", "examples"):
        page.visit(e="((4,8),(32,2)):((16,1),(1024,8)) o (16,8)", t=tab)
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width, tab
    page.page.set_viewport_size(before)


def test_it_works_without_a_network_after_the_first_visit(static: str, browser: Any) -> None:
    context = browser.new_context()
    found = Page(context, static)
    found.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    found.load("#e=4:2")
    assert found.text("#answer .value") == "4:2"
    context.close()
