grant select, insert, update, delete on leads to lead_engine_app;
alter table leads enable row level security;
drop policy if exists visible on leads;
create policy visible on leads to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));

grant select, insert, update, delete on lead_contacts to lead_engine_app;
alter table lead_contacts enable row level security;
drop policy if exists visible on lead_contacts;
create policy visible on lead_contacts to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));

grant select, insert, update, delete on timeline_entries to lead_engine_app;
alter table timeline_entries enable row level security;
drop policy if exists visible on timeline_entries;
create policy visible on timeline_entries to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));

grant select, insert, update, delete on enquiries to lead_engine_app;
alter table enquiries enable row level security;
drop policy if exists visible on enquiries;
create policy visible on enquiries to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));

grant select, insert, update, delete on idempotency_keys to lead_engine_app;
alter table idempotency_keys enable row level security;
drop policy if exists own on idempotency_keys;
create policy own on idempotency_keys to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

grant insert on erased_leads to lead_engine_app;
grant select on erased_leads to lead_engine_directory;
alter table erased_leads enable row level security;
drop policy if exists own_account on erased_leads;
create policy own_account on erased_leads for insert to lead_engine_app with check (account_id = acting_account());
drop policy if exists directory on erased_leads;
create policy directory on erased_leads for select to lead_engine_directory using (true);

grant select, insert on lead_sources to lead_engine_app;
alter table lead_sources enable row level security;
drop policy if exists own_account on lead_sources;
create policy own_account on lead_sources to lead_engine_app using (account_id = acting_account());
