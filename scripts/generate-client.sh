#!/usr/bin/env bash
# Writes the description of the REST interface and the types of its client, to the folder in the argument if there is
# one. Needs a build of the gateway.
set -euo pipefail
cd "$(dirname "$0")/.."
description=${1:-services/gateway}/openapi.json
types=${1:-clients/typescript/src}/interface.ts
node services/gateway/dist/openapi/print.js >"$description"
npx openapi-typescript "$description" --output "$types" >/dev/null
