-- Two roles that own nothing and cannot bypass policies. lead_engine_app is the service at work: it sees what its actor may see, and
-- nothing without an actor. lead_engine_directory finds out who is calling: it reads the accounts, users, keys and webhooks of all, and
-- writes what signing in needs. The owner is used by migrations and commands, so ENABLE and not FORCE.
--
-- Policies compare columns with settings. In a sub-select a setting is read once for each statement, and not for each row. Citus allows
-- none: there they are replaced by what is within.

grant usage on schema public to lead_engine_app, lead_engine_directory;
grant select on migrations, schema_texts to lead_engine_app, lead_engine_directory;

-- It contains passwords, and is the owner's alone.
alter table service_roles enable row level security;

grant select, insert, update on installation_secrets to lead_engine_directory;

grant select on backup_runs to lead_engine_directory;
alter table backup_runs enable row level security;
drop policy if exists directory on backup_runs;
create policy directory on backup_runs for select to lead_engine_directory using (true);

grant select on continuous_backup to lead_engine_directory;
alter table continuous_backup enable row level security;
drop policy if exists directory on continuous_backup;
create policy directory on continuous_backup for select to lead_engine_directory using (true);
