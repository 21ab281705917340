# For scripts that need images, which source this file: `start_engine DIRECTORY` finds a running Docker engine or starts
# one, which needs root, with its log in the directory; `base_images DIRECTORY [IMAGE...]` pulls the base images and
# these, or builds stand-ins for unavailable ones; `stop_engine` stops the engine that start_engine started. The first
# two print the reason of a failure to stderr.
engine=

start_engine() {
  ! docker info >/dev/null 2>&1 || return 0
  command -v docker >/dev/null && command -v dockerd >/dev/null ||
    { echo 'no Docker engine is installed (Debian: docker.io)' >&2; return 1; }
  dockerd >"$1/dockerd.log" 2>&1 &
  engine=$!
  for _ in $(seq 120); do
    ! docker info >/dev/null 2>&1 || return 0
    kill -0 "$engine" 2>/dev/null || break
    sleep 0.5
  done
  tail -n 20 "$1/dockerd.log" >&2
  echo 'the Docker engine does not start' >&2
  return 1
}

stop_engine() { [ -z "$engine" ] || { kill "$engine" && wait "$engine" || true; }; }

base_images() {
  local image missing=()
  for image in node:24-bookworm-slim postgres:18-alpine redis:8-alpine "${@:2}"; do
    docker image inspect "$image" >/dev/null 2>&1 || docker pull --quiet "$image" >/dev/null 2>&1 || missing+=("$image")
  done
  [ ${#missing[@]} = 0 ] || scripts/images/stand-in/build.sh "${missing[@]}" >"$1/stand-in.log" 2>&1 || {
    tail -n 20 "$1/stand-in.log" >&2
    echo 'the base images cannot be had' >&2
    return 1
  }
}

# Debian's client includes BuildKit; newer clients without its plug-in only have the old builder, which is slower.
if ! docker buildx version >/dev/null 2>&1 && [[ "$(/usr/bin/docker --version 2>/dev/null)" == 'Docker version 20.'* ]]; then
  export DOCKER=/usr/bin/docker DOCKER_BUILDKIT=1
fi
