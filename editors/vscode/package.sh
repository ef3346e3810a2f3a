#!/usr/bin/env bash
# Makes laycalc.vsix: the extension with the language client that it stands on.
set -euo pipefail
cd "$(dirname "$0")"
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
mkdir "$there/extension"
cp package.json language.json layout.tmLanguage.json extension.js README.md ../../LICENSE "$there/extension"
(cd "$there/extension" && npm install --silent --omit=dev --no-package-lock --no-audit --no-fund)
python3 vsix.py "$there"
echo "$PWD/laycalc.vsix"
