#!/usr/bin/env bash
# Restores the newest backup of the registry into an empty directory, starts PostgreSQL there and compares the objects
# and serials with the running registry. Fails when the backup cannot be restored, is damaged, or is too old. Needs
# pgBackRest, and the programs of the same version of PostgreSQL in PATH; must not run as root. Environment:
#   DRILL_DIRECTORY   empty directory for the restored data
#   DRILL_STANZA      stanza of pgBackRest; PGBACKREST_CONFIG names its configuration
#   DRILL_DATABASE    database of objects in the backup
#   DRILL_LIVE_URL    URL of the running database of objects, or DRILL_LIVE_URL_FILE; only read
#   DRILL_MAXIMAL_LAG age in seconds that the oldest change may have that the backup lacks
set -euo pipefail
: "${DRILL_DIRECTORY:?}" "${DRILL_STANZA:?}" "${DRILL_DATABASE:?}" "${DRILL_MAXIMAL_LAG:?}"
live=${DRILL_LIVE_URL:-$(cat "${DRILL_LIVE_URL_FILE:?}")}
data=$DRILL_DIRECTORY/data
export PGOPTIONS='-c default_transaction_read_only=on'

say() { printf '%s %s\n' "$(date -u +%FT%TZ)" "$*"; }
fail() { say "FAILED: $*" >&2 && exit 1; }
restored() { psql -h "$DRILL_DIRECTORY" -U postgres -d "$DRILL_DATABASE" -v ON_ERROR_STOP=1 -qAtF ' ' "$@"; }
running() { psql "$live" -v ON_ERROR_STOP=1 -qAtF ' ' "$@"; }

# The data of an interrupted drill.
rm -rf "$data" && mkdir -m 700 "$data"
say "restoring the newest backup of stanza $DRILL_STANZA"
pgbackrest --stanza="$DRILL_STANZA" --pg1-path="$data" --archive-mode=off --log-level-console=warn restore

# Settings of its own: those of the backup may not fit here, or may reach others.
echo 'local all all trust' >"$DRILL_DIRECTORY/hba.conf"
cat >"$DRILL_DIRECTORY/postgresql.conf" <<SETTINGS
hba_file = '$DRILL_DIRECTORY/hba.conf'
listen_addresses = ''
unix_socket_directories = '$DRILL_DIRECTORY'
hot_standby = off
SETTINGS
overrides=(archive_mode=off fsync=off shared_preload_libraries= ssl=off primary_conninfo= primary_slot_name=
  synchronous_standby_names= "config_file=$DRILL_DIRECTORY/postgresql.conf")
trap 'pg_ctl -D "$data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$data"' EXIT
pg_ctl -D "$data" -l "$DRILL_DIRECTORY/postgresql.log" -W -o "$(printf -- '-c %q ' "${overrides[@]}")" start >/dev/null
say 'replaying the archived WAL'
# Without hot_standby it accepts connections when it has replayed everything.
until restored -c 'select 1' >/dev/null 2>&1; do
  sleep 1
  if ! pg_ctl -D "$data" status >/dev/null; then
    tail -20 "$DRILL_DIRECTORY/postgresql.log" >&2
    fail 'PostgreSQL does not start'
  fi
done

schema=$(restored -c "select relnamespace::regnamespace from pg_class where relkind in ('r', 'p') and relname in ('source', 'object', 'change')
  group by 1 having count(*) = 3")
[ -n "$schema" ] || fail "database $DRILL_DATABASE has no tables of objects"
export PGOPTIONS="-c default_transaction_read_only=on -c search_path=$schema"
invalid=$(restored -c 'select indexrelid::regclass from pg_index where not indisvalid')
[ -z "$invalid" ] || fail "invalid index: $invalid"

# Reads all texts, so that a damaged page is noticed.
say "$(restored -c "select count(*) filter (where not deleted), 'objects,', sum(octet_length(text)), 'bytes' from object")"
say "$(restored -c "select count(*), 'earlier states,', coalesce(sum(octet_length(text)), 0), 'bytes' from version")"

restored -c 'select id, name, serial from source order by id' >"$DRILL_DIRECTORY/sources"
[ -s "$DRILL_DIRECTORY/sources" ] || fail 'there is no source'
while read -r id name serial; do
  say "$name has serial $serial"
  gaps=$(restored -c "select count(*) <> coalesce(max(serial) - min(serial) + 1, 0) or coalesce(max(serial), $serial) <> $serial
    from change where source_id = $id")
  [ "$gaps" = f ] || fail "$name: serials are missing in the journal"
  lost=$(restored -c "select count(*) from change c where source_id = $id and not exists (
    select from object o where o.source_id = c.source_id and o.type = c.type and o.key = c.key and o.announced >= c.serial)")
  [ "$lost" = 0 ] || fail "$name: the journal announces $lost states that are missing"

  # The running registry has the same history, is not much further, and has the same objects except those that changed
  # since. One transaction sees one state of it.
  sums='count(*), coalesce(sum(hashtextextended(o.type || o.key || o.revision || o.deleted || o.text, 0)), 0)'
  instant="select extract(epoch from instant) from change where source_id = source.id and serial"
  running <<SQL
begin isolation level repeatable read;
\o '$DRILL_DIRECTORY/running'
select serial >= $serial, coalesce(($instant = $serial), 0),
  coalesce(extract(epoch from now()) - ($instant = $serial + 1) > $DRILL_MAXIMAL_LAG, false)
from source where name = '$name';
\o '$DRILL_DIRECTORY/expected'
select $sums from object o join source s on s.id = o.source_id where s.name = '$name' and announced <= $serial;
\o '$DRILL_DIRECTORY/changed'
copy (select distinct c.type, c.key from change c join source s on s.id = c.source_id
  where s.name = '$name' and c.serial > $serial) to stdout;
SQL
  read -r ahead there late <"$DRILL_DIRECTORY/running" || fail "$name is no source of the running registry"
  [ "$ahead" = t ] || fail "$name: the running registry is behind the backup"
  here=$(restored -c "select coalesce((select extract(epoch from instant) from change where source_id = $id and serial = $serial), 0)")
  [ "$here" = "$there" ] || [ "$here" = 0 ] || [ "$there" = 0 ] ||
    fail "$name: the running registry has another change with serial $serial"
  [ "$late" = f ] || fail "$name: the backup lacks changes that are older than $DRILL_MAXIMAL_LAG s"
  expected=$(cat "$DRILL_DIRECTORY/expected")
  found=$(PGOPTIONS="-c search_path=$schema" restored <<SQL
create temporary table changed (type smallint, key text collate "C");
\copy changed from '$DRILL_DIRECTORY/changed'
select $sums from object o where source_id = $id and not exists (
  select from changed where changed.type = o.type and changed.key = o.key);
SQL
  )
  [ "$expected" = "$found" ] || fail "$name: number and checksum of unchanged objects are $expected, in the backup $found"
done <"$DRILL_DIRECTORY/sources"
say 'the backup is complete'
