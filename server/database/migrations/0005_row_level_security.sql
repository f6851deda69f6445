-- Two roles that own nothing and cannot bypass the policies. lead_engine_app is the service at work: it sees what
-- its actor may see, and nothing without one. lead_engine_directory finds out who is asking: it reads the directory of
-- all accounts, keeps the tables of signing in, and cannot touch a lead. Policies compare columns with settings and
-- contain no sub-selects; the owner is used by migrations alone, so ENABLE and not FORCE.
grant usage on schema public to lead_engine_app, lead_engine_directory;

grant select, insert, update, delete on all tables in schema public to lead_engine_app;
revoke all on sessions, credentials, verifications, installation_secrets, migrations from lead_engine_app;
grant select on migrations to lead_engine_app, lead_engine_directory;
grant select, insert, update on accounts, users to lead_engine_directory;
grant select on active_users to lead_engine_directory;
grant select on api_keys, webhooks to lead_engine_directory;
grant select, insert, update, delete on sessions, credentials, verifications to lead_engine_directory;
grant select, insert on installation_secrets to lead_engine_directory;

create function acting_account() returns uuid language sql stable parallel safe
  return nullif(current_setting('lead_engine.account', true), '')::uuid;

create function acting_person() returns uuid language sql stable parallel safe
  return nullif(current_setting('lead_engine.person', true), '')::uuid;

create function acting_for_all() returns boolean language sql stable parallel safe
  return coalesce(current_setting('lead_engine.sees', true), '') = 'all';

-- The people seen are found in their list as text: reading it as an array for every row is five times slower. All ids
-- are of one length and stand between commas, so none is part of another.
create function acting_for(assignee uuid) returns boolean language sql stable parallel safe
  return coalesce(current_setting('lead_engine.sees', true), '') = 'all'
    or strpos(coalesce(current_setting('lead_engine.sees', true), ''), assignee::text) > 0;

-- Who is asking, for the rest of this transaction. Its first statement, and never inside a savepoint.
create function act_as(account uuid, person uuid, sees text) returns void language plpgsql as $$
begin
  perform set_config('lead_engine.account', account::text, true),
          set_config('lead_engine.person', coalesce(person::text, ''), true),
          set_config('lead_engine.sees', sees, true);
end
$$;

-- Everybody in an account may read of its people, for leads name them; who may not see all may not change them.
revoke delete on accounts, users from lead_engine_app;
alter table accounts enable row level security;
create policy own_account on accounts for select to lead_engine_app using (id = acting_account());
create policy opening on accounts for insert to lead_engine_app with check (id = acting_account() and acting_for_all());
create policy settings on accounts for update to lead_engine_app using (id = acting_account() and acting_for_all());
create policy directory on accounts to lead_engine_directory using (true);

alter table users enable row level security;
create policy own_account on users for select to lead_engine_app using (account_id = acting_account());
create policy joining on users for insert to lead_engine_app
  with check (account_id = acting_account() and acting_for_all());
create policy settings on users for update to lead_engine_app
  using (account_id = acting_account() and acting_for_all());
create policy directory on users to lead_engine_directory using (true);

alter table api_keys enable row level security;
create policy settings on api_keys to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on api_keys for select to lead_engine_directory using (true);

alter table webhooks enable row level security;
create policy settings on webhooks to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on webhooks for select to lead_engine_directory using (true);

alter table leads enable row level security;
create policy visible on leads to lead_engine_app using (account_id = acting_account() and acting_for(assigned_to));

alter table call_logs enable row level security;
create policy visible on call_logs to lead_engine_app using (account_id = acting_account() and acting_for(assigned_to));

alter table timeline_entries enable row level security;
create policy visible on timeline_entries to lead_engine_app
  using (account_id = acting_account() and acting_for(assigned_to));

alter table lead_counts enable row level security;
create policy visible on lead_counts to lead_engine_app
  using (account_id = acting_account() and acting_for(assigned_to));

alter table lead_day_counts enable row level security;
create policy visible on lead_day_counts to lead_engine_app
  using (account_id = acting_account() and acting_for(assigned_to));

alter table call_counts enable row level security;
create policy visible on call_counts to lead_engine_app
  using (account_id = acting_account() and acting_for(assigned_to));

-- Everyone's actions are written down; who may not see all may not read them.
alter table audit_log enable row level security;
create policy written on audit_log for insert to lead_engine_app with check (account_id = acting_account());
create policy settings on audit_log for select to lead_engine_app
  using (account_id = acting_account() and acting_for_all());
revoke update, delete on audit_log from lead_engine_app;

alter table idempotency_keys enable row level security;
create policy own on idempotency_keys to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

alter table deliveries enable row level security;
create policy settings on deliveries to lead_engine_app using (account_id = acting_account() and acting_for_all());

alter table delivery_receipts enable row level security;
create policy settings on delivery_receipts to lead_engine_app
  using (account_id = acting_account() and acting_for_all());

alter table distribution_rules enable row level security;
create policy settings on distribution_rules to lead_engine_app
  using (account_id = acting_account() and acting_for_all());

alter table distribution_turns enable row level security;
create policy settings on distribution_turns to lead_engine_app
  using (account_id = acting_account() and acting_for_all());
