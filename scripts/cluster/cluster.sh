#!/usr/bin/env bash
# A Kubernetes of one node on this machine, for tests, without a registry: `make test-cluster` uses it.
#
#   cluster.sh start             compiles and builds what is missing, starts the cluster, and waits until it is ready
#   cluster.sh run COMMAND...    runs a command in the network of the node, with kubectl and what the tests need
#   cluster.sh status            nodes and pods; fails when the cluster does not run
#   cluster.sh stop              stops everything, and deletes its data
#
# The node has its own network, processes and mounts, so nothing of it stays on the machine. It needs root, Go 1.26, the
# Go module proxy, Docker, and Debian's packages containerd, runc, containernetworking-plugins, etcd-server, nftables,
# debootstrap.
# Exits with 69 when one of these cannot be had, and names it.
set -euo pipefail
cd "$(dirname "$0")/../.."
state=${CADASTRE_CLUSTER_STATE:-/var/tmp/cadastre-cluster}

unavailable() {
  echo "NO CLUSTER: $1" >&2
  exit 69
}

requirements() {
  local program missing=()
  [ "$(id -u)" = 0 ] || unavailable 'it needs root'
  PATH="$PATH:/usr/local/go/bin" command -v go >/dev/null || unavailable 'Go 1.26 is not installed'
  for program in containerd:containerd runc:runc etcd:etcd-server nft:nftables openssl:openssl git:git \
    dockerd:docker.io debootstrap:debootstrap unshare:util-linux ip:iproute2 \
    /usr/lib/cni/ptp:containernetworking-plugins; do
    command -v "${program%:*}" >/dev/null || missing+=("${program#*:}")
  done
  [ ${#missing[@]} = 0 ] || unavailable "install Debian's packages ${missing[*]}"
}

# The first process of the node's namespaces, if it is running.
node() { [ -f "$state/pid" ] && cat "/proc/$(cat "$state/pid")/task/$(cat "$state/pid")/children" 2>/dev/null | grep .; }

start() {
  ! node >/dev/null || { echo 'The cluster runs already.' >&2; return; }
  requirements
  scripts/cluster/build.sh || unavailable 'Kubernetes does not compile'
  rm -rf "$state"
  mkdir -p "$state/logs"
  scripts/cluster/images.sh "$state/images.tar" || unavailable 'an image cannot be built'
  git archive "$(scripts/cluster/previous.sh)" deploy/helm/cadastre | tar -x -C "$state"
  setsid unshare --fork --kill-child --pid --mount-proc --net --mount scripts/cluster/node.sh "$state" \
    >"$state/logs/node.log" 2>&1 </dev/null &
  echo $! >"$state/pid"
  until [ -f "$state/ready" ]; do
    kill -0 "$(cat "$state/pid")" 2>/dev/null || {
      cat "$state/logs/node.log" >&2
      unavailable "the node does not start; its logs: $state/logs"
    }
    sleep 1
  done
}

stop() {
  [ -f "$state/pid" ] || return 0
  # The end of the first process ends all other processes of the node.
  kill -KILL $(node) 2>/dev/null || true
  while kill -0 "$(cat "$state/pid")" 2>/dev/null; do sleep 0.2; done
  find /sys/fs/cgroup -depth -type d -path '*/cadastre-cluster*' -exec rmdir {} + 2>/dev/null || true
  rm -rf "$state"
}

run() {
  local pid
  pid=$(node) || { echo 'The cluster does not run: scripts/cluster/cluster.sh start' >&2; exit 1; }
  PATH="$PWD/.tools/cluster/bin:$PATH" KUBECONFIG="$state/kubeconfig" CADASTRE_TEST_KUBECONFIG="$state/kubeconfig" \
    CADASTRE_TEST_PREVIOUS_CHART="$state/deploy/helm/cadastre" nsenter --net="/proc/${pid% }/ns/net" "$@"
}

case ${1:-} in
  start | stop) "$1" ;;
  status) run kubectl get nodes,pods --all-namespaces ;;
  run) run "${@:2}" ;;
  *)
    sed -nE 's/^#   //p' "$0" >&2
    exit 2
    ;;
esac
