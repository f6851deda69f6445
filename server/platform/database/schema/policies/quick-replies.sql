grant select, insert, update, delete on quick_replies to lead_engine_app;
alter table quick_replies enable row level security;
drop policy if exists own on quick_replies;
create policy own on quick_replies to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));
drop policy if exists of_account on quick_replies;
create policy of_account on quick_replies for select to lead_engine_app
  using (account_id = acting_account() and user_id is null);
