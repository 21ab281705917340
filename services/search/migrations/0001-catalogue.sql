-- The index of a source lives in tables of its own, document_<number> and host_<number>, which the service makes,
-- fills beside the ones in use and puts in their place. These two tables say which are which.

create sequence generation_number as integer;

create table generation (
  number integer primary key default nextval('generation_number'),
  source text not null
);

create table source_index (
  source text primary key,
  -- The tables in use; null before the first ones are complete.
  generation integer references generation (number),
  -- How the tables are laid out and what terms they hold; another layout has to be rebuilt.
  format integer not null,
  -- Every change up to this serial has been applied.
  serial bigint not null,
  reached timestamptz not null,
  objects bigint not null
);
