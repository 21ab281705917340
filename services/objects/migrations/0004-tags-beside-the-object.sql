-- The tags of an object, in its row: every read shows them, and to collect them from "tag" was a fifth of a lookup.
-- Writes still go to "tag", so that code of the release before reads and writes the same tags; the trigger copies them.

alter table object add column tags jsonb; -- [{"id", "data"}] ordered by id; null for none

create function show_tags() returns trigger language plpgsql as $$
declare
  changed tag := case when tg_op = 'DELETE' then old else new end;
begin
  update object o set tags = (
    select jsonb_agg(jsonb_build_object('id', t.id, 'data', t.data) order by t.id) from tag t
    where t.source_id = changed.source_id and t.type = changed.type and t.key = changed.key
  )
  where o.source_id = changed.source_id and o.type = changed.type and o.key = changed.key;
  return null;
end
$$;
create trigger tag_shown after insert or update or delete on tag for each row execute function show_tags();

update object o set tags = tagged.tags
from (
  select source_id, type, key, jsonb_agg(jsonb_build_object('id', id, 'data', data) order by id) as tags
  from tag group by source_id, type, key
) tagged
where o.source_id = tagged.source_id and o.type = tagged.type and o.key = tagged.key;
