grant select, insert, update, delete on lead_offers to lead_engine_app;
grant select (account_id, due_at) on lead_offers to lead_engine_directory;
alter table lead_offers enable row level security;
-- Users read theirs through the service, because they do not see the leads.
drop policy if exists settings on lead_offers;
create policy settings on lead_offers to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on lead_offers;
create policy directory on lead_offers for select to lead_engine_directory using (true);
