-- Indexes of several formats live side by side: a release with another one builds its index while the release before
-- still serves, and a rollback finds what it left. Release 0.2 uses "generation" and "source_index", which stay for it.

create table format_generation (
  number integer primary key default nextval('generation_number'),
  source text not null,
  format integer not null
);

create table format_index (
  source text not null,
  -- How the tables are laid out and what terms they hold; a release reads and writes one format only.
  format integer not null,
  -- The tables in use; null before the first ones are complete.
  generation integer references format_generation (number),
  -- Every change up to this serial has been applied.
  serial bigint not null,
  -- The registry's time of the change with the serial, which tells whether it still has the same history.
  instant timestamptz,
  reached timestamptz not null,
  objects bigint not null,
  primary key (source, format)
);

-- The newest rebuild of each index: as "rebuild" before, which no release had.
drop table rebuild;
create table rebuild (
  source text not null,
  format integer not null,
  -- Its tables, as in "format_generation"; a failed rebuild has none.
  generation integer not null,
  phase text not null check (phase in ('export', 'indexes', 'changes', 'finished', 'failed')),
  -- Whether it may take over at an earlier serial than that of the index in use.
  back boolean not null,
  -- Follow the feed from here.
  serial bigint not null,
  -- The registry's time of the change with the serial.
  instant timestamptz,
  -- The position of the last page of the export that the tables have; null before the first.
  exported text,
  objects bigint not null default 0,
  started timestamptz not null default now(),
  advanced timestamptz not null default now(),
  -- Why it failed, or why it waits.
  failure text,
  primary key (source, format)
);
