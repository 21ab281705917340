#!/usr/bin/env bash
# publish.sh: writes the release of the tag on GitHub by `gh`, with notes.md and all files: a draft, which the publisher
# reads and publishes there. It needs the tag there. When the release exists, its text and files are replaced.
set -euo pipefail
. "$(dirname "$0")/step.sh"

notes=(--notes-file "$directory/notes.md")
mapfile -t files < <(find "$directory" -type f ! -name notes.md ! -name audit.md | sort)
if gh release view "$tag" >/dev/null 2>&1; then
  gh release edit "$tag" "${notes[@]}"
  gh release upload "$tag" --clobber "${files[@]}"
else
  options=(--draft --verify-tag --title "Cadastre $version")
  [[ $version != *-* ]] || options+=(--prerelease)
  gh release create "$tag" "${options[@]}" "${notes[@]}" "${files[@]}"
fi
