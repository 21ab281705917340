-- Operators' marks on e-mail addresses (rules G-EMAIL-EXCLUDED and G-NOTIFY-UNDELIVERABLE).

create table email_mark (
  address text collate "C" not null, -- lower case
  mark text collate "C" not null check (mark in ('excluded', 'undeliverable', 'unsubscribed')),
  marked timestamptz not null,
  primary key (address, mark)
);
