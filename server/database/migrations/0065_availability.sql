-- compatible: yes
-- Who is available, round robins by what each user got, and leads that pass on to another user.

-- Working hours of a user; null: those of the account. `absences`: leave and pauses that have not ended, as {id, from, until}.
alter table users
  add column work_days text check (work_days ~ '^1?2?3?4?5?6?7?$' and work_days <> ''),
  add column work_from smallint check (work_from between 0 and 1439),
  add column work_until smallint check (work_until between 1 and 1440),
  add column absences jsonb not null default '[]';

-- Gets the leads of a rule while none of its users is available.
alter table accounts add column fallback_owner uuid;

-- Working minutes after which an untouched lead passes on to another user of the rule. Null: never.
alter table distribution_rules add column pass_on_after smallint check (pass_on_after between 1 and 480);

-- For each user, their share of the leads until now minus the leads that they got. Replaces `turns` and `returned`, which programs of the
-- version before still use while an upgrade runs.
alter table distribution_turns add column credits jsonb not null default '{}';

-- Writes the credits of a rule if they are still as expected, and returns null. Otherwise it returns what they are, so that they are
-- computed again. A rule that was removed just now has none, and nothing is written.
create function swap_credits(account uuid, rule uuid, expected jsonb, changed jsonb) returns jsonb language plpgsql as $$
declare
  kept jsonb;
begin
  perform act_as(account, null, 'all');
  -- Not flushed by itself: the lead that uses it is committed later, and its flush includes this.
  perform set_config('synchronous_commit', 'off', true);
  select credits into kept from distribution_turns where account_id = account and rule_id = rule for update;
  if not found then
    insert into distribution_turns (account_id, rule_id)
    select account_id, id from distribution_rules where account_id = account and id = rule for key share
    on conflict (account_id, rule_id) do nothing;
    select credits into kept from distribution_turns where account_id = account and rule_id = rule for update;
    if not found then return null; end if;
  end if;
  if kept is distinct from expected then return kept; end if;
  update distribution_turns set credits = changed where account_id = account and rule_id = rule;
  return null;
end
$$;

