#!/usr/bin/env bash
# `make test-cluster`: tests the chart and the images in a Kubernetes of one node, from installation to removal. Exits
# with 69, without any test, when the cluster is unavailable (cluster.sh prints why).
set -euo pipefail
cd "$(dirname "$0")/../.."
cluster=scripts/cluster/cluster.sh
trap '$cluster stop' EXIT

$cluster start
$cluster status
# This test only needs the API server to accept the pods; none may run.
$cluster run kubectl cordon node
$cluster run npx vitest run --reporter verbose deploy/helm/tests/cluster.test.ts
$cluster run kubectl wait namespaces --selector pod-security.kubernetes.io/enforce --for delete --timeout 5m
$cluster run kubectl uncordon node
$cluster run npx vitest run --reporter verbose --no-file-parallelism deploy/helm/tests/{installation,production}.test.ts || {
  $cluster run kubectl get pods --all-namespaces >&2
  $cluster run kubectl events --all-namespaces >&2
  exit 1
}
