#!/usr/bin/env bash
# Builds the images and tests them (libs/system/tests/images.test.ts) on a Docker engine: the running one, or one that
# this script starts, which needs root, and stops afterwards. Base images that no registry provides get stand-ins. Exits
# with 69, without any test, when there is no engine or no base image.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
engine=

leave() {
  if [ -n "$engine" ]; then
    docker ps --all --quiet --filter label=org.testcontainers=true | xargs --no-run-if-empty docker rm --force --volumes
    docker network prune --force --filter label=org.testcontainers=true
    kill "$engine" && wait "$engine" || true
  fi >"$work/leave.log" 2>&1
  rm -rf "$work"
}
trap leave EXIT

nothing_tested() {
  echo "IMAGES NOT TESTED: $1" >&2
  exit 69
}

start_engine() {
  command -v docker >/dev/null && command -v dockerd >/dev/null || nothing_tested 'no Docker engine is installed'
  dockerd >"$work/dockerd.log" 2>&1 &
  engine=$!
  for _ in $(seq 120); do
    ! docker info >/dev/null 2>&1 || return 0
    kill -0 "$engine" 2>/dev/null || break
    sleep 0.5
  done
  tail -n 20 "$work/dockerd.log" >&2
  nothing_tested 'the Docker engine does not start'
}

base_images() {
  local image missing=0
  for image in node:24-bookworm-slim postgres:18-alpine redis:8-alpine; do
    docker image inspect "$image" >/dev/null 2>&1 || docker pull --quiet "$image" >/dev/null 2>&1 || missing=1
  done
  [ $missing = 0 ] || scripts/images/stand-in/build.sh >"$work/stand-in.log" 2>&1 && return
  tail -n 20 "$work/stand-in.log" >&2
  nothing_tested 'the base images cannot be had'
}

docker info >/dev/null 2>&1 || start_engine
base_images

# Debian's client includes BuildKit; newer ones without its plug-in have only the old builder, which is slower.
if ! docker buildx version >/dev/null 2>&1 && [[ "$(/usr/bin/docker --version 2>/dev/null)" == 'Docker version 20.'* ]]; then
  export DOCKER=/usr/bin/docker DOCKER_BUILDKIT=1
fi
scripts/images/build.sh
CADASTRE_TEST_IMAGES=1 TESTCONTAINERS_RYUK_DISABLED=true npx vitest run libs/system/tests/images.test.ts
