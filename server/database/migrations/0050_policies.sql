-- compatible: no
-- Two roles that own nothing and cannot bypass policies. lead_engine_app is the service at work: it sees what its actor may see, and
-- nothing without an actor. lead_engine_directory finds out who is calling: it reads the accounts, users, keys and webhooks of all, and
-- writes what signing in needs. The owner is used by migrations and commands, so ENABLE and not FORCE.
--
-- Policies compare columns with settings. In a sub-select a setting is read once for each statement, and not for each row. Citus allows
-- none: there they are replaced by what is within.

create function acting_account() returns uuid language sql stable parallel safe
  return nullif(current_setting('lead_engine.account', true), '')::uuid;

create function acting_person() returns uuid language sql stable parallel safe
  return nullif(current_setting('lead_engine.person', true), '')::uuid;

create function acting_for_all() returns boolean language sql stable parallel safe
  return coalesce(current_setting('lead_engine.sees', true), '') = 'all';

-- The users whose leads the actor sees. No rows for an actor who sees all.
create function acting_people() returns setof uuid language plpgsql stable parallel safe rows 20 as $$
begin
  return query select unnest(nullif(nullif(current_setting('lead_engine.sees', true), 'all'), '')::uuid[]);
end
$$;

-- Finds the user in the text of the list: reading it as an array for every row is five times slower. All ids are of one length and
-- between commas, so none is part of another.
create function acting_for(assignee uuid) returns boolean language sql stable parallel safe
  return coalesce(current_setting('lead_engine.sees', true), '') = 'all'
    or strpos(coalesce(current_setting('lead_engine.sees', true), ''), assignee::text) > 0;

-- For functions that run as the owner, and so check what policies check.
create function may_act_for(account uuid, people uuid[]) returns boolean language plpgsql stable parallel safe as $$
begin
  return account = acting_account() and (acting_for_all() or people <@ array(select acting_people()));
end
$$;

-- Sets the actor until the end of the transaction. Its first statement, and never within a savepoint.
create function act_as(account uuid, person uuid, sees text) returns void language plpgsql as $$
begin
  perform set_config('lead_engine.account', account::text, true),
          set_config('lead_engine.person', coalesce(person::text, ''), true),
          set_config('lead_engine.sees', sees, true);
end
$$;

grant usage on schema public to lead_engine_app, lead_engine_directory;
grant select on migrations to lead_engine_app, lead_engine_directory;

-- Of the account

grant select, insert, update on accounts, users to lead_engine_app, lead_engine_directory;
alter table accounts enable row level security;
create policy own_account on accounts for select to lead_engine_app using (id = acting_account());
create policy opening on accounts for insert to lead_engine_app with check (id = acting_account() and acting_for_all());
create policy settings on accounts for update to lead_engine_app using (id = acting_account() and acting_for_all());
create policy directory on accounts to lead_engine_directory using (true);

-- Everybody sees the users of their account, because leads name them.
alter table users enable row level security;
create policy own_account on users for select to lead_engine_app using (account_id = (select acting_account()));
create policy joining on users for insert to lead_engine_app with check (account_id = acting_account() and acting_for_all());
create policy settings on users for update to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on users to lead_engine_directory using (true);

grant select, update (updated_at, two_factor_enabled) on active_users to lead_engine_directory;
grant select, insert, update, delete on sessions, credentials, verifications, two_factors to lead_engine_directory;
grant select, insert, update on sign_ins to lead_engine_directory;
grant select, insert on installation_secrets to lead_engine_directory;

grant select, insert, update, delete on api_keys, webhooks to lead_engine_app;
grant select on api_keys, webhooks to lead_engine_directory;
alter table api_keys enable row level security;
create policy settings on api_keys to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on api_keys for select to lead_engine_directory using (true);
alter table webhooks enable row level security;
create policy settings on webhooks to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on webhooks for select to lead_engine_directory using (true);

grant select, insert, update on api_key_uses to lead_engine_app;
alter table api_key_uses enable row level security;
create policy settings on api_key_uses to lead_engine_app using (account_id = acting_account() and acting_for_all());

grant select, insert, update, delete on password_links, forgotten_links to lead_engine_app;
grant select, delete on password_links, forgotten_links to lead_engine_directory;
alter table password_links enable row level security;
create policy settings on password_links to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on password_links to lead_engine_directory using (true);
alter table forgotten_links enable row level security;
create policy settings on forgotten_links to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on forgotten_links to lead_engine_directory using (true);

