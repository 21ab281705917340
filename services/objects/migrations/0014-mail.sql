-- What mails show of requests, which addresses do not work, and digests (ADR 0046).
alter table notice add column client_address text not null default ''; -- empty when it is not known

-- When mails to an address came back or were refused. Two days mark it as undeliverable.
create table undelivered (
  folded text collate "C" not null, -- the address in marks
  kind text collate "C" not null check (kind in ('refused', 'bounced')),
  first_day date not null, -- days of notifications, not of failures
  last_day date not null,
  primary key (folded, kind)
);

-- How many mails an address got within the last hour.
create table mail_pace (
  folded text collate "C" primary key,
  recent timestamptz[] not null, -- when it got the last ones, at most 20
  digest bigint, -- the notification that waits for others to go with it
  changed timestamptz not null
);

-- Notifications that go with another one to the same address. They have its state, and are never due by themselves.
create table digest_part (
  part bigint primary key,
  digest bigint not null
);
create index digest_part_digest on digest_part (digest, part);
