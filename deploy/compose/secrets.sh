#!/usr/bin/env bash
# Creates the secrets of compose.yaml in the folder secrets/ beside it: passwords of the databases and of Redis, the key
# of webhooks, and a CA with certificates by which the services identify each other. Existing files stay, so that running it again does no
# harm; delete secrets/tls/*.crt first to get new certificates.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v openssl >/dev/null || { echo 'openssl is needed' >&2; exit 1; }
directory=${CADASTRE_SECRETS:-secrets}
# Only the owner can enter the folder; the containers see single files of it, as users unknown to this host.
mkdir -p "$directory/tls"
chmod 700 "$directory"
umask 022

# keep NAME TEXT
keep() { [ -e "$directory/$1" ] || printf '%s' "$2" >"$directory/$1"; }

keep postgres-password "$(openssl rand -hex 24)"
for owner in objects auth mirror; do
  keep "$owner-database-url" "postgres://$owner:$(openssl rand -hex 24)@postgres:5432/cadastre"
done

redis_password=$(openssl rand -hex 24)
if [ ! -e "$directory/redis-url" ]; then
  echo "requirepass $redis_password" >"$directory/redis.conf"
  keep redis-url "redis://:$redis_password@redis:6379/0"
fi
# The mail server: smtp://USER:PASSWORD@HOST:PORT. The default is the one for trials.
keep mail-url smtp://mailpit:1025
keep webhook-key "$(openssl rand -hex 32)"
keep opensearch-url https://opensearch:9200
# Files of the identity provider, if there is one; see docs/start/install.md.
keep oidc-client-secret ''
keep directory-token ''
# The URL of a forward proxy, if there is one; see docs/operate/operations.md.
keep egress-proxy ''

authority=$directory/tls/authority
if [ ! -e "$authority.crt" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj '/CN=Cadastre internal' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' -keyout "$authority.key" -out "$authority.crt" 2>/dev/null
  chmod 600 "$authority.key"
fi
for name in objects auth search events whois mirror gateway operator opensearch; do
  certificate=$directory/tls/$name
  [ ! -e "$certificate.crt" ] || continue
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" -keyout "$certificate.key" \
    -out "$certificate.csr" 2>/dev/null
  names=DNS:$name
  # Its own programs reach it as localhost.
  [ "$name" != opensearch ] || names+=,DNS:localhost
  openssl x509 -req -in "$certificate.csr" -CA "$authority.crt" -CAkey "$authority.key" -days 825 \
    -set_serial "0x40$(openssl rand -hex 15)" -out "$certificate.crt" 2>/dev/null \
    -extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\nbasicConstraints=CA:FALSE\n' "$names")
  rm "$certificate.csr"
  chmod 644 "$certificate.key"
done
echo "The secrets are in $directory/."
