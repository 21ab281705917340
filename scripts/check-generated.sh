#!/usr/bin/env bash
# Fails when a generated file differs from the output of `make generate`: proto/src/gen, the description of the REST
# interface, its client, docs/settings.md, and the names of all settings.
set -euo pipefail
cd "$(dirname "$0")/../proto"
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
npx buf generate -o "$fresh"
npx buf build --as-file-descriptor-set -o "$fresh/descriptors.binpb"
cmp descriptors.binpb "$fresh/descriptors.binpb" || {
  echo 'proto/descriptors.binpb is not up to date: run make generate and commit the result.' >&2
  exit 1
}
diff -r src/gen "$fresh/src/gen" || {
  echo 'proto/src/gen is not up to date: run make generate and commit the result.' >&2
  exit 1
}

cd ..
scripts/generate-client.sh "$fresh"
diff services/gateway/openapi.json "$fresh/openapi.json" && diff clients/typescript/src/interface.ts "$fresh/interface.ts" || {
  echo 'The description of the REST interface, or its client, is not up to date: run make generate and commit the result.' >&2
  exit 1
}

node scripts/settings-page.mjs >"$fresh/settings.md"
node scripts/settings-page.mjs names >"$fresh/setting-names.ts"
diff docs/settings.md "$fresh/settings.md" && diff libs/service/src/setting-names.ts "$fresh/setting-names.ts" || {
  echo 'docs/settings.md or libs/service/src/setting-names.ts is not up to date: run make generate and commit the result.' >&2
  exit 1
}
