#!/usr/bin/env bash
# Installs third-party RDAP clients for libs/system/tests/rdap.test.ts into the folder in the argument: openrdap (Go
# proxy), py-rdap, ipwhois and whoisit (PyPI). Does nothing if these versions are installed.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"
wanted=$(cat install.sh requirements.txt | sha256sum)
[ "$(cat "$folder/installed" 2>/dev/null)" = "$wanted" ] && exit 0
GOBIN="$folder" go install github.com/openrdap/rdap/cmd/rdap@v0.10.2
python3 -m venv --clear "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement requirements.txt
echo "$wanted" >"$folder/installed"
