#!/usr/bin/env bash
# publish-packages.sh: publishes the command line program (cadastre) and the client (@cadastre/client) in the npm
# registry. The publisher must own both names there, and be logged in or have a trusted workflow.
set -euo pipefail
. "$(dirname "$0")/step.sh"

options=(--access public)
[[ $version != *-* ]] || options+=(--tag next)
# Only hosted workflows can prove where a package was built.
[ -z "${GITHUB_ACTIONS:-}" ] || options+=(--provenance)
for package in cli client; do npm publish "${options[@]}" "$directory/cadastre-$package-$version.tgz"; done
