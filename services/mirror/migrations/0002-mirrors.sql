-- How far each copy of another registry is. A row is there from the first attempt on.
create table mirror (
  source text primary key,
  -- The origin whose state this is: another one begins anew.
  kind text not null check (kind in ('nrtm4', 'nrtm3', 'dump')),
  address text not null,
  origin_source text not null,
  -- What the kind of origin remembers; null before the first load, and after a reset.
  state jsonb,
  session_id uuid,
  version bigint,
  -- Times of the registry's last word, of the last check without a fault, and of the last change of objects.
  published timestamptz,
  checked timestamptz,
  changed timestamptz,
  -- The last fault since the last check without one.
  failed timestamptz,
  fault text check (fault in ('transient', 'refused')),
  error text,
  -- Since when the copy is not current.
  stale_since timestamptz,
  -- What was applied.
  loads bigint not null default 0,
  puts bigint not null default 0,
  deletes bigint not null default 0,
  rejected bigint not null default 0,
  -- Number of resets by operators: an update that began before one must not store its progress.
  resets bigint not null default 0,
  -- After a reset, until the next whole load: it may delete any number of objects.
  unguarded boolean not null default false
);
