-- compatible: no
-- Each lead keeps the time and outcome of its last call, and how many calls were made to it: lists show them, filter by
-- them and sort by them.
alter table leads
  add column last_call_at timestamptz(0),
  add column last_call_outcome text,
  add column attempts integer not null default 0;

update leads set last_call_at = of_lead.last_call_at, last_call_outcome = of_lead.outcome, attempts = of_lead.attempts
from (
  select account_id, lead_id, max(called_at) as last_call_at, (array_agg(outcome order by called_at desc, id desc))[1] as outcome,
    count(*) filter (where call_type = 'Outbound')::integer as attempts
  from call_logs group by account_id, lead_id
) of_lead
where leads.account_id = of_lead.account_id and leads.id = of_lead.lead_id;

-- A phone is found by its last digits, a company and a city by their beginning. Deal values are compared in paise: the
-- operators of bigint are leakproof, so that an index may serve them under the policies, and those of numeric are not.
alter table leads
  add column phone_end text collate "C" generated always as (reverse(phone_key)) stored,
  add column company_key text collate "C" generated always as (lower(company)) stored,
  add column city_key text collate "C" generated always as (lower(city)) stored,
  add column deal_paise bigint generated always as ((deal_value * 100)::bigint) stored;

create index leads_by_phone_end on leads (account_id, phone_end) where phone_end is not null;
create index leads_by_company on leads (account_id, company_key) where company_key is not null;
create index leads_by_city on leads (account_id, city_key, created_at desc, id desc) where city_key is not null;
create index leads_by_last_call on leads (account_id, last_call_at desc nulls last, created_at desc, id desc);
create index leads_by_deal_value on leads (account_id, deal_paise desc nulls last, id desc);

-- The tags of a lead with its account, in lower case: an inverted index without an extension has no other column. Not in SQL,
-- because each INSERT would plan the function again.
create function tag_terms(account uuid, tags text[]) returns text[] language plpgsql immutable parallel safe as $$
declare
  tag text;
  terms text[] := '{}';
begin
  foreach tag in array tags loop
    terms := terms || (account::text || ' ' || lower(tag));
  end loop;
  return terms;
end
$$;

create index leads_by_tag on leads using gin (tag_terms(account_id, tags)) where tags <> '{}';

-- At most so many leads with this tag. The operators of arrays are not leakproof, so that policies keep queries from the
-- index. The function runs as the owner of the tables, and so checks by itself what the policy of leads checks.
create function leads_with_tag(account uuid, tag text, most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select id from leads
    where account_id = account and account_id = acting_account() and acting_for(assigned_to)
      and tags <> '{}' and tag_terms(account_id, tags) @> array[account::text || ' ' || lower(tag)]
    limit most;
end
$$;

revoke execute on function leads_with_tag(uuid, text, integer) from public;
grant execute on function leads_with_tag(uuid, text, integer) to lead_engine_app;

-- Writes to leads that calls were added or removed: the last call, and how many more calls were made to each. Their rows
-- are locked.
create function note_calls(account uuid, of_leads uuid[], outgoing integer[]) returns void language plpgsql as $$
begin
  update leads set attempts = attempts + noted.outgoing,
    (last_call_at, last_call_outcome) = (
      select called_at, outcome from call_logs where account_id = account and lead_id = leads.id
      order by called_at desc, id desc limit 1
    )
  from unnest(of_leads, outgoing) as noted (lead, outgoing)
  where account_id = account and id = noted.lead;
end
$$;

-- A call log with its timeline entry, audit entry and count, in one round trip. False when there is no such lead for
-- this actor. The lock keeps the lead's assignee, which the call log carries, from changing meanwhile.
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
  select assigned_to into assignee from leads where account_id = account and id = of_lead for no key update;
  if not found then
    return false;
  end if;
  insert into call_logs (account_id, id, lead_id, assigned_to, call_type, duration_seconds, outcome, notes, called_at,
    created_at)
  values (account, new_id, of_lead, assignee, new_call_type, new_duration, new_outcome, new_notes, new_called_at, moment);
  perform note_calls(account, array[of_lead], array[(new_call_type = 'Outbound')::integer]);
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
