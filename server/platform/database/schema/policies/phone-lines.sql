grant select, insert, update, delete on phone_lines to lead_engine_app;
alter table phone_lines enable row level security;
drop policy if exists own on phone_lines;
create policy own on phone_lines to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

grant select, insert, update, delete on pending_phone_lines to lead_engine_app;
alter table pending_phone_lines enable row level security;
drop policy if exists own on pending_phone_lines;
create policy own on pending_phone_lines to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

grant select, insert, update, delete on own_numbers to lead_engine_app;
alter table own_numbers enable row level security;
drop policy if exists own on own_numbers;
create policy own on own_numbers to lead_engine_app using (account_id = acting_account() and acting_for_all());
