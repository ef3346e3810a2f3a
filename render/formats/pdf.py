"""PDF, written directly: one page of real text in an embedded font, the same bytes on every run."""

from __future__ import annotations

import zlib
from hashlib import sha256
from typing import TYPE_CHECKING

from ..scene.place import place
from ..scene.records import Format
from .fonts import Face, face
from .strokes import Pixels, paint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..scene.palette import Pen
    from ..scene.placed import Point
    from ..scene.scene import Scene


def pdf(scene: Scene) -> bytes:
    """The scene as a PDF of one page, one point for each of the scene's."""
    placed = place(scene)
    page = _Page(placed.height)
    page.boxes([(0, 0)], placed.width, placed.height, placed.theme.page, None)
    paint(placed, page)
    document = _Document()
    fonts = {name: document.font(used) for name, used in page.fonts.items()}
    images = {name: document.image(image) for name, image in page.images.items()}
    content = document.stream("", "\n".join(page.operations).encode("ascii"))
    document.page(placed.width, placed.height, content, fonts, images)
    about = scene.title or scene.caption.split("\n")[0] or scene.kind
    return document.finish({"Title": about, "Subject": scene.description, "Creator": "laycalc"})


def _n(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".") or "0"


def _rgb(colour: str) -> str:
    return " ".join(_n(int(colour[i : i + 2], 16) / 255) if colour[i : i + 2] != "ff" else "1" for i in (1, 3, 5))


class _Used:
    """A face with the glyphs that a document uses: the hexadecimal code and the width of each character."""

    def __init__(self, face: Face) -> None:
        self.face = face
        self.known: dict[str, tuple[str, int]] = {}

    def of(self, character: str) -> tuple[str, int]:
        found = self.known.get(character)
        if found is None:
            glyph = self.face.glyph(character)
            found = self.known[character] = f"{glyph:04x}", self.face.advance(glyph)
        return found


class _Page:
    """A canvas of PDF's operators; the first one turns y downwards."""

    def __init__(self, height: float) -> None:
        self.operations = [f"1 0 0 -1 0 {_n(height)} cm 2 J"]
        self.fonts: dict[str, _Used] = {}
        self.images: dict[str, Pixels] = {}

    def pen(self, pen: Pen) -> str:
        dash = " ".join(map(_n, pen.dash))
        return f"{_rgb(pen.colour)} RG {_n(pen.width)} w [{dash}] 0 d"

    def boxes(self, corners: Sequence[Point], width: float, height: float, fill: str, pen: Pen | None) -> None:
        size = f"{_n(width)} {_n(height)} re"
        self.operations.append(f"{_rgb(fill)} rg" + (f" {self.pen(pen)}" if pen else ""))
        self.operations += [f"{_n(x)} {_n(y)} {size}" for x, y in corners]
        self.operations.append("B" if pen else "f")

    def areas(self, paths: Sequence[Sequence[Point]], fill: str) -> None:
        self.operations += [f"{_rgb(fill)} rg", *map(self.path, paths), "f"]

    def lines(self, paths: Sequence[Sequence[Point]], pen: Pen) -> None:
        self.operations += [self.pen(pen), *map(self.path, paths), "S"]

    def path(self, points: Sequence[Point]) -> str:
        (x, y), *others = points
        return f"{_n(x)} {_n(y)} m" + "".join(f" {_n(x)} {_n(y)} l" for x, y in others)

    def texts(
        self,
        runs: Sequence[tuple[float, float, str]],
        size: float,
        colour: str,
        anchor: str = "middle",
        *,
        bold: bool = False,
        turned: bool = False,
    ) -> None:
        name = "F2" if bold else "F1"
        used = self.fonts.setdefault(name, _Used(face(bold=bold)))
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * size / 1000
        self.operations.append(f"BT /{name} {_n(size)} Tf {_rgb(colour)} rg")
        for x, y, text in runs:
            glyphs = [used.of(character) for character in text]
            back = sum(width for _, width in glyphs) * share
            matrix = f"0 -1 -1 0 {_n(x)} {_n(y + back)}" if turned else f"1 0 0 -1 {_n(x - back)} {_n(y)}"
            self.operations.append(f"{matrix} Tm <{''.join(code for code, _ in glyphs)}> Tj")
        self.operations.append("ET")

    def image(self, corner: Point, width: float, height: float, pixels: Pixels) -> None:
        name = f"I{len(self.images)}"
        self.images[name] = pixels
        x, y = corner
        self.operations.append(f"q {_n(width)} 0 0 {_n(-height)} {_n(x)} {_n(y + height)} cm /{name} Do Q")


