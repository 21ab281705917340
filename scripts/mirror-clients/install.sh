#!/usr/bin/env bash
# Installs third-party mirroring programs into the folder in the argument, for libs/system/tests/irrd.test.ts and
# services/mirror/tests/nrtm4-programs.test.ts: IRRd (PyPI; needs a C compiler and the headers of Python),
# nrtm4-validator (crates.io, only with Rust) and nrtm4client (GitHub). Skips installed ones. A failure does not stop
# the others; the exit code is then 1.
set -uo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd) || exit 1
cd "$(dirname "$0")" || exit 1
mkdir -p "$folder/bin"
left_out=0

leave_out() {
  echo "SKIPPED: $1: $2" >&2
  left_out=1
}

install_irrd() {
  local wanted
  wanted=$(sha256sum <requirements.txt)
  [ "$(cat "$folder/irrd/installed" 2>/dev/null)" = "$wanted" ] && return
  rm -f "$folder/irrd/installed" "$folder/bin/irrd"
  python3 -m venv --clear "$folder/irrd" &&
    "$folder/irrd/bin/pip" install --quiet --disable-pip-version-check --no-deps \
      --requirement requirements.txt &&
    echo "$wanted" >"$folder/irrd/installed" &&
    ln -s ../irrd/bin/irrd "$folder/bin/irrd"
}

install_validator() {
  grep -qs '"nrtm4-validator 0.1.0 ' "$folder/.crates2.json" && return
  command -v cargo >/dev/null || return
  echo 'Compiling nrtm4-validator, which takes five minutes of processor time' >&2
  nice cargo install --quiet --locked --debug --root "$folder" nrtm4-validator --version 0.1.0
}

# Where GitHub is unreachable, copy a clone into the folder.
install_client() {
  local clone="$folder/nrtm4tools" revision=0e4d30df0c58daf9bb7e3e7931158ce7627b6f04
  [ "$(cat "$clone/installed" 2>/dev/null)" = "$revision" ] && return
  command -v go >/dev/null || return
  [ -d "$clone" ] ||
    GIT_TERMINAL_PROMPT=0 git clone --quiet https://github.com/petchells/nrtm4tools "$clone" || return
  git -C "$clone" checkout --quiet "$revision" &&
    (cd "$clone" && go build -o "$folder/bin/nrtm4client" ./cmd/nrtm4client) &&
    echo "$revision" >"$clone/installed"
}

install_irrd || leave_out IRRd 'pip cannot install it'
install_validator || leave_out nrtm4-validator 'there is no Rust (cargo), or it cannot compile it'
install_client || leave_out nrtm4client 'there is no Go, or it cannot get the sources'
exit "$left_out"
