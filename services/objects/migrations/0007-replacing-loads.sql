-- Replacing loads store few changes at their end, in one transaction (ADR 0031).

-- The newest replacing load of each source.
create table replacing_load (
  source_id smallint primary key,
  load text not null, -- its name
  since timestamptz not null, -- when it began
  visible boolean not null default false -- whether readers see a part of it
);

-- What it has changed so far, while readers see nothing of it.
create table staged (
  source_id smallint not null,
  type smallint not null,
  created timestamptz,
  modified timestamptz not null,
  key text collate "C" not null,
  text text collate "C" not null,
  refs bigint[] not null,
  span int8range,
  span6 numrange,
  primary key (source_id, type, key)
);