class _Document:
    """Numbered objects, and the table that finds them."""

    def __init__(self) -> None:
        self.objects: list[bytes] = [b"", b""]

    def add(self, text: str) -> str:
        """An object; the reference to it."""
        self.objects.append(text.encode("ascii"))
        return f"{len(self.objects)} 0 R"

    def stream(self, entries: str, data: bytes) -> str:
        packed = zlib.compress(data, 6)
        head = f"<< {entries} /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode("ascii")
        self.objects.append(head + packed + b"\nendstream")
        return f"{len(self.objects)} 0 R"

    def image(self, pixels: Pixels) -> str:
        colours = b"".join(map(bytes, pixels.colours))
        space = f"[/Indexed /DeviceRGB {len(pixels.colours) - 1} <{colours.hex()}>]"
        size = f"/Width {pixels.columns} /Height {pixels.rows} /BitsPerComponent 8"
        return self.stream(f"/Type /XObject /Subtype /Image {size} /ColorSpace {space}", pixels.levels)

    def font(self, used: _Used) -> str:
        """A font of the used glyphs, with the way back from glyphs to characters."""
        own, pairs = used.face, sorted((int(code, 16), character) for character, (code, _) in used.known.items())
        glyphs = {glyph for glyph, _ in pairs}
        data = own.subset(glyphs)
        # The six letters of a subset's name follow from what is in it.
        tag = "".join(chr(65 + byte % 26) for byte in sha256(data).digest()[:6])
        name = f"/{tag}+{own.name}"
        file = self.stream(f"/Length1 {len(data)}", data)
        box = " ".join(map(str, own.box))
        descriptor = self.add(
            f"<< /Type /FontDescriptor /FontName {name} /Flags 4 /FontBBox [{box}] /ItalicAngle 0 /Ascent {own.ascent}"
            f" /Descent {own.descent} /CapHeight {own.ascent} /StemV 80 /FontFile2 {file} >>"
        )
        widths = " ".join(f"{glyph} [{own.advance(glyph)}]" for glyph in sorted(glyphs))
        descendant = self.add(
            f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont {name} /FontDescriptor {descriptor} /W [{widths}]"
            " /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /CIDToGIDMap /Identity >>"
        )
        unicode = self.stream("", _to_unicode(dict(pairs)))
        return self.add(
            f"<< /Type /Font /Subtype /Type0 /BaseFont {name} /Encoding /Identity-H /DescendantFonts [{descendant}]"
            f" /ToUnicode {unicode} >>"
        )

    def page(self, width: float, height: float, content: str, fonts: dict[str, str], images: dict[str, str]) -> None:
        resources = " ".join(
            f"/{kind} << {' '.join(f'/{name} {reference}' for name, reference in table.items())} >>"
            for kind, table in (("Font", fonts), ("XObject", images))
        )
        page = self.add(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_n(width)} {_n(height)}] /Contents {content}"
            f" /Resources << {resources} >> >>"
        )
        self.objects[0] = b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /DisplayDocTitle true >> >>"
        self.objects[1] = f"<< /Type /Pages /Kids [{page}] /Count 1 >>".encode("ascii")

    def finish(self, facts: dict[str, str]) -> bytes:
        info = self.add(f"<< {' '.join(f'/{key} {_string(text)}' for key, text in facts.items() if text)} >>")
        out, places = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"), []
        for number, data in enumerate(self.objects, 1):
            places.append(len(out))
            out += f"{number} 0 obj\n".encode("ascii") + data + b"\nendobj\n"
        start = len(out)
        out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode("ascii")
        out += "".join(f"{place:010} 00000 n \n" for place in places).encode("ascii")
        trailer = f"trailer\n<< /Size {len(places) + 1} /Root 1 0 R /Info {info} >>\nstartxref\n{start}\n%%EOF\n"
        return bytes(out) + trailer.encode("ascii")


def _string(text: str) -> str:
    return f"<feff{text.encode('utf-16-be', 'replace').hex()}>"


def _to_unicode(characters: dict[int, str]) -> bytes:
    """The map that lets readers search and copy: glyph to character."""
    lines = [f"<{glyph:04x}> <{text.encode('utf-16-be', 'replace').hex()}>" for glyph, text in characters.items()]
    blocks = [lines[i : i + 100] for i in range(0, len(lines), 100)]
    return "\n".join(
        [
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
            "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
            "1 begincodespacerange <0000> <ffff> endcodespacerange",
            *(line for block in blocks for line in (f"{len(block)} beginbfchar", *block, "endbfchar")),
            "endcmap CMapName currentdict /CMap defineresource pop end end",
        ]
    ).encode("ascii")


PDF = Format("pdf", pdf)
