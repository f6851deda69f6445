-- compatible: yes
-- Calls that telephone systems report by webhook, and who called.

-- Who spoke: a user, or what the telephone system calls somebody who is no known user (`agent`). `changed_at`: null if the call is as it
-- was logged.
alter table call_logs
  add column called_by uuid,
  add column agent text,
  add column recording_url text,
  add column changed_at timestamptz(0);
-- Until now, calls were counted for the owner of their lead.
update call_logs set called_by = assigned_to where assigned_to is not null;

-- Lists, and figures of them, without reading the calls themselves.
create index call_logs_figures on call_logs (account_id, called_at desc, id desc)
  include (assigned_to, called_by, call_type, outcome, duration_seconds);
drop index call_logs_newest;
create index call_logs_by_caller on call_logs (account_id, called_by, called_at desc, id desc);
create index call_logs_by_agent on call_logs (account_id, agent, called_at desc) where agent is not null;
-- What changed since a time.
create index call_logs_by_change on call_logs (account_id, (coalesce(changed_at, created_at)), id);
drop index call_logs_by_logging;

-- Numbers, extensions, emails and logins by which telephone systems name users. Without a user: seen in calls, and not known yet.
create table phone_lines (
  account_id uuid not null,
  -- As it is compared: E.164, or in lower case.
  line text collate "C" not null,
  written text not null,
  user_id uuid,
  seen_at timestamptz(0),
  added_at timestamptz(0) not null,
  primary key (account_id, line),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index phone_lines_of_user on phone_lines (account_id, user_id) where user_id is not null;
create index phone_lines_unknown on phone_lines (account_id, seen_at desc) where user_id is null;

grant select, insert, update, delete on phone_lines to lead_engine_app;
alter table phone_lines enable row level security;
create policy own on phone_lines to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

-- A call as its telephone system reports it, in one or several events, in any order. Its call log is written when the call has ended.
create table phone_calls (
  account_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  -- The system's id of the call, the same in all its events. Null: the lead, the direction and the start identify it.
  platform_id text,
  -- Null until an event has the customer's number.
  lead_id uuid,
  -- The owner of the lead.
  assigned_to uuid,
  -- The customer's number, as the system wrote it: for users who are rung and do not see the lead.
  phone text,
  -- The users who are rung, or who spoke.
  user_ids uuid[] not null default '{}',
  state text not null check (state in ('ringing', 'answered', 'ended')),
  call_type text not null check (call_type in ('Inbound', 'Outbound')),
  started_at timestamptz(0) not null,
  -- What its events said (joinEvents in server/calls/join-events.ts).
  facts jsonb not null,
  -- Kept when the call log is deleted, so that a repeated event does not write it again.
  call_log_id uuid,
  changed_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade,
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);
create index phone_calls_by_platform_id on phone_calls (account_id, platform_id) where platform_id is not null;
create index phone_calls_of_lead on phone_calls (account_id, lead_id, started_at desc);
create index phone_calls_open on phone_calls (account_id, changed_at) where state <> 'ended';
create index phone_calls_oldest on phone_calls (account_id, changed_at);
create unique index phone_calls_by_log on phone_calls (account_id, call_log_id) where call_log_id is not null;

grant select, insert, update, delete on phone_calls to lead_engine_app;
alter table phone_calls enable row level security;
create policy visible on phone_calls to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));
-- Who is rung sees the call, though not the lead.
create policy rung on phone_calls for select to lead_engine_app
  using (account_id = acting_account() and acting_person() = any (user_ids));

-- Null: the lead came to the user. Else the lead called the user, and was missed.
alter table assignments add column call_log_id uuid;

-- Whether the user who answers a call of an unassigned lead becomes its owner.
alter table accounts add column answering_user_owns boolean not null default false;

-- As before, with who called, the agent and the recording, and with a notice of each missed call.
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
    -- Not what a user logs in the web app, nor imports and commands. Without an owner, Admins see the lead.
    if acting_via in ('api_key', 'webhook') and call.call_type = 'Inbound' and (call.duration_seconds = 0 or call.outcome = 'Missed')
      and call.called_at > moment - interval '1 hour'
    then
      for recipient in
        select id from users where account_id = account and deactivated_at is null
          and (id = assignee or (assignee is null and role = 'Admin')) order by created_at, id limit 50
      loop
        insert into assignments (account_id, lead_id, user_id, at, notify_at, call_log_id)
        values (account, call.lead_id, recipient, call.called_at, moment, call.id);
      end loop;
    end if;
  end loop;
  return created;
end
$$;

-- As before, with calls: those of a telephone system, too, have the assignee of their lead.
create or replace function reassign_calls(account uuid, of_leads uuid[], assignee uuid) returns void language plpgsql as $$
declare
  changed record;
