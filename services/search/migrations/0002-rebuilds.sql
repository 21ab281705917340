-- The newest rebuild of each source's index: where a process continues it, or how it ended.
create table rebuild (
  source text primary key,
  -- Its tables, as in "generation"; a failed rebuild has none.
  generation integer not null,
  format integer not null,
  phase text not null check (phase in ('export', 'indexes', 'changes', 'finished', 'failed')),
  -- Whether it may take over at an earlier serial than that of the index in use.
  back boolean not null,
  -- Follow the feed from here.
  serial bigint not null,
  -- The registry's time of the change with the serial, which tells whether it still has the same history.
  instant timestamptz,
  -- The position of the last page of the export that the tables have; null before the first.
  exported text,
  objects bigint not null default 0,
  started timestamptz not null default now(),
  advanced timestamptz not null default now(),
  -- Why it failed, or why it waits.
  failure text
);
