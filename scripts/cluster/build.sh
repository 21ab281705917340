#!/usr/bin/env bash
# Compiles Kubernetes, its DNS server and the metrics server into .tools/cluster/bin, from the modules in programs/ and
# metrics/ with versions and checksums. The first run needs 15 minutes of processor time, further ones seconds. It
# copies the definitions of custom resources from the modules of their operators into .tools/cluster/definitions.
set -euo pipefail
cd "$(dirname "$0")"
bin=$PWD/../../.tools/cluster/bin
definitions=$PWD/../../.tools/cluster/definitions
export PATH="$PATH:/usr/local/go/bin" CGO_ENABLED=0
mkdir -p "$bin" "$definitions"

# Kubernetes reports this version to clients; the build itself has none.
version=$(sed -nE 's/^\tk8s.io\/kubernetes (v.*)$/\1/p' programs/go.mod)
variable=k8s.io/component-base/version
flags="-s -w -X $variable.gitVersion=$version -X $variable.gitMajor=1 -X $variable.gitMinor=$(cut -d. -f2 <<<"$version")"

compile() { (cd "$1" && nice -n 15 go build -p "${BUILD_JOBS:-2}" -trimpath -ldflags "$flags" -o "$bin/" "${@:2}"); }

compile programs ./dns ./s3 k8s.io/kubernetes/cmd/{kube-apiserver,kube-controller-manager,kube-proxy,kube-scheduler,kubectl,kubelet}
compile metrics sigs.k8s.io/metrics-server/cmd/metrics-server

define() { # MODULE@VERSION FILE...
  local folder
  folder=$(cd "$(mktemp -d)" && go mod download -json "$1" | sed -nE 's/^\t"Dir": "(.*)",?$/\1/p')
  (cd "$folder" && install -m 644 "${@:2}" "$definitions")
}
define github.com/cert-manager/cert-manager@v1.21.2 deploy/crds/cert-manager.io_{certificates,clusterissuers,issuers}.yaml
define github.com/prometheus-operator/prometheus-operator@v0.85.0 \
  example/prometheus-operator-crd/monitoring.coreos.com_{probes,prometheusrules,servicemonitors}.yaml
