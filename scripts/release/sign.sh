#!/usr/bin/env bash
# sign.sh: signs the images (images.txt), the chart (chart.txt) and SHA256SUMS with cosign 3. The signatures
# of images and of the chart go to their registry; that of SHA256SUMS is SHA256SUMS.sigstore.json.
#
#   COSIGN_KEY       a key file or the URL of a key (default: none, cosign signs with the identity of the publisher or
#                    of the hosted workflow)
#   COSIGN_OPTIONS   further options of cosign, for example --signing-config FILE
set -euo pipefail
. "$(dirname "$0")/step.sh"
command -v cosign >/dev/null || { echo 'cosign is not installed: https://docs.sigstore.dev/cosign/' >&2; exit 1; }

read -ra options <<<"--yes ${COSIGN_OPTIONS:-}"
[ -z "${COSIGN_KEY:-}" ] || options+=(--key "$COSIGN_KEY")
cat "$directory/images.txt" "$directory/chart.txt" | while read -r artefact; do
  cosign sign "${options[@]}" "$artefact" </dev/null
done
cosign sign-blob "${options[@]}" --bundle "$directory/SHA256SUMS.sigstore.json" "$directory/SHA256SUMS"
