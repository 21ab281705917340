-- A load into a small registry fills a new table and puts it in the place of object (ADR 0026). A foreign key would lock
-- source against all writers meanwhile, and cost a query for each new object; no code deletes a source.

alter table object drop constraint if exists object_source_id_fkey;
