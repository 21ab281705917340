#!/usr/bin/env bash
# Builds the images and prints their sizes. Usage: build.sh [SERVICE...]; default: every service.
#
#   IMAGE_PREFIX  prefix of names, for example registry.example.net/cadastre-         (default cadastre-)
#   IMAGE_TAG     (default: the version in package.json)
#   NODE_IMAGE    base, by name or NAME@sha256:...                                    (default: that of Dockerfile)
#   DOCKER        the client                                                          (default docker)
#   BUILD_OPTIONS further options of `docker build`
#
# Two builds of one commit with one base have the same layers. A builder that supports SOURCE_DATE_EPOCH makes the same
# image of them; others write the build time into its description.
set -euo pipefail
cd "$(dirname "$0")/../.."

docker=${DOCKER:-docker}
prefix=${IMAGE_PREFIX:-cadastre-}
version=$(sed -nE 's/^  "version": "(.*)",$/\1/p' package.json)
tag=${IMAGE_TAG:-$version}
services=("$@")
[ $# -gt 0 ] || services=(objects auth search events whois mirror gateway cli)

eval "$(scripts/build-facts.sh)"
time=${CADASTRE_BUILD_TIME:-}
[ -z "${SOURCE_DATE_EPOCH:-}" ] || time=$(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}

arguments=(--build-arg "VERSION=$version" --build-arg "BUILD_COMMIT=${CADASTRE_BUILD_COMMIT:-}"
  --build-arg "BUILD_TIME=$time" --build-arg "SOURCE_DATE_EPOCH=$epoch")
[ -z "${NODE_IMAGE:-}" ] || arguments+=(--build-arg "NODE_IMAGE=$NODE_IMAGE")
read -ra options <<<"${BUILD_OPTIONS:-}"
arguments+=("${options[@]}")

for service in "${services[@]}"; do
  echo "== $prefix$service:$tag" >&2
  log=$(mktemp)
  if ! "$docker" build "${arguments[@]}" --build-arg "SERVICE=$service" --tag "$prefix$service:$tag" . >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
done

# The engine does not have what BuildKit only pushed.
size() { "$docker" image inspect --format '{{.Size}}' "$1" | numfmt --to=si --suffix=B; } 2>/dev/null
for service in "${services[@]}"; do printf '%-40s %s\n' "$prefix$service:$tag" "$(size "$prefix$service:$tag")"; done
