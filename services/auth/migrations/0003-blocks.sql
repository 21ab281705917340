-- Networks that the operator has blocked. Rows stay when a block ends: who did what, and why.
create table block (
  id bigint generated always as identity primary key,
  prefix text not null,
  reason text not null,
  added_by text not null,
  created timestamptz not null,
  until timestamptz,
  removed timestamptz,
  removed_by text,
  check ((removed is null) = (removed_by is null))
);

create unique index block_in_force on block (prefix) where removed is null;
