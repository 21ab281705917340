-- Writes are validated by what was committed since they were decided (ADR 0079).

-- The first change of each write has the hashes of the names that it wrote (store/locks.ts). Without a default: the
-- inserts of a replica of the version before, which validates nothing, fail.
alter table change add column locks bigint[] not null default '{}';
alter table change alter column locks drop default;

-- The newest change of a writer that gives no names: a load, a mirror, tags. It may have written anything.
alter table source add column unnamed_serial bigint not null default 0;
update source set unnamed_serial = serial;
