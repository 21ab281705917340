-- A job belongs to the replica that holds its lease, until this time of the database's clock.
create table lease (
  name text primary key,
  holder uuid not null,
  until timestamptz not null
);

-- What others know of a source that we publish. A row is there from the first snapshot on.
create table publication (
  source text primary key,
  -- UUID of the session; what came before it has nothing to do with it.
  session_id uuid not null,
  -- The newest version of the session.
  version bigint not null check (version > 0),
  -- Every change up to this serial is in a version, or is not for others.
  serial bigint not null,
  -- The registry's time of that change: a registry that was restored gives the serial to another one.
  instant timestamptz,
  -- Which copy of objects others get; another one needs a new session.
  policy integer not null,
  began timestamptz not null
);

-- The files of publications: those that the notification names, and those that it no longer names, until they are gone.
create table publication_file (
  source text not null,
  session_id uuid not null,
  kind text not null check (kind in ('snapshot', 'delta')),
  version bigint not null,
  -- In the folder of the source.
  name text not null,
  -- SHA-256 of the file, hexadecimal.
  hash text not null,
  bytes bigint not null,
  created timestamptz not null,
  -- Since when the notification does not name it.
  dropped timestamptz,
  primary key (source, session_id, kind, version)
);

-- How publishing goes, for each source; a row is there from the first attempt on.
create table publishing (
  source text primary key,
  -- The newest notification that the store has: its timestamp, and in hexadecimal the SHA-256 of the signed file, and of
  -- all that it says except its timestamp.
  notified timestamptz,
  notification_hash text,
  content_hash text,
  -- Public keys (PEM): the one that verifies the notification, and the one that it announces.
  signing_key text,
  next_signing_key text,
  -- Why it did not go, when it did not go the last time.
  failed timestamptz,
  failure text
);
