grant select, insert, update, delete on source_costs to lead_engine_app;
alter table source_costs enable row level security;
drop policy if exists whole_account on source_costs;
create policy whole_account on source_costs to lead_engine_app using (account_id = (select acting_account()) and (select acting_for_all()));
