grant select, insert, update, delete on distribution_rules to lead_engine_app;
alter table distribution_rules enable row level security;
drop policy if exists settings on distribution_rules;
create policy settings on distribution_rules to lead_engine_app using (account_id = acting_account() and acting_for_all());

grant select, insert, update, delete on distribution_turns to lead_engine_app;
alter table distribution_turns enable row level security;
drop policy if exists settings on distribution_turns;
create policy settings on distribution_turns to lead_engine_app using (account_id = acting_account() and acting_for_all());
