grant select, insert on audit_log to lead_engine_app;
-- Records who set a password by a link, without a session.
grant insert on audit_log to lead_engine_directory;
alter table audit_log enable row level security;
drop policy if exists settings on audit_log;
create policy settings on audit_log for select to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists written on audit_log;
create policy written on audit_log for insert to lead_engine_app with check (account_id = acting_account());
drop policy if exists directory on audit_log;
create policy directory on audit_log for insert to lead_engine_directory with check (true);
