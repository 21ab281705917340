#!/usr/bin/env bash
# Writes the description of the REST interface and the types of its client, or with a folder as argument writes them there.
# Needs a build of the gateway.
set -euo pipefail
cd "$(dirname "$0")/.."
description=${1:-services/gateway}/openapi.json
types=${1:-clients/typescript/src}/interface.ts
node services/gateway/dist/openapi/print.js >"$description"
npx openapi-typescript "$description" --output "$types" >/dev/null
