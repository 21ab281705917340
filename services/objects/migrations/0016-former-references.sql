-- Searches of the past by references (ADR 0045).

-- References that objects had and lost, by an update or a deletion; hashes as in object.refs.
create table former_reference (
  source_id smallint not null,
  hash bigint not null,
  type smallint not null,
  key text collate "C" not null,
  primary key (source_id, hash, type, key)
);
create index former_reference_object on former_reference (source_id, type, key);

-- It has every reference that was lost after this serial.
alter table source add column references_from bigint not null default 0;
update source set references_from = serial;
