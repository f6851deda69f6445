-- compatible: yes
-- A restore of each daily backup is tried.

alter table backup_runs
  -- When that ended; null: not tried.
  add column drill_at timestamptz,
  -- Why the backup cannot be restored as it is, or why that was not tried.
  add column drill_error text;
