#!/usr/bin/env bash
# Prints the commit of the previous version, from which the tests upgrade: $PREVIOUS, else the last tag, else the commit
# that set the version in package.json.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(sed -nE 's/^  "version": "(.*)",$/\1/p' package.json)
echo "${PREVIOUS:-$(git describe --tags --abbrev=0 2>/dev/null ||
  git log -1 --format=%H -S"\"version\": \"$version\"" -- package.json)}"
