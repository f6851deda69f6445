-- compatible: yes

-- Of the installation: what the continuous backup has saved, and the last restore drill. One row, or none.
create table continuous_backup (
  one boolean primary key default true check (one),
  target text not null,
  history text not null,
  base_at timestamptz,
  saved_at timestamptz,
  error text,
  drill_at timestamptz,
  drill_restored_to timestamptz,
  drill_error text
);
grant select on continuous_backup to lead_engine_directory;
alter table continuous_backup enable row level security;
create policy directory on continuous_backup for select to lead_engine_directory using (true);
