-- The classes of objects that the copy has; null for all. Another set begins anew.
alter table mirror add column classes text[];
