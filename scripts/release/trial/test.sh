#!/usr/bin/env bash
# Publishes the next version into a registry on this machine, as docs/develop/releasing.md says, signs it with a key that
# it makes, and then verifies and installs everything as a user does. It changes no file of the checkout. Needs a Docker
# engine, or root to start one, and Go: the first run compiles the registry and cosign, which takes minutes. Exits with
# 69 when there is no engine or no base image.
set -euo pipefail
cd "$(dirname "$0")/../../.."
checkout=$PWD
work=$(mktemp -d)
. scripts/images/engine.sh

registry=
leave() {
  [ -z "$registry" ] || kill "$registry" || true
  stop_engine
  git -C "$checkout" worktree remove --force "$work/next" || true
  rm -rf "$work"
} >/dev/null 2>&1
trap leave EXIT

step() { echo "== $*" >&2; }
fails() { # COMMAND...: what must not succeed
  if "$@" >"$work/fails.log" 2>&1; then
    echo "succeeds, but must fail: $*" >&2
    exit 1
  fi
}

step 'Registry and cosign'
export GOBIN=$checkout/.tools/release/bin PATH="$checkout/.tools/release/bin:$PATH:/usr/local/go/bin"
CGO_ENABLED=0 go install github.com/distribution/distribution/v3/cmd/registry@v3.1.2
CGO_ENABLED=0 go install github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3
start_engine "$work" && base_images "$work" || { echo 'RELEASE NOT TESTED' >&2; exit 69; }
port=$(node -p "const s = require('node:net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close(); }); ''" | head -1)
cat >"$work/registry.yaml" <<END
version: 0.1
log: { level: error }
storage: { filesystem: { rootdirectory: $work/registry } }
http: { addr: "127.0.0.1:$port" }
END
registry serve "$work/registry.yaml" >"$work/registry.log" 2>&1 &
registry=$!
export RELEASE_HOME=https://github.com/example/cadastre RELEASE_REGISTRY=127.0.0.1:$port/example RELEASE_PLAIN_HTTP=1
curl --silent --fail --retry 20 --retry-connrefused "http://127.0.0.1:$port/v2/" >/dev/null

step 'Build the next version'
git worktree add --quiet --detach "$work/next"
cd "$work/next"
version=$(node -p "const [a, b] = require('./package.json').version.split('.'); [a, Number(b) + 1, 0].join('.')")
node scripts/release/prepare.mjs "$version"
make release >"$work/release.log" 2>&1 || { tail -n 40 "$work/release.log" >&2; exit 1; }
files=$PWD/dist/release/$version

step 'Publish'
(cd "$work" && COSIGN_PASSWORD=trial cosign generate-key-pair && cosign signing-config create --out signing.json) >"$work/key.log" 2>&1
IMAGE_PLATFORMS='' scripts/release/images.sh
node scripts/release/push-chart.mjs
node scripts/release/checksums.mjs
COSIGN_PASSWORD=trial COSIGN_KEY=$work/cosign.key COSIGN_OPTIONS="--signing-config $work/signing.json" \
  scripts/release/sign.sh >"$work/sign.log" 2>&1 || { tail -n 20 "$work/sign.log" >&2; exit 1; }

step 'Verify'
cd "$files"
signed=(--key "$work/cosign.pub" --insecure-ignore-tlog)
cosign verify-blob "${signed[@]}" --bundle SHA256SUMS.sigstore.json SHA256SUMS 2>/dev/null
sha256sum --quiet --check SHA256SUMS
cat images.txt chart.txt | while read -r artefact; do
  cosign verify "${signed[@]}" "$artefact" >/dev/null 2>"$work/verify.log" || { cat "$work/verify.log" >&2; exit 1; }
done
[ "$(wc -l <images.txt)" = 8 ]
sed s/./0/ SHA256SUMS >"$work/changed"
fails cosign verify-blob "${signed[@]}" --bundle SHA256SUMS.sigstore.json "$work/changed"
(cd "$work" && COSIGN_PASSWORD=trial cosign generate-key-pair --output-key-prefix other) >/dev/null 2>&1
fails cosign verify --key "$work/other.pub" --insecure-ignore-tlog "$(head -1 images.txt)"

step 'Install'
docker image ls --quiet --filter "reference=$RELEASE_REGISTRY/*" | sort -u | xargs --no-run-if-empty docker image rm --force >/dev/null
cli=$(grep /cadastre-cli@ images.txt)
docker run --rm --pull always --quiet "$cli" --version | grep --quiet -Fx "$version"
helm() { node "$checkout/scripts/helm.mjs" "$@"; }
helm pull --plain-http "oci://$RELEASE_REGISTRY/charts/cadastre" --version "$version" --destination "$work"
cmp "$work/cadastre-$version.tgz" "cadastre-chart-$version.tgz"
helm template trial "$work/cadastre-$version.tgz" --values image-digests.yaml >"$work/manifests.yaml"
while read -r image; do
  [[ $image == */cadastre-@(events|mirror|whois)@* ]] || grep --quiet --fixed-strings "$image" "$work/manifests.yaml"
done <images.txt
npm install --silent --prefix "$work/npm" "$files/cadastre-cli-$version.tgz" "$files/cadastre-client-$version.tgz"
"$work/npm/node_modules/.bin/cadastre" --version | grep --quiet -Fx "$version"
echo "The release of $version can be published, verified and installed." >&2
