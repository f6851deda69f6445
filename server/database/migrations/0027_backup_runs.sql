-- compatible: yes
-- The daily backups, of which each is made by one process. Not in backups themselves.
create table backup_runs (
  id uuid primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  file text not null,
  bytes bigint,
  error text
);

create index backup_runs_newest on backup_runs (started_at);

revoke all on backup_runs from lead_engine_app, lead_engine_directory;
grant select on backup_runs to lead_engine_directory;

alter table backup_runs enable row level security;
create policy directory on backup_runs for select to lead_engine_directory using (true);
