"""PNG, PDF, TeX and HTML: sizes, formats, escaping, and the page at work in a browser where there is one."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
import zlib
from html import unescape
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

from laycalc.algebra.base.errors import LayoutError
from laycalc.algebra.values.layout import Layout
from laycalc.atoms.instructions.catalogue import atom
from laycalc.render.draw import draw, save, scene_of
from laycalc.render.formats import terminal, tikz
from laycalc.render.formats.fonts import face
from laycalc.render.scene.palette import theme_of
from laycalc.render.scene.pixels import png_of
from laycalc.render.scene.place import place

if TYPE_CHECKING:
    from pathlib import Path

MIXED = Layout(((2, 2), (4, 2)), ((1, 8), (2, 16)))
FP64 = Layout(((4, 8), 2), ((16, 1), 8))
NASTY = r"a<b> & \input{x} 50% $x_1^2$ #~| 漢 " + "\x00</script>"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LATEX = shutil.which("pdflatex")


def png_size(data: Any) -> tuple[int, int]:
    assert isinstance(data, bytes) and data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return int(width), int(height)


def test_png_has_two_pixels_a_point() -> None:
    placed = place(scene_of(MIXED))
    assert png_size(draw(MIXED, format="png")) == (2 * placed.width, 2 * placed.height)


def test_png_and_pdf_are_the_same_every_time() -> None:
    for format in ("png", "pdf"):
        assert draw(FP64, format=format, tile="8x8") == draw(FP64, format=format, tile="8x8")


def test_pdf_is_a_pdf() -> None:
    data = draw(FP64, format="pdf", tile="8x8", title=NASTY)
    assert isinstance(data, bytes) and data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF")
    start = int(data.rstrip().split(b"\n")[-2])
    assert data[start:].startswith(b"xref")
    places = re.findall(rb"^(\d{10}) 00000 n ", data[start:], re.MULTILINE)
    assert all(data[int(at) :].startswith(b"%d 0 obj" % k) for k, at in enumerate(places, 1))


def streams(data: Any) -> list[bytes]:
    """The streams of a PDF."""
    found = re.findall(rb"/Length (\d+) /Filter /FlateDecode >>\nstream\n", data)
    starts = [m.end() for m in re.finditer(rb"/FlateDecode >>\nstream\n", data)]
    return [zlib.decompress(data[at : at + int(length)]) for at, length in zip(starts, found, strict=True)]


def test_pdf_has_text_and_embeds_its_font() -> None:
    data = draw(FP64, format="pdf", tile="8x8", title="A title ⊗")
    others = streams(data)
    content = next(s for s in others if b" Tj" in s)
    unicode = next(s for s in others if b"beginbfchar" in s).decode()
    known = {glyph: chr(int(code, 16)) for glyph, code in re.findall(r"<(\w{4})> <(\w{4})>", unicode)}
    words = [re.findall("....", codes) for codes in re.findall(r"<(\w+)> Tj", content.decode())]
    texts = ["".join(known.get(glyph, "?") for glyph in word) for word in words]
    assert texts.count("T11") == 2 and "quad 2 (T8–11)" in texts
    assert isinstance(data, bytes) and data.count(b"/FontFile2") == 2
    assert "A title ⊗".encode("utf-16-be").hex().encode() in data


def test_a_subset_holds_the_outlines_that_are_used() -> None:
    whole = face()
    data = whole.subset({whole.glyph(c) for c in "T1é"})
    assert len(data) < 80_000
    tables = {data[12 + 16 * k :][:4] for k in range(int.from_bytes(data[4:6], "big"))}
    assert {b"glyf", b"loca", b"head", b"hhea", b"hmtx", b"maxp"} <= tables
    # An accented letter is made of its parts.
    assert len(whole.subset({whole.glyph("é")})) > len(whole.subset({whole.glyph("e")}))


def test_png_has_indexed_colours() -> None:
    data = draw(FP64, format="png", tile="8x8")
    assert isinstance(data, bytes) and data[25] == 3 and b"PLTE" in data and b"pHYs" in data


def test_png_shows_the_colours_of_the_roles() -> None:
    from PIL import Image

    scene = scene_of(FP64, tile="8x8")
    placed = place(scene)
    image = Image.open(BytesIO(bytes(draw(FP64, format="png", tile="8x8")))).convert("RGB")
    (sheet,) = placed.sheets
    for cell in scene.panels[0].cells:
        x, y = 2 * (sheet.x + cell.column * sheet.width) + 4, 2 * (sheet.y + cell.row * sheet.height) + 4
        assert "#{:02x}{:02x}{:02x}".format(*image.getpixel((x, y))) == placed.theme.paint(cell.role).fill


def test_png_draws_whatever_the_title_holds() -> None:
    assert png_size(draw(MIXED, format="png", title=NASTY))[0] > 300


def test_png_of_a_heat_map() -> None:
    assert png_size(draw(Layout((1024, 1024)), format="png"))[0] > 1000


def test_the_bar_of_a_heat_map_is_drawn() -> None:
    layout = Layout((512, 512))
    assert str(draw(layout)).count("<image") == 2 and ">262143</text>" in str(draw(layout))
    assert draw(layout, format="png") != draw(layout, format="png", legend=False)
    assert str(draw(layout, legend=False)).count("<image") == 1 and "<image" not in str(draw(MIXED))


def test_a_raster_is_a_valid_png() -> None:
    data = png_of(2, 3, bytes([0, 1, 2, 3, 4, 255]), [(k, k, k) for k in range(256)])
    assert png_size(data) == (3, 2)
    at = data.index(b"IDAT") + 4
    assert zlib.decompress(data[at:]) == b"\0\0\1\2\0\3\4\xff"


# -- TeX -------------------------------------------------------------------------------------------------------


def test_tex_is_a_document_or_a_fragment() -> None:
    document, fragment = draw(MIXED, format="tex"), draw(MIXED, format="tikz")
    assert isinstance(document, str) and isinstance(fragment, str)
    assert "\\documentclass" in document and fragment in document
    # Cells of one look are one path: 32 of the grid, 8 of the legend and the frame of the whole.
    assert fragment.count("rectangle +") == 40 and "{26}" in fragment
    assert "documentclass" not in fragment


def test_tex_is_escaped() -> None:
    text = draw(MIXED, format="tex", title=NASTY)
    assert isinstance(text, str)
    assert r"\input" not in text and r"50\%" in text and "\x00" not in text
    assert tikz.escape("{16} o _<~") == r"\{16\} o \_\textless{}\textasciitilde{}"


def test_tex_refuses_heat_maps() -> None:
    with pytest.raises(LayoutError) as error:
        draw(Layout((512, 512)), format="tex")
    assert error.value.code == "LC104"


@pytest.mark.skipif(LATEX is None, reason="no pdflatex")
@pytest.mark.parametrize("wishes", [{"title": NASTY}, {"theme": "cute"}, {"highlight": "(1,1)", "legend": True}])
def test_tex_compiles(tmp_path: Path, wishes: dict[str, Any]) -> None:
    save(MIXED, tmp_path / "figure.tex", **wishes)
    done = subprocess.run(
        [str(LATEX), "-interaction=nonstopmode", "-halt-on-error", "figure.tex"], cwd=tmp_path, capture_output=True
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.skipif(LATEX is None, reason="no pdflatex")
@pytest.mark.parametrize("missing", [(), ("lmodern.sty", "standalone.cls")])
def test_tex_makes_do_with_a_small_installation_and_embeds_outlines(tmp_path: Path, missing: tuple[str, ...]) -> None:
    text = str(draw(FP64, format="tex", tile="8x8", title='a "b" --(1)--> x_1'))
    for name in missing:
        text = text.replace(name, f"no-{name}")
    (tmp_path / "figure.tex").write_text(text, encoding="utf-8")
    command = [str(LATEX), "-interaction=nonstopmode", "-halt-on-error", "figure.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    made = (tmp_path / "figure.pdf").read_bytes()
    assert b"/Type3" not in made and b".pfb" in done.stdout


@pytest.mark.skipif(LATEX is None, reason="no pdflatex")
def test_fragments_share_their_colours(tmp_path: Path) -> None:
    for name, wishes in (("one", {"tile": "8x8"}), ("two", {"kind": "thread-value", "tile": "8x8", "highlight": "T1"})):
        save(FP64, tmp_path / f"{name}.tikz", **wishes)
    body = "\\input{one.tikz}\\input{two.tikz}"
    preamble = "\\documentclass{article}\\usepackage{tikz}\\definecolor{laycalc6cadf3}{HTML}{000000}"
    (tmp_path / "paper.tex").write_text(f"{preamble}\\begin{{document}}{body}\\end{{document}}", encoding="utf-8")
    command = [str(LATEX), "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == 0
    fragment = (tmp_path / "one.tikz").read_text(encoding="utf-8")
    assert fragment.count("\\providecolor{laycalc6cadf3}") == 1 and "\\definecolor" not in fragment


# -- Typst -----------------------------------------------------------------------------------------------------


def test_typst_is_a_block_with_quoted_text() -> None:
    text = str(draw(FP64, format="typ", tile="8x8", title=r'a "b" \c'))
    assert text.startswith("// ") and "#block(width: " in text and text.count('"T11"') == 2
    assert r'"a \"b\" \\c"' in text
    assert text.count("(") == text.count(")") and text.count("{") == text.count("}")
    with pytest.raises(LayoutError):
        draw(Layout((512, 512)), format="typ")


def test_typst_compiles() -> None:
    compiler = pytest.importorskip("typst", reason="no typst")
    for wishes in ({"title": NASTY}, {"theme": "print", "highlight": "(1,1)"}, {"kind": "morphism"}):
        made = compiler.compile(str(draw(MIXED, format="typ", **wishes)).encode())
        assert made.startswith(b"%PDF")


# -- HTML ------------------------------------------------------------------------------------------------------


def test_html_is_one_page_without_network() -> None:
    text = draw(FP64, format="html", tile="8x8")
    assert isinstance(text, str)
    assert text.startswith("<!DOCTYPE html>") and text.count("<script>") == 1
    assert "src=" not in text and "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert 'data-at="0,2,6" data-v="50" data-o="11,0"' in text


def test_html_is_escaped() -> None:
    text = draw(FP64, format="html", tile="8x8", title=NASTY)
    assert isinstance(text, str)
    assert text.count("</script>") == 1 and "a<b>" not in text and "\x00" not in text


@pytest.mark.skipif(BROWSER is None, reason="no browser")
@pytest.mark.parametrize(
    ("fragment", "pinned", "facts"),
    [("T11", 2, "T11: 2 cells"), ("V1", 32, "V1: 32 cells"), ("(2,5)", 1, "(2,5): 1 cell"), ("50", 1, "50: 1 cell")],
)
def test_the_page_pins_in_a_browser(tmp_path: Path, fragment: str, pinned: int, facts: str) -> None:
    path = save(FP64, tmp_path / "page.html", tile="8x8")
    done = subprocess.run(
        [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"{path.as_uri()}#{fragment}"],
        capture_output=True,
        timeout=120,
    )
    page = done.stdout.decode()
    assert page.count('class="cell pin"') == pinned
    assert facts in page


EVENTS = """<script>
const cells = [...document.querySelectorAll("g.cell")];
const key = (k) => document.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));
const said = [];
const say = () => said.push(document.getElementById("facts").textContent);
cells[22].dispatchEvent(new MouseEvent("mouseover", { bubbles: true })); say();
cells[22].dispatchEvent(new MouseEvent("click", { bubbles: true })); say();
key("ArrowDown"); say();
key("Enter"); say();
key("Escape");
said.push(document.querySelectorAll("g.pin").length);
key("+");
said.push(Number(document.querySelector("main > svg").getAttribute("width")) / WIDTH);
document.title = JSON.stringify(said);
</script></body>"""


@pytest.mark.skipif(BROWSER is None, reason="no browser")
def test_hover_click_keys_and_zoom_in_a_browser(tmp_path: Path) -> None:
    text = draw(FP64, format="html", tile="8x8")
    assert isinstance(text, str)
    width = place(scene_of(FP64, tile="8x8")).width
    path = tmp_path / "page.html"
    path.write_text(text.replace("</body>", EVENTS.replace("WIDTH", str(width))), encoding="utf-8")
    command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", path.as_uri()]
    page = subprocess.run(command, capture_output=True, timeout=120).stdout.decode()
    assert json.loads(unescape(page.partition("<title>")[2].partition("</title>")[0])) == [
        "(2,6) index 50: T11 V0",
        "(2,6) index 50: T11 V0 — pinned T11",
        "(3,6) index 51: T15 V0",
        "T15: 2 cells",
        0,
        1.25,
    ]


@pytest.mark.skipif(BROWSER is None, reason="no browser")
def test_heat_maps_tell_their_offsets_in_a_browser(tmp_path: Path) -> None:
    text = draw(Layout((32, 16), (16, 1)), format="html", limit=100)
    assert isinstance(text, str)
    script = """<script>
      const image = document.querySelector("image"), box = image.getBoundingClientRect();
      image.dispatchEvent(new MouseEvent("mousemove", { bubbles: true,
        clientX: box.left + box.width * 10.5 / 16, clientY: box.top + box.height * 20.5 / 32 }));
    </script></body>"""
    path = tmp_path / "page.html"
    path.write_text(text.replace("</body>", script), encoding="utf-8")
    command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", path.as_uri()]
    page = subprocess.run(command, capture_output=True, timeout=120).stdout.decode()
    assert ">row 20 column 10 offset 330<" in page


# -- terminal --------------------------------------------------------------------------------------------------


def test_text_aligns_rows_and_marks_what_is_picked() -> None:
    text = draw(FP64, format="txt", tile="8x8", highlight="T11")
    assert isinstance(text, str)
    rows = text.splitlines()
    assert len({row.index("V0") for row in rows[1:9]}) == 1
    assert rows[3].count("[") == 2 and "[T11 V0]" in rows[3]
    assert rows[-1] == "((4,8),2):((16,1),8) over 8×8"


def test_text_shows_nested_coordinates_and_differences() -> None:
    text = draw([MIXED, Layout((4, 8))], format="txt", kind="difference")
    assert isinstance(text, str)
    assert "1 0   8*  10*  12*" in text and text.endswith("cells differ")


def test_the_terminal_has_the_colours_of_the_roles() -> None:
    scene = scene_of(FP64, tile="8x8", title="A title")
    text = terminal.coloured(scene, 100)
    assert text.plain.startswith("A title\n\n") and text.plain.endswith("((4,8),2):((16,1),8) over 8×8")
    styles = {text.plain[span.start : span.end].strip(): str(span.style) for span in text.spans}
    for cell in scene.panels[0].cells:
        paint = theme_of("laycalc").paint(cell.role)
        assert styles[" ".join(cell.lines)] == f"{paint.text} on {paint.fill}"


@pytest.mark.parametrize("width", [20, 40, 79, 100])
def test_the_picture_keeps_to_the_width_of_the_terminal(width: int) -> None:
    for value in (Layout((64, 64), (64, 1)), Layout((512, 512)), atom("SM80_16x8x16_F32F16F16F32_TN")):
        lines = terminal.coloured(scene_of(value), width).plain.splitlines()
        assert max(len(line) for line in lines if "▀" in line or "T31" in line) <= width


def test_what_has_no_room_in_the_terminal_is_drawn_with_half_blocks() -> None:
    layout = Layout((6, 64), (64, 1))
    text = terminal.coloured(scene_of(layout, color_by="bank"), 64)
    blocks = [line for line in text.plain.splitlines() if "▀" in line]
    assert blocks == ["▀" * 64] * 3
    first = next(span for span in text.spans if text.plain[span.start] == "▀")
    fill = theme_of("laycalc").paint("c0").fill
    assert str(first.style) == f"{fill} on {fill}"
    narrow = terminal.coloured(scene_of(layout, color_by="bank"), 20).plain
    assert "one row and column of 4" in narrow
    heat = terminal.coloured(scene_of(Layout((512, 512))), 64).plain
    assert "0 " + " " * 24 + " 262143" in heat
    cut = terminal.coloured(scene_of(atom("SM80_16x8x16_F32F16F16F32_TN")), 100).plain
    assert "the first line of each cell" in cut
    assert terminal.coloured(scene_of(MIXED, kind="morphism"), 80).plain == terminal.plain(
        scene_of(MIXED, kind="morphism")
    )


# -- files -----------------------------------------------------------------------------------------------------


def test_save_takes_the_format_from_the_ending(tmp_path: Path) -> None:
    assert save(MIXED, tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")
    assert save(MIXED, tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    assert save(MIXED, tmp_path / "a", format="html").read_text(encoding="utf-8").startswith("<!DOCTYPE")


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = save(MIXED, tmp_path / "a.svg")
    before = path.read_bytes()
    with pytest.raises(LayoutError):
        save(MIXED, path, kind="nothing")
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.svg"]


def test_save_reports_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        save(MIXED, tmp_path / "missing" / "a.svg")
