#!/usr/bin/env bash
# Prints what responses say about this build, as variables: its commit, and the time of the commit in UTC. Prints nothing
# outside of a Git checkout.
set -euo pipefail
cd "$(dirname "$0")/.."

commit=$(git rev-parse HEAD 2>/dev/null) || exit 0
[ -z "$(git status --porcelain --untracked-files=no)" ] || commit+=-modified
echo "CADASTRE_BUILD_COMMIT=$commit"
echo "CADASTRE_BUILD_TIME=$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)"
