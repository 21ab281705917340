-- Writes that an account may repeat by their key, for a day (ADR 0047).
create table repeatable_write (
  account bytea not null, -- hash of the subject
  key bytea not null, -- hash of the key
  request bytea not null, -- hash of the request
  results text not null, -- JSON: KeptResult[] (domain/repeatable.ts)
  instant timestamptz not null,
  primary key (account, key)
);
create index repeatable_write_recent on repeatable_write (account, instant);
create index repeatable_write_instant on repeatable_write (instant);
