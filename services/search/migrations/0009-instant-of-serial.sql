-- The registry's time of the change up to which the index has everything. If the registry has another time for that
-- serial, it was restored to an earlier state. Code of the release before moves the serial only: then the time is unknown.

alter table source_index
  add column instant timestamptz,
  add column instant_serial bigint;
