-- Copies of other registries forget deleted objects (ADR 0033). Revisions of a key that is created again go on after
-- those of all forgotten objects.

alter table source add column forgotten_revision integer not null default 0; -- the highest one; 0 when none is forgotten
