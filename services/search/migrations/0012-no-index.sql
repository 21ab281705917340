-- The index is in files of each search process, or in OpenSearch: this release has nothing in PostgreSQL. Run this when no
-- process of release 0.2 serves any more (docs/operations.md).

do $$
declare
  name text;
begin
  for name in
    select relname from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname ~ '^(document|host)_[0-9]+$'
  loop
    execute format('drop table %I', name);
  end loop;
end
$$;

drop table rebuild, format_index, format_generation, source_index, generation, primary_server;
drop sequence generation_number;
