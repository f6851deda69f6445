grant select, insert, update, delete on origin_costs to lead_engine_app;
alter table origin_costs enable row level security;
drop policy if exists whole_account on origin_costs;
create policy whole_account on origin_costs to lead_engine_app using (account_id = (select acting_account()) and (select acting_for_all()));

-- Managers see the goals of their team, and Agents their own.
grant select, insert, update, delete on goals to lead_engine_app;
alter table goals enable row level security;
drop policy if exists own on goals;
create policy own on goals to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or user_id in (select acting_people()))) with check (account_id = (select acting_account()) and (select acting_for_all()));
