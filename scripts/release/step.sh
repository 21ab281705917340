# The steps that are shell scripts source this file: `--help` prints the comment at the top of the step; else it enters
# the top folder of the checkout, and sets `version`, `tag` and `directory` as step.mjs does.
if [ "${1:-}" = --help ]; then
  sed -nE '1d; /^#/!q; s/^# ?//p' "$0"
  exit
fi
cd "$(dirname "$0")/../.."
version=$(sed -nE 's/^  "version": "(.*)",$/\1/p' package.json)
tag=${RELEASE_TAG:-v$version}
directory=${RELEASE_DIR:-dist/release/$version}
mkdir -p "$directory"
