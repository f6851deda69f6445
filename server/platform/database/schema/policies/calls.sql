grant select, insert, update, delete on call_logs to lead_engine_app;
alter table call_logs enable row level security;
drop policy if exists visible on call_logs;
create policy visible on call_logs to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));

grant select, insert, update, delete on phone_calls to lead_engine_app;
alter table phone_calls enable row level security;
drop policy if exists visible on phone_calls;
create policy visible on phone_calls to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));
-- Who is rung sees the call, though not the lead.
drop policy if exists rung on phone_calls;
create policy rung on phone_calls for select to lead_engine_app
  using (account_id = acting_account() and acting_person() = any (user_ids));
