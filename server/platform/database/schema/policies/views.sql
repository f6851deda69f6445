grant select, insert, update, delete on lead_views to lead_engine_app;
alter table lead_views enable row level security;
-- Admins do not see those of other users. Those of teams are filters without data of leads: the service selects the team, because Citus allows
-- no sub-select here.
drop policy if exists seen on lead_views;
create policy seen on lead_views for select to lead_engine_app
  using (account_id = acting_account() and (user_id is null or user_id = acting_person() or team is not null));
drop policy if exists changed on lead_views;
create policy changed on lead_views to lead_engine_app
  using (account_id = acting_account() and (user_id = acting_person() or (user_id is null and acting_for_all())));
-- Erasing a person reads the views of all users: forget_in_views.
drop policy if exists erased on lead_views;
create policy erased on lead_views to lead_engine_app using (account_id = acting_account() and acting_for_all()
  and coalesce(current_setting('lead_engine.erases', true), '') = 'yes');
