-- The hashes of the files that a registry named last: a file that it has published must never change. They are rows of
-- their own, because a notification names 1,441 of them on a busy day, and two of these change with the next one.
create table mirror_file (
  source text not null references mirror on delete cascade,
  -- Kind and version, such as "delta 12".
  name text not null,
  -- SHA-256, hexadecimal.
  hash text not null,
  primary key (source, name)
);

insert into mirror_file (source, name, hash)
  select source, key, value from mirror, jsonb_each_text(state -> 'known') where kind = 'nrtm4';
update mirror set state = state - 'known' where kind = 'nrtm4' and state is not null;
