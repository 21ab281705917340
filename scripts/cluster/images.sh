#!/usr/bin/env bash
# `images.sh FILE`: writes an archive of all images that the cluster runs. A cluster without a registry cannot pull.
#
#   cadastre-*:VERSION     of this checkout, with the version in package.json
#   cadastre-*:previous    of the commit that previous.sh prints
#   postgres, redis        from a registry, else stand-ins (scripts/images/stand-in)
#   cluster/*              programs of build.sh; PostgreSQL with pgBackRest; for "pause", stand-in: sleep
set -euo pipefail
cd "$(dirname "$0")/../.."
file=$1
work=$(mktemp -d)
. scripts/images/engine.sh

leave() {
  git worktree remove --force "$work/previous" 2>/dev/null || true
  stop_engine >/dev/null 2>&1
  rm -rf "$work"
}
trap leave EXIT

program() { # NAME
  mkdir -p "$work/$1/tmp"
  cp ".tools/cluster/bin/$1" "$work/$1/program"
  tar -C "$work/$1" -c . | docker import --change 'ENTRYPOINT ["/program"]' - "cluster/$1:1" >/dev/null
}

previous() {
  git worktree add --quiet --detach "$work/previous" "$(scripts/cluster/previous.sh)"
  # In that folder, so that it builds its own files.
  (cd "$work/previous" && IMAGE_TAG=previous scripts/images/build.sh)
}

start_engine "$work"
base_images "$work"
scripts/images/build.sh
previous
program dns
program metrics-server
program s3
build() { "${DOCKER:-docker}" build --quiet --tag "$@" >/dev/null; }
build cluster/pause:1 - <<<$'FROM node:24-bookworm-slim\nCMD ["sleep", "infinity"]'
build cluster/pgbackrest:15 scripts/cluster/pgbackrest
version=$(sed -nE 's/^  "version": "(.*)",$/\1/p' package.json)
names=(cadastre-geo:previous) # A service of release 0.2 alone.
# The version before has none of these.
for service in events whois mirror; do names+=("cadastre-$service:$version"); done
for service in objects auth search gateway cli; do names+=("cadastre-$service:$version" "cadastre-$service:previous"); done
docker save "${names[@]}" cluster/{pause,dns,metrics-server,s3}:1 cluster/pgbackrest:15 postgres:18-alpine redis:8-alpine >"$file"
