grant select, insert, update, delete on lead_reassignments to lead_engine_app;
grant select on lead_reassignments to lead_engine_directory;
alter table lead_reassignments enable row level security;
drop policy if exists settings on lead_reassignments;
create policy settings on lead_reassignments to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on lead_reassignments;
create policy directory on lead_reassignments for select to lead_engine_directory using (true);
