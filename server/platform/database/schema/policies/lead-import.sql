grant select, insert, update, delete on lead_imports to lead_engine_app;
alter table lead_imports enable row level security;
drop policy if exists settings on lead_imports;
create policy settings on lead_imports to lead_engine_app using (account_id = acting_account() and acting_for_all());
