#!/usr/bin/env bash
# Prints the commit of this build and its time in UTC, as variables for responses. Prints nothing outside a Git
# checkout.
set -euo pipefail
cd "$(dirname "$0")/.."

commit=$(git rev-parse HEAD 2>/dev/null) || exit 0
[ -z "$(git status --porcelain --untracked-files=no)" ] || commit+=-modified
echo "CADASTRE_BUILD_COMMIT=$commit"
echo "CADASTRE_BUILD_TIME=$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)"
