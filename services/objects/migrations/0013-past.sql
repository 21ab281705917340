-- Questions about the past (ADR 0045).

-- Copies of other registries forget versions; their past is complete from this serial on.
alter table source add column remembered_from bigint not null default 0;
update source set remembered_from = serial where kind = 'grs';

-- Ranges of objects that were deleted, to find these in the past: object has no range for them.
create table former_span (
  source_id smallint not null,
  type smallint not null,
  key text collate "C" not null,
  span int8range,
  span6 numrange,
  primary key (source_id, type, key)
);
create index former_span_inetnum on former_span using gist (span) where type = 1;
create index former_span_as_block on former_span using gist (span) where type = 3;
create index former_span_aut_num on former_span using gist (span) where type = 4;
create index former_span_route on former_span using gist (span) where type = 6;
create index former_span_domain on former_span using gist (span) where type = 13 and span is not null;
create index former_span_inet6num on former_span using gist (span6) where type = 2;
create index former_span_route6 on former_span using gist (span6) where type = 7;
create index former_span_domain6 on former_span using gist (span6) where type = 13 and span6 is not null;

-- It has every object that was deleted after this serial.
alter table source add column ranges_from bigint not null default 0;
update source set ranges_from = serial;

-- When changes happened that the feed has forgotten: each second with its first and last serial.
create table forgotten_second (
  source_id smallint not null,
  instant timestamptz not null,
  first_serial bigint not null,
  last_serial bigint not null,
  primary key (source_id, instant)
);
-- The feed of these sources has forgotten everything already.
insert into forgotten_second
select id, now(), serial, serial from source
where serial > 0 and not exists (select from change where source_id = source.id);

-- The serial of the last change of a source whose time is not later than a moment; null when nobody knows it any more.
-- Serials have no gaps, so a binary search finds it without an index. Times follow the order of serials, but for the
-- seconds that concurrent writes take.
create function serial_at(of_source smallint, moment timestamptz) returns bigint language plpgsql stable strict as $$
declare
  low bigint;
  high bigint;
  middle bigint;
  known bigint;
  began timestamptz;
  happened timestamptz;
begin
  select serial + 1 into high from source where id = of_source;
  select serial, instant into low, began from change where source_id = of_source order by serial limit 1;
  if began is null or began > moment then
    select max(last_serial) into known
    from (
      select last_serial from forgotten_second where source_id = of_source and instant <= moment
      order by instant desc limit 100
    ) before;
    if known is null and (
      high = 1 or low = 1 or exists (select from forgotten_second where source_id = of_source and first_serial = 1)
    ) then
      return 0;
    end if;
    return known;
  end if;
  while high - low > 1 loop
    middle := (low + high) / 2;
    select instant into happened from change where source_id = of_source and serial = middle;
    if happened <= moment then
      low := middle;
    else
      high := middle;
    end if;
  end loop;
  select coalesce(max(serial), low) into low from change
  where source_id = of_source and serial > low and serial <= low + 100 and instant <= moment;
  return low;
end
$$;

-- What operators erased from the history. A version without text is erased.
create table erasure (
  id bigint generated always as identity primary key,
  source_id smallint not null,
  type smallint not null,
  key text collate "C" not null,
  last_revision integer not null, -- the highest that was meant
  versions integer not null, -- how many had a text
  notices integer not null,
  instant timestamptz not null,
  erased_by text not null,
  reason text not null
);
