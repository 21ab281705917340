-- Webhooks: who gets changes by HTTP requests (ADR 0044).
create table webhook (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  account_name text not null,
  source_id smallint not null,
  url text not null,
  description text not null,
  filter jsonb not null, -- WebhookFilter (domain/webhooks.ts)
  payload text not null check (payload in ('keys', 'text')),
  signature text not null check (signature in ('v1', 'v1a')),
  state text not null check (state in ('unconfirmed', 'active', 'disabled')),
  reason text not null, -- why it is disabled
  created timestamptz not null,
  secret integer not null default 1, -- number of its secret, which is computed from it
  rotated timestamptz, -- for a day from then on, the secret before signs too
  serial bigint not null, -- everything up to it is done
  failures integer not null default 0, -- failed attempts to deliver what is next
  failing_since timestamptz,
  due timestamptz not null, -- end of the lease, while it is claimed
  claim integer not null default 0,
  requested bigint[] not null default '{}', -- serials to deliver again outside of the order; 0: a test event
  tell_owner boolean not null default false -- that it is disabled
);
create index webhook_account on webhook (account_id, created);
create index webhook_due on webhook (due);

-- The newest attempts to deliver, at most about 100 of each webhook.
create table webhook_attempt (
  id bigint generated always as identity primary key,
  webhook_id text collate "C" not null references webhook on delete cascade,
  event_id text not null,
  serial bigint not null, -- 0 for events that are no changes
  instant timestamptz not null,
  status integer not null, -- 0 without a response
  duration_ms integer not null,
  error text not null, -- empty after a success
  response text not null
);
create index webhook_attempt_of on webhook_attempt (webhook_id, id);
