"""Packs a folder with an extension into laycalc.vsix: a zip file with a manifest, the same bytes for the same files."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).resolve().parent

TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{defaults}</Types>
"""
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
    <DisplayName>{displayName}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="{engine}"/></Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
"""


def pack(folder: Path, target: Path) -> None:
    """Write the extension in ``folder``/extension as a package."""
    said = json.loads((folder / "extension" / "package.json").read_text(encoding="utf-8"))
    words = {name: escape(str(value), {'"': "&quot;"}) for name, value in said.items()}
    files = sorted(path for path in (folder / "extension").rglob("*") if path.is_file())
    endings = sorted({path.suffix.lstrip(".") for path in files if path.suffix} | {"vsixmanifest"})
    defaults = "".join(f'<Default Extension="{e}" ContentType="application/octet-stream"/>' for e in endings)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        _add(
            packed,
            "extension.vsixmanifest",
            MANIFEST.format(engine=escape(said["engines"]["vscode"]), **words).encode(),
        )
        _add(packed, "[Content_Types].xml", TYPES.format(defaults=defaults).encode())
        for path in files:
            _add(packed, path.relative_to(folder).as_posix(), path.read_bytes())


def _add(packed: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    packed.writestr(entry, data)


if __name__ == "__main__":
    pack(Path(sys.argv[1]), HERE / "laycalc.vsix")
