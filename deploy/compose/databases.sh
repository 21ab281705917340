#!/bin/sh
# The PostgreSQL image runs this when it creates its data directory: creates one role with one schema for each service
# with data. A role sees only its own schema. Its password is that of the service's URL. Roles that exist stay, so that
# running it again in a database of an earlier version adds the new ones:
# docker compose exec postgres sh /docker-entrypoint-initdb.d/databases.sh
set -eu

password_of() { sed -E 's|^postgres://[^:]+:([^@]+)@.*$|\1|' "/run/secrets/$1-database-url"; }

for owner in objects auth mirror; do
  PASSWORD=$(password_of "$owner") psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --set "owner=$owner" \
    --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\getenv password PASSWORD
select exists (select from pg_roles where rolname = :'owner') as present \gset
\if :present
\quit
\endif
revoke all on database cadastre, postgres, template1 from public;
revoke all on schema public from public;
create role :"owner" login password :'password';
grant connect, temporary on database cadastre to :"owner";
create schema :"owner" authorization :"owner";
alter role :"owner" in database cadastre set search_path = :"owner";
SQL
done
