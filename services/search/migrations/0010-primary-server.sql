-- The primary records itself; a read replica answers only if it has this record (ADR 0043).
create table primary_server (
  one boolean primary key default true check (one), -- one row
  started timestamptz not null -- pg_postmaster_start_time() of the primary
);
