grant select, update (updated_at, two_factor_enabled) on active_users to lead_engine_directory;
grant select, insert, update, delete on sessions, credentials, verifications, two_factors to lead_engine_directory;
grant select, insert, update on sign_ins to lead_engine_directory;

grant select, insert, update, delete on password_links to lead_engine_app;
grant select, delete on password_links to lead_engine_directory;
alter table password_links enable row level security;
drop policy if exists settings on password_links;
create policy settings on password_links to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on password_links;
create policy directory on password_links to lead_engine_directory using (true);

grant select, insert, update, delete on forgotten_links to lead_engine_app;
grant select, delete on forgotten_links to lead_engine_directory;
alter table forgotten_links enable row level security;
drop policy if exists settings on forgotten_links;
create policy settings on forgotten_links to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on forgotten_links;
create policy directory on forgotten_links to lead_engine_directory using (true);
