-- The directory finds the accounts whose changes are to be moved.

grant select, insert, update, delete on lead_counts to lead_engine_app;
alter table lead_counts enable row level security;
drop policy if exists visible on lead_counts;
create policy visible on lead_counts to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));

grant select, insert, delete on lead_count_changes to lead_engine_app;
grant select (account_id) on lead_count_changes to lead_engine_directory;
alter table lead_count_changes enable row level security;
drop policy if exists visible on lead_count_changes;
create policy visible on lead_count_changes to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people()))) with check (account_id = acting_account());
drop policy if exists directory on lead_count_changes;
create policy directory on lead_count_changes for select to lead_engine_directory using (true);

grant select, insert, update, delete on call_counts to lead_engine_app;
alter table call_counts enable row level security;
drop policy if exists visible on call_counts;
create policy visible on call_counts to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));

grant select, insert, delete on call_count_changes to lead_engine_app;
grant select (account_id) on call_count_changes to lead_engine_directory;
alter table call_count_changes enable row level security;
drop policy if exists visible on call_count_changes;
create policy visible on call_count_changes to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people()))) with check (account_id = acting_account());
drop policy if exists directory on call_count_changes;
create policy directory on call_count_changes for select to lead_engine_directory using (true);

grant select, insert, update, delete on delivery_counts to lead_engine_app;
alter table delivery_counts enable row level security;
drop policy if exists settings on delivery_counts;
create policy settings on delivery_counts to lead_engine_app using (account_id = acting_account() and acting_for_all());

grant select, insert, delete on delivery_count_changes to lead_engine_app;
grant select (account_id) on delivery_count_changes to lead_engine_directory;
alter table delivery_count_changes enable row level security;
drop policy if exists settings on delivery_count_changes;
create policy settings on delivery_count_changes to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on delivery_count_changes;
create policy directory on delivery_count_changes for select to lead_engine_directory using (true);
