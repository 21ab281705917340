#!/usr/bin/env bash
# images.sh [SERVICE...]: builds the images (default: all) and pushes them to RELEASE_REGISTRY/cadastre-SERVICE:VERSION,
# each with its SBOM and its provenance. It writes their names and digests to images.txt, and to image-digests.yaml as
# values of the chart. Log in before: `docker login`.
#
#   RELEASE_REGISTRY   for example ghcr.io/example
#   IMAGE_PLATFORMS    for which buildx builds (default linux/amd64,linux/arm64); empty: for this machine, without
#                      buildx, SBOM and provenance
#   NODE_IMAGE         the base image, by name or NAME@sha256:...
#   DOCKER             the client (default docker)
set -euo pipefail
. "$(dirname "$0")/step.sh"
: "${RELEASE_REGISTRY:?is not set, for example RELEASE_REGISTRY=ghcr.io/example}"
docker=${DOCKER:-docker}
platforms=${IMAGE_PLATFORMS-linux/amd64,linux/arm64}
services=("$@")
[ $# -gt 0 ] || services=($(ls services) cli)

export IMAGE_PREFIX=$RELEASE_REGISTRY/cadastre- IMAGE_TAG=$version
[ -z "$platforms" ] || export BUILD_OPTIONS="--platform $platforms --push --sbom=true --provenance=mode=max"
scripts/images/build.sh "${services[@]}"

digest() { # SERVICE
  local name=$IMAGE_PREFIX$1
  if [ -n "$platforms" ]; then
    "$docker" buildx imagetools inspect --format '{{.Manifest.Digest}}' "$name:$version"
  else
    "$docker" push --quiet "$name:$version" >&2
    "$docker" image inspect --format '{{join .RepoDigests "\n"}}' "$name:$version" | sed -n "s|^$name@||p"
  fi
}

: >"$directory/images.txt"
printf 'image:\n  registry: %s\n  digests:\n' "$RELEASE_REGISTRY" >"$directory/image-digests.yaml"
for service in "${services[@]}"; do
  digest=$(digest "$service")
  echo "$IMAGE_PREFIX$service@$digest" | tee -a "$directory/images.txt"
  echo "    $service: $digest" >>"$directory/image-digests.yaml"
done
