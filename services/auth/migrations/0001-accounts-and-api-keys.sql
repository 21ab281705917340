-- Accounts of the identity provider, as they were when last seen.
create table account (
  id text primary key,
  name text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null
);

-- Not unique: a name may pass from one account to another at the identity provider.
create index account_name on account (lower(name));

create table api_key (
  id text primary key check (id ~ '^[A-Za-z0-9]{24}$'),
  account_id text not null references account (id),
  name text not null,
  hash bytea not null check (length(hash) = 32),
  maintainer text not null default '',
  created timestamptz not null,
  expires timestamptz not null,
  revoked timestamptz,
  last_used timestamptz
);

create index api_key_account on api_key (account_id, created desc);
