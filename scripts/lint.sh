#!/usr/bin/env bash
# Runs all static checks and stops at the first failure. Needs a build.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$1"; }

# Checking types takes as long as many other steps together, on one processor: it runs beside them.
types=$(mktemp)
{ npx tsc && npx tsc -p web; } >"$types" 2>&1 &
checking=$!
trap 'kill "$checking" 2>/dev/null || true; rm -f "$types"' EXIT

step 'format and lint'
npx biome check .

step 'Markdown: lines of at most 120 characters, except generated tables and lines with nothing but a link'
long=$(find . \( -name node_modules -o -name dist -o -name '.?*' -o -path ./docs/reference -o -path ./bench-results \) -prune -o -name '*.md' ! -name VALUES.md -print0 |
  LC_ALL=C.UTF-8 xargs -0 grep -nHE '^.{121,}$' | grep -vE ':[0-9]+:[ >*-]*[^ ]+$|/(performance|endurance)\.md:[0-9]+:\|' || true)
[ -z "$long" ] || { printf '%s\n' "$long" >&2 && exit 1; }

step 'names, comments and documents: words of the trade (docs/develop/glossary.md)'
node scripts/check-words.mjs

step 'documents: links, decisions, pages, settings, metrics and log events that they name'
node scripts/check-docs.mjs

step 'who may import whom'
npx depcruise --config .dependency-cruiser.cjs proto/src libs services clients cli web/src bench/src

step 'unused files, exports and dependencies'
npx knip

step 'contracts: lint, format, no breaking change'
(cd proto && npx buf lint && npx buf format --diff --exit-code . && npx buf breaking --against released.binpb)

step 'description of the REST interface, pages of docs/reference, sizes of tests: up to date'
node services/gateway/dist/openapi/print.js | diff services/gateway/openapi.json - &&
  node scripts/settings-page.mjs | diff docs/reference/settings.md - &&
  node scripts/reference.mjs check &&
  node scripts/test-sizes.ts | diff docs/develop/test-sizes.md - ||
  { echo 'Run make generate and commit the result.' >&2 && exit 1; }

step 'REST interface: no breaking change'
node scripts/check-interface.mjs

step 'migrations: nothing blocks a large table'
node scripts/check-migrations.mjs

step 'Helm chart'
node scripts/helm-lint.mjs

step 'types'
wait "$checking" || { cat "$types" >&2 && exit 1; }
