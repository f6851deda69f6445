grant select, insert, update, delete on api_keys to lead_engine_app;
grant select on api_keys to lead_engine_directory;
alter table api_keys enable row level security;
drop policy if exists settings on api_keys;
create policy settings on api_keys to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on api_keys;
create policy directory on api_keys for select to lead_engine_directory using (true);

grant select, insert, update on api_key_uses to lead_engine_app;
alter table api_key_uses enable row level security;
drop policy if exists settings on api_key_uses;
create policy settings on api_key_uses to lead_engine_app using (account_id = acting_account() and acting_for_all());
