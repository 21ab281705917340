-- Registered objects, their history and the change feed.

create table source (
  id smallint generated always as identity primary key,
  name text not null unique,
  kind text not null check (kind in ('main', 'grs')),
  serial bigint not null default 0 -- of the newest change
);

-- The newest state of every object that ever was; of a deleted one the last state before the deletion.
create table object (
  source_id smallint not null references source,
  type smallint not null, -- see store/type-codes.ts
  revision integer not null,
  deleted boolean not null default false,
  serial bigint not null, -- at which this state was written
  announced bigint not null, -- serial of the newest change, which may be one of tags
  created timestamptz,
  modified timestamptz not null,
  key text collate "C" not null, -- folded primary key
  text text collate "C" not null,
  refs bigint[] not null, -- hashes of the referenced keys (store/references.ts); empty when deleted
  span int8range, -- IPv4 addresses, AS numbers (plus 2^32); null when deleted
  span6 numrange, -- IPv6 addresses; null when deleted
  primary key (source_id, type, key)
);
create index object_refs on object using gin (refs);
-- One small tree per type: a query for inetnums does not walk over routes.
create index object_inetnum on object using gist (span) where type = 1;
create index object_as_block on object using gist (span) where type = 3;
create index object_aut_num on object using gist (span) where type = 4;
create index object_route on object using gist (span) where type = 6;
create index object_domain on object using gist (span) where type = 13 and span is not null;
create index object_inet6num on object using gist (span6) where type = 2;
create index object_route6 on object using gist (span6) where type = 7;
create index object_domain6 on object using gist (span6) where type = 13 and span6 is not null;

-- States that were superseded, and deletions. The current state stands in object only.
create table version (
  source_id smallint not null,
  type smallint not null,
  revision integer not null,
  operation smallint not null, -- 1 update, 2 deletion
  serial bigint not null,
  created timestamptz,
  instant timestamptz not null,
  key text collate "C" not null,
  text text collate "C" not null, -- of a deletion: the state that was deleted
  reason text, -- of a deletion
  primary key (source_id, type, key, revision)
);

-- The change feed: serials of a source ascend without gaps in the order of the commits.
create table change (
  source_id smallint not null,
  serial bigint not null,
  type smallint not null,
  operation smallint not null, -- 1 update (or tags changed), 2 deletion
  revision integer not null, -- of the state that it announces
  instant timestamptz not null,
  key text collate "C" not null,
  primary key (source_id, serial)
);

-- Marks that operators put on objects.
create table tag (
  source_id smallint not null,
  type smallint not null,
  key text collate "C" not null,
  id text collate "C" not null,
  data text not null,
  primary key (source_id, type, key, id)
);

-- Numbers of handles that were ever given out. They stay taken when the object is deleted.
create table handle (
  source_id smallint not null,
  kind text collate "C" not null check (kind in ('nic-hdl', 'organisation', 'x509')),
  stem text collate "C" not null, -- initials and suffix, folded: "js-test"
  taken int4multirange not null,
  primary key (source_id, kind, stem)
);
