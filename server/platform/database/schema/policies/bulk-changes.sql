grant select, insert, update, delete on bulk_changes to lead_engine_app;
grant select on bulk_changes to lead_engine_directory;
alter table bulk_changes enable row level security;
drop policy if exists own on bulk_changes;
create policy own on bulk_changes to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));
drop policy if exists directory on bulk_changes;
create policy directory on bulk_changes for select to lead_engine_directory using (true);

grant select, insert, update, delete on bulk_change_leads to lead_engine_app;
alter table bulk_change_leads enable row level security;
drop policy if exists own on bulk_change_leads;
create policy own on bulk_change_leads to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));