-- New leads of rules that pass on, until somebody works on them or all users of the rule had them.
create table pass_ons (
  account_id uuid not null,
  lead_id uuid not null,
  rule_id uuid not null,
  -- The owner, since this time.
  user_id uuid not null,
  since timestamptz(0) not null,
  -- All who had the lead, with the owner.
  had uuid[] not null,
  due_at timestamptz(0) not null,
  primary key (account_id, lead_id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);
create index pass_ons_due on pass_ons (account_id, due_at);

grant select, insert, update, delete on pass_ons to lead_engine_app;
grant select (account_id, due_at) on pass_ons to lead_engine_directory;
alter table pass_ons enable row level security;
create policy settings on pass_ons to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on pass_ons for select to lead_engine_directory using (true);

-- The lead passed on from the user to this one. Null for all other notices.
alter table assignments add column passed_on_to uuid;

-- As before, with `pass_on` of a lead whose rule passes on.
create or replace function create_leads(
  account uuid, person uuid, sees text, new_leads jsonb, acting_via text, acting_via_id uuid
) returns uuid[] language plpgsql as $$
declare
  lead record;
  created uuid[] := '{}';
begin
  perform act_as(account, person, sees);
  -- Row by row, because Citus copies the rows of INSERT ... SELECT, which policies prevent.
  for lead in
    select * from jsonb_to_recordset(new_leads) as lead (
      id uuid, name text, email text, phone text, email_key text, phone_key text, company text, city text, source text, status text,
      priority text, tags text[], deal_value numeric, notes text, assigned_to uuid, created_at timestamptz, updated_at timestamptz,
      answer_start text, at timestamptz, summary text, details jsonb, notified boolean, contacts jsonb, pass_on jsonb
    )
  loop
    insert into leads (account_id, id, name, email, phone, email_key, phone_key, company, city, source, status, priority, tags,
      deal_value, notes, assigned_to, created_at, updated_at, answer_start)
    values (account, lead.id, lead.name, lead.email, lead.phone, lead.email_key, lead.phone_key, lead.company, lead.city, lead.source,
      lead.status, lead.priority, lead.tags, lead.deal_value, lead.notes, lead.assigned_to, lead.created_at, lead.updated_at,
      lead.answer_start)
    on conflict do nothing;
    continue when not found;
    if not claim_contacts(account, lead.id, lead.assigned_to, array[lead.phone_key, lead.email_key], lead.contacts) then
      delete from leads where account_id = account and id = lead.id;
      continue;
    end if;
    created := created || lead.id;
    insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    values (account, lead.id, lead.assigned_to, lead.at, 'created', lead.summary, lead.details);
    insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
    values (account, lead.at, person, acting_via, acting_via_id, 'lead.created', lead.id);
    insert into lead_count_changes (account_id, assigned_to, status, source, priority, day, n)
    values (account, coalesce(lead.assigned_to, '00000000-0000-0000-0000-000000000000'), lead.status, lead.source, lead.priority,
      (lead.created_at at time zone interval '05:30')::date, 1);
    if lead.notified then
      insert into assignments (account_id, lead_id, user_id, at, notify_at)
      values (account, lead.id, lead.assigned_to, lead.at, lead.at);
    end if;
    if lead.pass_on is not null then
      insert into pass_ons (account_id, lead_id, rule_id, user_id, since, had, due_at)
      values (account, lead.id, (lead.pass_on->>'rule_id')::uuid, lead.assigned_to, lead.at, array[lead.assigned_to],
        (lead.pass_on->>'due_at')::timestamptz);
    end if;
  end loop;
  return created;
end
$$;

-- As before, and a missed call of a deactivated owner's lead goes to the Admins, too.
create or replace function create_call_logs(
  account uuid, person uuid, sees text, new_calls jsonb, moment timestamptz, acting_via text, acting_via_id uuid
) returns bigint language plpgsql as $$
declare
  call record;
  assignee uuid;
  recipient uuid;
  created bigint := 0;
begin
  perform act_as(account, person, sees);
  for call in
    select * from jsonb_to_recordset(new_calls) as call (
      id uuid, lead_id uuid, call_type text, duration_seconds integer, outcome text, notes text, called_at timestamptz, called_by uuid,
      by_owner boolean, agent text, recording_url text, summary text, details jsonb
    )
  loop
    select assigned_to into assignee from leads where account_id = account and id = call.lead_id for no key update;
    continue when not found;
    created := created + 1;
    insert into call_logs (account_id, id, lead_id, assigned_to, call_type, duration_seconds, outcome, notes, called_at, created_at,
      called_by, agent, recording_url)
    values (account, call.id, call.lead_id, assignee, call.call_type, call.duration_seconds, call.outcome, call.notes, call.called_at,
      moment, case when call.by_owner then coalesce(assignee, call.called_by) else call.called_by end, call.agent, call.recording_url);
    perform note_calls(account, array[call.lead_id], array[(call.call_type = 'Outbound')::integer]);
    insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    values (account, call.lead_id, assignee, moment, 'call_logged', call.summary, call.details);
    insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
    values (account, moment, person, acting_via, acting_via_id, 'call_log.created', call.id);
    insert into call_count_changes (account_id, assigned_to, call_type, day, n)
    values (account, coalesce(assignee, '00000000-0000-0000-0000-000000000000'), call.call_type,
      (call.called_at at time zone interval '05:30')::date, 1);
    -- Not what a user logs in the web app, nor imports and commands. Without an active owner, the Admins are notified.
    if acting_via in ('api_key', 'webhook') and call.call_type = 'Inbound' and (call.duration_seconds = 0 or call.outcome = 'Missed')
      and call.called_at > moment - interval '1 hour'
    then
      for recipient in
        select id from users where account_id = account and deactivated_at is null
          and (id = assignee or (role = 'Admin' and not exists (
            select from users as owner where owner.account_id = account and owner.id = assignee and owner.deactivated_at is null
          ))) order by created_at, id limit 50
      loop
        insert into assignments (account_id, lead_id, user_id, at, notify_at, call_log_id)
        values (account, call.lead_id, recipient, call.called_at, moment, call.id);
      end loop;
    end if;
  end loop;
  return created;
end
$$;
