grant select, insert, update, delete on pass_ons to lead_engine_app;
grant select (account_id, due_at) on pass_ons to lead_engine_directory;
alter table pass_ons enable row level security;
drop policy if exists settings on pass_ons;
create policy settings on pass_ons to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on pass_ons;
create policy directory on pass_ons for select to lead_engine_directory using (true);
