grant select, insert, update, delete on lead_imports to lead_engine_app;
grant select (account_id, undo_state) on lead_imports to lead_engine_directory;
alter table lead_imports enable row level security;
drop policy if exists settings on lead_imports;
drop policy if exists own on lead_imports;
create policy own on lead_imports to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));
drop policy if exists directory on lead_imports;
create policy directory on lead_imports for select to lead_engine_directory using (true);

grant select, insert, update, delete on lead_import_leads to lead_engine_app;
alter table lead_import_leads enable row level security;
drop policy if exists settings on lead_import_leads;
create policy settings on lead_import_leads to lead_engine_app
  using (account_id = (select acting_account()) and (select acting_for_all()));
-- The filter of leads by their import reads ids only. Which of the leads a user sees is decided by those of `leads`.
drop policy if exists filter on lead_import_leads;
create policy filter on lead_import_leads for select to lead_engine_app using (account_id = (select acting_account()));

grant select, insert, update, delete on lead_import_rejections to lead_engine_app;
alter table lead_import_rejections enable row level security;
drop policy if exists settings on lead_import_rejections;
create policy settings on lead_import_rejections to lead_engine_app using (account_id = acting_account() and acting_for_all());
