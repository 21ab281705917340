#!/usr/bin/env bash
# `node.sh STATE`: the one node, as the first process of its own namespaces (cluster.sh creates them), so its end stops
# everything. Starts etcd, containerd and Kubernetes, imports STATE/images.tar, and writes STATE/ready. Exits when one
# of these programs exits, and reports which.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$here/../../.tools/cluster/bin
state=$1
node_address=198.51.100.1
export PATH="$bin:$PATH" KUBECONFIG=$state/kubeconfig
api=https://$node_address:6443

# Programs by process id; `run NAME COMMAND...` adds one.
declare -A programs
run() {
  "${@:2}" >"$state/logs/$1.log" 2>&1 &
  programs[$!]=$1
}

# Exits when a program has exited, and prints its log.
expect_running() {
  local process
  for process in "${!programs[@]}"; do
    kill -0 "$process" 2>/dev/null || {
      echo "${programs[$process]} ended:" >&2
      tail -n 5 "$state/logs/${programs[$process]}.log" >&2
      exit 1
    }
  done
}

eventually() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  until "${@:2}" >/dev/null 2>&1; do
    expect_running
    [ $SECONDS -lt $end ] || { echo "not within $1 s: ${*:2}" >&2; return 1; }
    sleep 0.5
  done
}

# Files that programs write outside STATE exist in this namespace only, and so do the kernel settings that the kubelet
# requires.
private_files() {
  local setting
  for folder in /run /var/log /var/lib/cni /var/lib/kubelet; do
    mkdir -p "$folder"
    mount -t tmpfs tmpfs "$folder"
  done
  mkdir -p /run/settings
  for setting in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys \
    kernel/keys/root_maxbytes; do
    cat "/proc/sys/$setting" >"/run/settings/${setting//\//-}"
    mount --bind "/run/settings/${setting//\//-}" "/proc/sys/$setting"
  done
}

# Resource control of all pods, in either version of cgroups; cluster.sh removes it.
resources() {
  if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
    mkdir -p /sys/fs/cgroup/cadastre-cluster
    sed 's/[a-z]*/+&/g' /sys/fs/cgroup/cgroup.controllers >/sys/fs/cgroup/cgroup.subtree_control
  else
    mkdir -p $(find /sys/fs/cgroup -mindepth 1 -maxdepth 1 -type d -printf '%p/cadastre-cluster ')
    # Pods request fractions of 1024 for each processor.
    echo $((1024 * $(nproc))) >/sys/fs/cgroup/cpu/cadastre-cluster/cpu.shares
  fi
}

# Pods are on point-to-point links, so that the node forwards every packet between them and can filter it.
network() {
  ip link set lo up
  ip link add node0 type veth peer name node1
  ip address add $node_address/24 dev node0
  ip link set node0 up
  ip link set node1 up
  ip route add 10.96.0.0/16 dev node0
  echo 1 >/proc/sys/net/ipv4/ip_forward
  mkdir -p "$state/cni"
  cat >"$state/cni/pods.conflist" <<END
{ "cniVersion": "0.4.0", "name": "pods", "plugins": [{ "type": "ptp", "ipam": {
  "type": "host-local", "ranges": [[{ "subnet": "10.244.0.0/16" }]], "routes": [{ "dst": "0.0.0.0/0" }] } }] }
END
}

certificate() { # FILE SUBJECT EXTENSION
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -subj "$2" -out "$1.csr"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -days 30 -out "$1.crt" -extfile <(echo "$3")
}

identities() {
  cd "$state"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -subj /CN=cluster -days 30 -out ca.crt
  certificate api /CN=kube-apiserver \
    "subjectAltName=IP:$node_address,IP:10.96.0.1,DNS:kubernetes.default.svc"
  certificate admin /O=system:masters/CN=admin extendedKeyUsage=clientAuth
  certificate aggregator /CN=front-proxy extendedKeyUsage=clientAuth
  openssl genrsa -out accounts.key 2048
  kubectl config set-cluster cluster --server "$api" --certificate-authority ca.crt --embed-certs
  kubectl config set-credentials admin --client-certificate admin.crt --client-key admin.key --embed-certs
  kubectl config set-context cluster --cluster cluster --user admin
  kubectl config use-context cluster
} >"$state/logs/identities.log" 2>&1

