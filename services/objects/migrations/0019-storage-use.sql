-- How many bytes of object texts accounts, clients without an account, and mntners have stored (ADR 0066).
create table storage_use (
  day date not null, -- '-infinity': on all days
  payer text not null, -- account:SUBJECT, address:ADDRESS, mntner:KEY (domain/storage-quota.ts)
  bytes bigint not null,
  primary key (day, payer)
) with (fillfactor = 50);
