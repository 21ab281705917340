#!/usr/bin/env bash
# Builds the images and tests them (libs/system/tests/images.test.ts) on a Docker engine: the running one, or one that
# this script starts, which needs root, and stops afterwards. Builds stand-ins for unavailable base images. With Compose
# 2, follows docs/start/install.md, too (install-page.test.ts). Exits with 69, without any test, when there is no engine
# or no base image.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
. scripts/images/engine.sh

leave() {
  if [ -n "$engine" ]; then
    docker ps --all --quiet --filter label=org.testcontainers=true | xargs --no-run-if-empty docker rm --force --volumes
    docker network prune --force --filter label=org.testcontainers=true
    stop_engine
  fi >"$work/leave.log" 2>&1
  rm -rf "$work"
}
trap leave EXIT

# Images of compose.yaml that only its profiles need.
more=()
! docker compose version >/dev/null 2>&1 ||
  mapfile -t more < <(sed -nE 's/^ +image: .*:-((axllent|opensearchproject).*)\}$/\1/p' compose.yaml)

start_engine "$work" && base_images "$work" "${more[@]}" || {
  echo 'IMAGES NOT TESTED' >&2
  exit 69
}
scripts/images/build.sh
CADASTRE_TEST_IMAGES=1 TESTCONTAINERS_RYUK_DISABLED=true npx vitest run libs/system/tests/images.test.ts
if [ ${#more[@]} = 0 ]; then
  echo 'COMPOSE NOT TESTED: docker has no Compose 2' >&2
else
  CADASTRE_TEST_COMPOSE=1 npx vitest run libs/system/tests/install-page.test.ts
fi
