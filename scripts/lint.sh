#!/usr/bin/env bash
# All static checks, one after the other; the first that fails ends it. Needs a build.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$1"; }

step 'format and lint'
npx biome check .

step 'types of the tests'
npx tsc -p tsconfig.tests.json

step 'who may import whom'
npx depcruise --config .dependency-cruiser.cjs proto/src libs services clients cli web/src

step 'unused files, exports and dependencies'
npx knip

step 'contracts: lint, format, no breaking change'
(cd proto && npx buf lint && npx buf format --diff --exit-code . && npx buf breaking --against released.binpb)

step 'contracts, description of the REST interface, client: generated files are up to date'
scripts/check-generated.sh

step 'Helm chart'
node scripts/helm-lint.mjs
