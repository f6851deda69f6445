grant select, insert, update, delete on notices to lead_engine_app;
alter table notices enable row level security;
drop policy if exists own on notices;
create policy own on notices to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));
drop policy if exists noted on notices;
create policy noted on notices for insert to lead_engine_app with check (account_id = acting_account());

grant select, insert, update, delete on notification_settings to lead_engine_app;
alter table notification_settings enable row level security;
drop policy if exists own on notification_settings;
create policy own on notification_settings to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

grant select, insert, update, delete on push_subscriptions to lead_engine_app;
alter table push_subscriptions enable row level security;
drop policy if exists own on push_subscriptions;
create policy own on push_subscriptions to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

grant select, insert, update, delete on sent_notices to lead_engine_app;
alter table sent_notices enable row level security;
drop policy if exists settings on sent_notices;
create policy settings on sent_notices to lead_engine_app using (account_id = acting_account() and acting_for_all());