-- The directory records who set a password by a link, without a session.
grant select, insert on audit_log to lead_engine_app;
grant insert on audit_log to lead_engine_directory;
alter table audit_log enable row level security;
create policy settings on audit_log for select to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy written on audit_log for insert to lead_engine_app with check (account_id = acting_account());
create policy directory on audit_log for insert to lead_engine_directory with check (true);

grant select, insert, update, delete on deliveries, delivery_receipts, delivery_counts, webhook_storage, distribution_rules,
  distribution_turns, lead_imports, lead_reassignments, sent_notices to lead_engine_app;
grant select, insert, delete on delivery_contacts, delivery_count_changes to lead_engine_app;
grant select on lead_reassignments to lead_engine_directory;
alter table deliveries enable row level security;
create policy settings on deliveries to lead_engine_app using (account_id = acting_account() and acting_for_all());
alter table delivery_contacts enable row level security;
create policy settings on delivery_contacts to lead_engine_app using (account_id = acting_account() and acting_for_all());
alter table delivery_receipts enable row level security;
create policy settings on delivery_receipts to lead_engine_app using (account_id = acting_account() and acting_for_all());
alter table delivery_counts enable row level security;
create policy settings on delivery_counts to lead_engine_app using (account_id = acting_account() and acting_for_all());
alter table delivery_count_changes enable row level security;
create policy settings on delivery_count_changes to lead_engine_app using (account_id = acting_account() and acting_for_all());
alter table webhook_storage enable row level security;
create policy settings on webhook_storage to lead_engine_app using (account_id = acting_account() and acting_for_all());
alter table distribution_rules enable row level security;
create policy settings on distribution_rules to lead_engine_app using (account_id = acting_account() and acting_for_all());
alter table distribution_turns enable row level security;
create policy settings on distribution_turns to lead_engine_app using (account_id = acting_account() and acting_for_all());
alter table lead_imports enable row level security;
create policy settings on lead_imports to lead_engine_app using (account_id = acting_account() and acting_for_all());
alter table lead_reassignments enable row level security;
create policy settings on lead_reassignments to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on lead_reassignments for select to lead_engine_directory using (true);
alter table sent_notices enable row level security;
create policy settings on sent_notices to lead_engine_app using (account_id = acting_account() and acting_for_all());

-- Of leads

grant select, insert, update, delete on leads, call_logs, timeline_entries, lead_counts, call_counts to lead_engine_app;
alter table leads enable row level security;
create policy visible on leads to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));
alter table call_logs enable row level security;
create policy visible on call_logs to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));
alter table timeline_entries enable row level security;
create policy visible on timeline_entries to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));
alter table lead_counts enable row level security;
create policy visible on lead_counts to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));
alter table call_counts enable row level security;
create policy visible on call_counts to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));

-- The directory finds the accounts whose changes are to be moved.
grant select, insert, delete on lead_count_changes, call_count_changes to lead_engine_app;
grant select (account_id) on lead_count_changes, call_count_changes, delivery_count_changes to lead_engine_directory;
alter table lead_count_changes enable row level security;
create policy visible on lead_count_changes to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people()))) with check (account_id = acting_account());
create policy directory on lead_count_changes for select to lead_engine_directory using (true);
alter table call_count_changes enable row level security;
create policy visible on call_count_changes to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people()))) with check (account_id = acting_account());
create policy directory on call_count_changes for select to lead_engine_directory using (true);
create policy directory on delivery_count_changes for select to lead_engine_directory using (true);

grant insert on erased_leads to lead_engine_app;
grant select on erased_leads to lead_engine_directory;
alter table erased_leads enable row level security;
create policy own_account on erased_leads for insert to lead_engine_app with check (account_id = acting_account());
create policy directory on erased_leads for select to lead_engine_directory using (true);

-- Of users

grant select, insert, update, delete on idempotency_keys, assignments, notification_settings, push_subscriptions to lead_engine_app;
alter table idempotency_keys enable row level security;
create policy own on idempotency_keys to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));
alter table assignments enable row level security;
create policy own on assignments to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));
create policy noted on assignments for insert to lead_engine_app with check (account_id = acting_account());
alter table notification_settings enable row level security;
create policy own on notification_settings to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));
alter table push_subscriptions enable row level security;
create policy own on push_subscriptions to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

-- Of the installation. service_roles contains passwords, and is the owner's alone.

grant select on backup_runs to lead_engine_directory;
alter table backup_runs enable row level security;
create policy directory on backup_runs for select to lead_engine_directory using (true);
alter table service_roles enable row level security;
