-- Inverse searches of the past are removed (ADR 0078).
drop table former_reference;
alter table source drop column references_from;
