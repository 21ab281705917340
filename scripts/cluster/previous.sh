#!/usr/bin/env bash
# Prints the commit of the previous version, from which the tests upgrade: $PREVIOUS, else the tag of the last version in
# CHANGELOG.md, or the commit that set it in package.json. A commit that releases a version (nothing is in [Unreleased])
# upgrades from the version before.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ -n "${PREVIOUS:-}" ]; then
  echo "$PREVIOUS"
  exit
fi
changes=$(sed -n '/^## \[Unreleased\]/,/^## \[[0-9]/p' CHANGELOG.md | grep -c '^- ' || true)
version=$(sed -nE 's/^## \[([0-9][^]]*)\].*/\1/p' CHANGELOG.md | sed -n "$((changes > 0 ? 1 : 2))p")
git rev-parse --quiet --verify "v$version^{commit}" ||
  git log --format=%H -S"\"version\": \"$version\"" -- package.json | tail -1
