-- Mails go only to addresses whose owners have confirmed them, and accounts take turns (ADR 0064).

-- Addresses that the registry knows. An unconfirmed one is forgotten some time after its last change.
create table mail_address (
  folded text collate "C" primary key, -- the address in marks
  confirmed timestamptz, -- null: it gets no texts
  requested timestamptz, -- when a mail asked for the confirmation; null: never
  changed timestamptz not null
);
create index mail_address_unconfirmed on mail_address (changed) where confirmed is null;

-- Addresses that were reached before.
insert into mail_address (folded, confirmed, changed)
  select folded, max(instant), max(instant) from notification where state = 'sent' group by folded;

-- How many addresses that the registry did not know an account named on a day (UTC). The constraint refuses what two
-- writes name at the same time.
create table new_addresses (
  account text collate "C" not null,
  day date not null,
  named integer not null,
  bound integer not null,
  check (named <= bound),
  primary key (account, day)
);

-- Turns of the accounts whose writes cause mails: an account's next mail comes one turn after its last one, but not
-- before the mails that go now. The row without an account has the turn of the last claimed mail.
create table mail_turn (
  caller text collate "C" primary key,
  turn bigint not null,
  changed timestamptz not null
);
insert into mail_turn (caller, turn, changed) values ('', 0, now());

alter table notification
  add column turn bigint not null default 0, -- those with lower ones go first
  add column confirms boolean not null default false; -- it asks its address to confirm instead of telling changes
