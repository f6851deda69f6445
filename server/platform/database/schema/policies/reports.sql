grant select, insert, update, delete on origin_costs to lead_engine_app;
alter table origin_costs enable row level security;
drop policy if exists whole_account on origin_costs;
create policy whole_account on origin_costs to lead_engine_app using (account_id = (select acting_account()) and (select acting_for_all()));