begin
  for changed in
    select whose, call_type, (called_at at time zone interval '05:30')::date as day, sum(sign) as n
    from call_logs, lateral (values
      (coalesce(assigned_to, '00000000-0000-0000-0000-000000000000'), -1),
      (coalesce(assignee, '00000000-0000-0000-0000-000000000000'), 1)
    ) as side (whose, sign)
    where account_id = account and lead_id = any (of_leads)
    group by 1, 2, 3 having sum(sign) <> 0
  loop
    insert into call_count_changes (account_id, assigned_to, call_type, day, n)
    values (account, changed.whose, changed.call_type, changed.day, changed.n);
  end loop;
  update call_logs set assigned_to = assignee where account_id = account and lead_id = any (of_leads);
  update phone_calls set assigned_to = assignee where account_id = account and lead_id = any (of_leads);
  update lead_contacts set assigned_to = assignee where account_id = account and lead_id = any (of_leads);
end
$$;

-- As before, with the events of calls that have no number: their deliveries are found by the system's id of the call.
create or replace function forget_person(account uuid, of_lead uuid, contacts text[], names text[] default '{}')
returns boolean language plpgsql as $$
declare
  own text[];
  keys bytea[];
  named uuid[];
  pattern text;
  seen text;
begin
  -- First, because a repetition holds its receipt until it is committed: from here on its delivery is seen below.
  delete from delivery_receipts where account_id = account and lead_id = of_lead;
  own := array(
    select contact from unnest(contacts) as contact where not exists (
      select 1 from leads where account_id = account and id <> of_lead and phone_key = substr(contact, 7)
    ) and not exists (
      select 1 from leads where account_id = account and id <> of_lead and email_key = substr(contact, 7)
    )
  );
  keys := array(
    select contact_hash(account, contact) from unnest(own || ('lead:' || of_lead)) as contact
    union all select contact_hash(account, 'call:' || platform_id) from phone_calls
      where account_id = account and lead_id = of_lead and platform_id is not null
  );
  named := array(
    select id from deliveries where account_id = account and lead_id = of_lead
    union select delivery_id from delivery_contacts where account_id = account and contact = any (keys)
    order by 1
  );
  perform 1 from deliveries where account_id = account and id = any (named) order by id for update;
  update deliveries set body = null, body_hash = null, picks = '[]', warnings = '[]', error = null, attention = false
  where account_id = account and id = any (named);
  delete from delivery_contacts where account_id = account and delivery_id = any (named);
  pattern := contact_pattern(own);
  seen := concat_ws('|', pattern, name_pattern(names));
  if seen = '' then
    return false;
  end if;
  update webhooks set
    mapping = (select coalesce(jsonb_agg(entry), '[]') from jsonb_array_elements(mapping) as entry
      where pattern is null or entry::text !~* pattern),
    proposal = (select case when proposal is null then null else coalesce(jsonb_agg(entry), '[]') end
      from jsonb_array_elements(proposal) as entry where entry->>'path' !~* seen),
    known_fields = (select coalesce(jsonb_object_agg(path, since), '{}') from jsonb_each(known_fields) as field (path, since)
      where path !~* seen)
  where account_id = account and (
    mapping::text ~* pattern
    or exists (select 1 from jsonb_array_elements(proposal) as entry where entry->>'path' ~* seen)
    or exists (select 1 from jsonb_object_keys(known_fields) as path where path ~* seen)
  );
  return found;
end
$$;

-- As before, with who called, and whether there is a recording that a browser opens.
create or replace function call_previews_of_lead(account uuid, of_lead uuid, most integer, most_characters integer)
returns json language plpgsql stable as $$
begin
  return json_build_object(
    'total', (select count(*) from call_logs where account_id = account and lead_id = of_lead),
    'calls', (select coalesce(json_agg(newest), '[]') from (
      select id, lead_id, call_type, duration_seconds, outcome,
        case when length(notes) > most_characters then left(notes, most_characters) || '…' else notes end as notes,
        coalesce(length(notes) > most_characters, false) as notes_cut,
        (select email from users where account_id = account and users.id = call_logs.called_by) as called_by,
        (select name from users where account_id = account and users.id = call_logs.called_by) as called_by_name,
        agent, coalesce(recording_url ~* '^https?://', false) as has_recording,
        left(to_json(called_at)#>>'{}', 19) || 'Z' as called_at, left(to_json(created_at)#>>'{}', 19) || 'Z' as created_at
      from call_logs where account_id = account and lead_id = of_lead
      order by call_logs.called_at desc, call_logs.id desc limit most
    ) newest)
  );
end
$$;
