grant select, insert, update on accounts to lead_engine_app, lead_engine_directory;
alter table accounts enable row level security;
drop policy if exists own_account on accounts;
create policy own_account on accounts for select to lead_engine_app using (id = acting_account());
drop policy if exists opening on accounts;
create policy opening on accounts for insert to lead_engine_app with check (id = acting_account() and acting_for_all());
drop policy if exists settings on accounts;
create policy settings on accounts for update to lead_engine_app using (id = acting_account() and acting_for_all());
drop policy if exists directory on accounts;
create policy directory on accounts to lead_engine_directory using (true);

-- All users of an account see each other, because leads name them.
grant select, insert, update on users to lead_engine_app, lead_engine_directory;
alter table users enable row level security;
drop policy if exists own_account on users;
create policy own_account on users for select to lead_engine_app using (account_id = (select acting_account()));
drop policy if exists joining on users;
create policy joining on users for insert to lead_engine_app with check (account_id = acting_account() and acting_for_all());
drop policy if exists settings on users;
create policy settings on users for update to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on users;
create policy directory on users to lead_engine_directory using (true);
