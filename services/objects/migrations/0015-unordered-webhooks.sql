-- Webhooks whose events may overtake one that waits, and events that have the object as JSON (ADR 0044).
alter table webhook
  drop constraint webhook_payload_check,
  add constraint webhook_payload_check check (payload in ('keys', 'text', 'object')) not valid,
  add column unordered boolean not null default false,
  add column asked_to bigint not null default 0; -- the owner asked for changes up to it, however old they are

-- Events that wait for another attempt while others overtake them, at most about 1,000 of each webhook.
create table webhook_waiting (
  webhook_id text collate "C" not null references webhook on delete cascade,
  serial bigint not null,
  failures integer not null,
  due timestamptz not null,
  primary key (webhook_id, serial)
);
create index webhook_waiting_due on webhook_waiting (due);
