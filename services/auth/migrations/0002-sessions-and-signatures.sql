-- Sign-ins that were begun. State, nonce and PKCE verifier follow from the token, which only the browser has.
create table sign_in (
  token_hash bytea primary key check (length(token_hash) = 32),
  return_path text not null,
  expires timestamptz not null
);

create index sign_in_expires on sign_in (expires);

create table session (
  hash bytea primary key check (length(hash) = 32),
  account_id text not null references account (id),
  created timestamptz not null,
  expires timestamptz not null,
  last_used timestamptz not null
);

create index session_expires on session (expires);

-- What was signed by whom, so that no signature is accepted twice; forgotten when it is too old anyway.
create table accepted_signature (
  hash bytea primary key check (length(hash) = 32),
  expires timestamptz not null
);

create index accepted_signature_expires on accepted_signature (expires);
