-- The outbox: whom writes tell (ADR 0041).

-- What one request did or should have done, with everything that its notifications tell.
create table notice (
  id bigint generated always as identity primary key,
  source_id smallint not null,
  instant timestamptz not null,
  refused boolean not null, -- for want of authority
  caller text collate "C" not null, -- account or key that made the request
  changed_by text not null, -- the caller's name for people; empty without one
  reply_to text not null, -- empty when no reply may go to the caller
  size integer not null, -- bytes of the texts that it tells
  changes jsonb not null -- NoticedChange (domain/notices.ts)
);
create index notice_instant on notice (instant);
create index notice_refused on notice (caller, instant) where refused;

-- What a notice tells one address: one mail.
create table notification (
  id bigint generated always as identity primary key,
  notice_id bigint not null,
  address text not null,
  folded text collate "C" not null, -- the address in marks
  refused boolean not null,
  instant timestamptz not null,
  entries jsonb not null, -- [{"section", "change"}], the latter an index into the changes of the notice
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'skipped')),
  attempts integer not null default 0,
  due timestamptz not null,
  error text not null default ''
);
create index notification_notice on notification (notice_id);
create index notification_due on notification (due) where state = 'waiting';
create index notification_failed on notification (id) where state = 'failed';
create index notification_refused on notification (folded, instant) where refused;

-- Lets the owner of an address unsubscribe.
create table unsubscribe_token (
  folded text collate "C" primary key,
  token uuid not null unique default gen_random_uuid()
);
