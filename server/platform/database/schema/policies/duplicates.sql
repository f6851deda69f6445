grant select, insert, update, delete on lead_conflicts to lead_engine_app;
alter table lead_conflicts enable row level security;
drop policy if exists whole_account on lead_conflicts;
create policy whole_account on lead_conflicts to lead_engine_app using (account_id = acting_account() and acting_for_all());

grant select, insert, update, delete on merged_leads to lead_engine_app;
alter table merged_leads enable row level security;
drop policy if exists whole_account on merged_leads;
create policy whole_account on merged_leads to lead_engine_app using (account_id = acting_account() and acting_for_all());

grant select, insert, update on duplicate_searches to lead_engine_app;
alter table duplicate_searches enable row level security;
drop policy if exists whole_account on duplicate_searches;
create policy whole_account on duplicate_searches to lead_engine_app using (account_id = acting_account() and acting_for_all());
