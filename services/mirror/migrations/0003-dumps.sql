-- The newest dump of each source.
create table dump (
  source text primary key,
  -- The serial of the source that it has.
  serial bigint not null,
  -- When writing it began and ended, by the clock of the service.
  began timestamptz not null,
  written timestamptz not null
);
