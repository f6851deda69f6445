-- The SQL functions that stores call. A later migration replaces one by defining it again: two versions of the program
-- on one database must not overwrite each other's functions, so nothing outside a migration defines them.

-- Adds to the counts of a day: to the fine ones, and to those that lists without a filter of their own read.
create or replace function count_leads(
  account uuid, of_day date, of_status text, of_source text, of_priority text, assignee uuid, count_slot smallint,
  leads bigint
) returns void language plpgsql as $$
declare
  whose uuid := coalesce(assignee, '00000000-0000-0000-0000-000000000000');
begin
  insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n)
  values (account, of_day, of_status, of_source, of_priority, whose, count_slot, leads)
  on conflict (account_id, day, status, source, priority, assigned_to, slot)
  do update set n = lead_counts.n + excluded.n;
  insert into lead_day_counts (account_id, day, assigned_to, slot, n)
  values (account, of_day, whose, count_slot, leads)
  on conflict (account_id, day, assigned_to, slot) do update set n = lead_day_counts.n + excluded.n;
end
$$;

-- A new lead with its timeline entry, audit entry and count, in one round trip and by parameters alone. A process that holds
-- the phone or the email already makes the first insert fail (23505), and with it all of this.
create or replace function create_lead(
  account uuid, person uuid, sees text,
  new_id uuid, new_name text, new_email text, new_email_key text, new_phone text, new_phone_key text, new_company text,
  new_city text, new_source text, new_status text, new_priority text, new_tags text[], new_deal_value numeric,
  new_notes text, assignee uuid, moment timestamptz, ist_day date, count_slot smallint,
  entry_summary text, entry_details jsonb, acting_via text, acting_via_id uuid
) returns void language plpgsql as $$
begin
  perform act_as(account, person, sees);
  insert into leads (account_id, id, name, email, email_key, phone, phone_key, company, city, source, status, priority,
    tags, deal_value, notes, assigned_to, created_at, updated_at)
  values (account, new_id, new_name, new_email, new_email_key, new_phone, new_phone_key, new_company, new_city,
    new_source, new_status, new_priority, new_tags, new_deal_value, new_notes, assignee, moment, moment);
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  values (account, new_id, assignee, moment, 'created', entry_summary, entry_details);
  insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
  values (account, moment, person, acting_via, acting_via_id, 'lead.created', new_id);
  perform count_leads(account, ist_day, new_status, new_source, new_priority, assignee, count_slot, 1);
end
$$;

-- Hands all leads of a person to another, or to nobody: the leads, what carries their assignee, and the counts. Called
-- by the deactivation of a person. Set by set, for a person may have ten thousands; in a slot of the counts that single
-- leads never write to, so that no other transaction has to wait for it.
create or replace function reassign_leads(
  account uuid, from_person uuid, to_person uuid, moment timestamptz, entry_summary text, entry_details jsonb
) returns bigint language plpgsql as $$
declare
  moved uuid[];
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  bulk constant smallint := 8;
begin
  moved := array(select id from leads where account_id = account and assigned_to = from_person order by id for update);
  with counted as (
    select (created_at at time zone interval '05:30')::date as day, status, source, priority, count(*) as n
    from leads where account_id = account and assigned_to = from_person and id = any (moved) group by 1, 2, 3, 4
  ), both_sides as (
    select day, status, source, priority, from_person as whose, -n as n from counted
    union all select day, status, source, priority, coalesce(to_person, nobody), n from counted
  ), by_day as (
    insert into lead_day_counts (account_id, day, assigned_to, slot, n)
    select account, day, whose, bulk, sum(n) from both_sides group by day, whose order by day, whose
    on conflict (account_id, day, assigned_to, slot) do update set n = lead_day_counts.n + excluded.n
  )
  insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n)
  select account, day, status, source, priority, whose, bulk, n from both_sides order by 2, 3, 4, 5, 6
  on conflict (account_id, day, status, source, priority, assigned_to, slot)
  do update set n = lead_counts.n + excluded.n;
  perform reassign_calls_of(account, moved, to_person);
  update timeline_entries set assigned_to = to_person
  from unnest(moved) as lead where account_id = account and lead_id = lead;
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  select account, lead, to_person, moment, 'reassigned', entry_summary, entry_details from unnest(moved) as lead;
  update leads set assigned_to = to_person, updated_at = moment
  from unnest(moved) as lead where account_id = account and id = lead;
  return coalesce(array_length(moved, 1), 0);
end
$$;