runtime() {
  cat >"$state/containerd.toml" <<END
version = 2
root = "$state/containerd"
state = "/run/containerd"
[grpc]
address = "/run/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "docker.io/cluster/pause:1"
# This machine may be a container that must not change how the kernel treats its processes when memory is short.
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "$state/cni"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
END
  run containerd containerd --config "$state/containerd.toml"
  eventually 60 ctr --address /run/containerd.sock version
  ctr --address /run/containerd.sock --namespace k8s.io images import "$state/images.tar" >"$state/logs/images.log"
  rm "$state/images.tar"
}

control_plane() {
  run etcd etcd --data-dir "$state/etcd" --unsafe-no-fsync
  run kube-apiserver kube-apiserver --etcd-servers http://127.0.0.1:2379 --advertise-address $node_address \
    --tls-cert-file "$state/api.crt" --tls-private-key-file "$state/api.key" --client-ca-file "$state/ca.crt" \
    --kubelet-client-certificate "$state/admin.crt" --kubelet-client-key "$state/admin.key" \
    --kubelet-preferred-address-types InternalIP \
    --service-cluster-ip-range 10.96.0.0/16 --authorization-mode RBAC \
    --service-account-issuer https://kubernetes.default.svc --service-account-key-file "$state/accounts.key" \
    --service-account-signing-key-file "$state/accounts.key" \
    --requestheader-client-ca-file "$state/ca.crt" --requestheader-allowed-names front-proxy \
    --requestheader-username-headers X-Remote-User --requestheader-group-headers X-Remote-Group \
    --requestheader-extra-headers-prefix X-Remote-Extra- \
    --proxy-client-cert-file "$state/aggregator.crt" --proxy-client-key-file "$state/aggregator.key"
  eventually 300 kubectl get --raw /readyz
  run kube-controller-manager kube-controller-manager --kubeconfig "$KUBECONFIG" --leader-elect=false \
    --service-account-private-key-file "$state/accounts.key" --root-ca-file "$state/ca.crt"
  run kube-scheduler kube-scheduler --kubeconfig "$KUBECONFIG" --leader-elect=false
}

kubernetes_node() {
  : >"$state/resolv.conf"
  cat >"$state/kubelet.yaml" <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: $state/ca.crt } }
authorization: { mode: Webhook }
cgroupDriver: cgroupfs
cgroupRoot: /cadastre-cluster
failCgroupV1: false
failSwapOn: false
containerRuntimeEndpoint: unix:///run/containerd.sock
clusterDNS: [10.96.0.10]
clusterDomain: cluster.local
resolvConf: $state/resolv.conf
podLogsDir: /var/log/pods
# No registry could replace an image that the kubelet deletes to save space.
imageGCHighThresholdPercent: 100
evictionHard: { memory.available: 100Mi }
enforceNodeAllocatable: []
END
  cat >"$state/kube-proxy.yaml" <<END
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: { kubeconfig: $KUBECONFIG }
clusterCIDR: 10.244.0.0/16
conntrack: { maxPerCore: 0, tcpCloseWaitTimeout: 0s, tcpEstablishedTimeout: 0s }
hostnameOverride: node
mode: nftables
END
  run kubelet kubelet --kubeconfig "$KUBECONFIG" --config "$state/kubelet.yaml" \
    --hostname-override node --node-ip $node_address
  run kube-proxy kube-proxy --config "$state/kube-proxy.yaml"
  run policies node "$here/policies.mjs" "$state" "$api"
}

volume() { # NUMBER
  mkdir -p "$state/volumes/$1"
  cat <<END
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: folder-$1 }
spec:
  capacity: { storage: 10Gi }
  accessModes: [ReadWriteOnce, ReadWriteMany]
  storageClassName: folders
  local: { path: $state/volumes/$1 }
  nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [
    { key: kubernetes.io/hostname, operator: In, values: [node] }] }] } }
END
}

add_ons() {
  kubectl apply --filename "$here/manifests" >"$state/logs/add-ons.log"
  kubectl apply --server-side --filename "$here/../../.tools/cluster/definitions" >>"$state/logs/add-ons.log"
  for n in {1..12}; do volume $n; done | kubectl apply --filename - >>"$state/logs/add-ons.log"
  eventually 300 kubectl wait node/node --for condition=Ready --timeout 10s
  eventually 300 kubectl --namespace kube-system rollout status deployment --timeout 10s
  run certificates node "$here/certificates.mjs"
}

mkdir -p "$state/logs"
private_files
resources
network
identities
runtime
control_plane
kubernetes_node
add_ons
touch "$state/ready"
wait -n || true
expect_running
