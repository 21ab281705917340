#!/bin/sh
# Copies the runtime of Node.js from the Node.js image (Debian) into a folder that becomes the root of an image: the
# program, its shared libraries, one user, and the package data of the libraries, for scanners.
set -eu
target=$1
node=$(command -v node)

mkdir -p "$target/usr/local/bin" "$target/etc" "$target/tmp" "$target/data" "$target/var/lib/dpkg/status.d"
cp "$node" "$target/usr/local/bin/node"
for library in $(ldd "$node" | grep -o '/[^ ]*'); do
  mkdir -p "$target$(dirname "$library")"
  cp -L "$library" "$target$library"
done

echo 'cadastre:x:10001:10001:Cadastre:/tmp:/sbin/nologin' >"$target/etc/passwd"
echo 'cadastre:x:10001:' >"$target/etc/group"
echo 'hosts: files dns' >"$target/etc/nsswitch.conf"
cp -L /etc/os-release "$target/etc/os-release"
for package in libc6 libgcc-s1 libstdc++6; do
  dpkg-query --status "$package" >"$target/var/lib/dpkg/status.d/$package"
done

chmod 1777 "$target/tmp"
chmod 0700 "$target/data"
chown 10001:10001 "$target/data"