-- The newest calls of a lead as JSON, and how many it has: for the lead's page. With the rights of the caller.
create or replace function calls_of_lead(account uuid, of_lead uuid, most integer) returns json language sql stable as $$
  select json_build_object(
    'total', (select count(*) from call_logs where account_id = account and lead_id = of_lead),
    'calls', (select coalesce(json_agg(newest), '[]') from (
      select id, lead_id, call_type, duration_seconds, outcome, notes,
        left(to_json(called_at)#>>'{}', 19) || 'Z' as called_at, left(to_json(created_at)#>>'{}', 19) || 'Z' as created_at
      from call_logs where account_id = account and lead_id = of_lead
      order by call_logs.called_at desc, call_logs.id desc limit most
    ) newest)
  )
$$;

-- A call log with its timeline entry, audit entry and count, in one round trip. False when there is no such lead for
-- this actor. The share lock keeps the lead's assignee, which the call log carries, from changing meanwhile.
create or replace function create_call_log(
  account uuid, person uuid, sees text,
  new_id uuid, of_lead uuid, new_call_type text, new_duration integer, new_outcome text, new_notes text,
  new_called_at timestamptz, moment timestamptz, ist_day date, count_slot smallint,
  entry_summary text, entry_details jsonb, acting_via text, acting_via_id uuid
) returns boolean language plpgsql as $$
declare
  assignee uuid;
begin
  perform act_as(account, person, sees);
  select assigned_to into assignee from leads where account_id = account and id = of_lead for share;
  if not found then
    return false;
  end if;
  insert into call_logs (account_id, id, lead_id, assigned_to, call_type, duration_seconds, outcome, notes, called_at,
    created_at)
  values (account, new_id, of_lead, assignee, new_call_type, new_duration, new_outcome, new_notes, new_called_at, moment);
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  values (account, of_lead, assignee, moment, 'call_logged', entry_summary, entry_details);
  insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
  values (account, moment, person, acting_via, acting_via_id, 'call_log.created', new_id);
  insert into call_counts (account_id, day, call_type, assigned_to, slot, n)
  values (account, ist_day, new_call_type, coalesce(assignee, '00000000-0000-0000-0000-000000000000'), count_slot, 1)
  on conflict (account_id, day, call_type, assigned_to, slot) do update set n = call_counts.n + excluded.n;
  return true;
end
$$;

-- A lead's calls follow its assignee, in the calls themselves and in their counts. Called by the merge of a lead.
create or replace function reassign_calls(account uuid, of_lead uuid, assignee uuid) returns void language plpgsql as $$
declare
  calls record;
begin
  for calls in
    select (called_at at time zone interval '05:30')::date as day, call_type, assigned_to, count(*) as n
    from call_logs where account_id = account and lead_id = of_lead group by 1, 2, 3 order by 1, 2, 3
  loop
    perform count_calls(account, calls.day, calls.call_type, calls.assigned_to, -calls.n);
    perform count_calls(account, calls.day, calls.call_type, assignee, calls.n);
  end loop;
  update call_logs set assigned_to = assignee where account_id = account and lead_id = of_lead;
end
$$;

-- Takes a lead's calls out of the counts, before they go with their lead.
create or replace function uncount_calls(account uuid, of_lead uuid) returns void language plpgsql as $$
declare
  calls record;
begin
  for calls in
    select (called_at at time zone interval '05:30')::date as day, call_type, assigned_to, count(*) as n
    from call_logs where account_id = account and lead_id = of_lead group by 1, 2, 3 order by 1, 2, 3
  loop
    perform count_calls(account, calls.day, calls.call_type, calls.assigned_to, -calls.n);
  end loop;
end
$$;

create or replace function count_calls(account uuid, of_day date, of_call_type text, assignee uuid, calls bigint)
returns void language plpgsql as $$
begin
  insert into call_counts (account_id, day, call_type, assigned_to, slot, n)
  values (account, of_day, of_call_type, coalesce(assignee, '00000000-0000-0000-0000-000000000000'), 0, calls)
  on conflict (account_id, day, call_type, assigned_to, slot) do update set n = call_counts.n + excluded.n;
end
$$;

-- The calls of many leads at once. Called when a person's leads are handed over.
create or replace function reassign_calls_of(account uuid, of_leads uuid[], assignee uuid)
returns void language plpgsql as $$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  bulk constant smallint := 8;
begin
  with counted as (
    select (called_at at time zone interval '05:30')::date as day, call_type, call_logs.assigned_to, count(*) as n
    from unnest(of_leads) as lead join call_logs on account_id = account and lead_id = lead group by 1, 2, 3
  ), both_sides as (
    select day, call_type, coalesce(assigned_to, nobody) as whose, -n as n from counted
    union all select day, call_type, coalesce(assignee, nobody), n from counted
  )
  insert into call_counts (account_id, day, call_type, assigned_to, slot, n)
  select account, day, call_type, whose, bulk, sum(n) from both_sides group by 2, 3, 4 order by 2, 3, 4
  on conflict (account_id, day, call_type, assigned_to, slot) do update set n = call_counts.n + excluded.n;
  update call_logs set assigned_to = assignee
  from unnest(of_leads) as lead where account_id = account and lead_id = lead;
end
$$;

-- What deliveries kept of a lead goes with it; that they came, when and how they ended stays. Called by the
-- deletion of a lead, acting for the whole account: who deletes a lead need not be one who may read deliveries.
create or replace function forget_deliveries(account uuid, of_lead uuid) returns void language plpgsql as $$
begin
  update deliveries set body = null, picks = '[]', warnings = '[]', error = null
  where account_id = account and lead_id = of_lead;
end
$$;
