-- compatible: no
-- Functions that write or read several tables in one round trip. In PL/pgSQL, which keeps plans; functions in SQL are planned for each
-- call. Those with "security definer" run as the owner of the tables and check the actor once, where a policy would compare each of
-- many rows.

-- Leads

-- The beginning of a lead's JSON in answers (answerStart in server/leads/answer-start.ts).
create function lead_answer_start(
  id uuid, name text, email text, phone text, company text, city text, source text, status text, priority text, tags text[],
  deal_value numeric, created_at timestamptz, updated_at timestamptz
) returns text language plpgsql stable parallel safe as $$
begin
  return '{"id":"' || id || '","name":' || to_json(name) || ',"email":' || coalesce(to_json(email)::text, 'null')
    || ',"phone":' || coalesce(to_json(phone)::text, 'null') || ',"company":' || coalesce(to_json(company)::text, 'null')
    || ',"city":' || coalesce(to_json(city)::text, 'null') || ',"source":' || to_json(source)
    || ',"status":"' || status || '","priority":"' || priority || '","tags":' || array_to_json(tags)
    || ',"deal_value":' || coalesce(deal_value::text, 'null')
    || ',"created_at":' || left(to_json(created_at at time zone 'UTC')::text, 20)
    || 'Z","updated_at":' || left(to_json(updated_at at time zone 'UTC')::text, 20) || 'Z"';
end
$$;

-- Creates leads with their timeline and audit entries and their counts. `new_leads` are columns of leads, with the time, `summary` and
-- `details` of the timeline entry, and `notified`, whether the assignee is notified. Returns the ids of those that were created: no
-- other lead has their phone or email.
create function create_leads(
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
      answer_start text, at timestamptz, summary text, details jsonb, notified boolean
    )
  loop
    insert into leads (account_id, id, name, email, phone, email_key, phone_key, company, city, source, status, priority, tags,
      deal_value, notes, assigned_to, created_at, updated_at, answer_start)
    values (account, lead.id, lead.name, lead.email, lead.phone, lead.email_key, lead.phone_key, lead.company, lead.city, lead.source,
      lead.status, lead.priority, lead.tags, lead.deal_value, lead.notes, lead.assigned_to, lead.created_at, lead.updated_at,
      lead.answer_start)
    on conflict do nothing;
    continue when not found;
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
  end loop;
  return created;
end
$$;

-- The calls of leads follow their assignee.
create function reassign_calls(account uuid, of_leads uuid[], assignee uuid) returns void language plpgsql as $$
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
end
$$;

-- Subtracts the calls of a lead that is deleted.
create function uncount_calls(account uuid, of_lead uuid) returns void language plpgsql as $$
declare
  changed record;
begin
  for changed in
    select coalesce(assigned_to, '00000000-0000-0000-0000-000000000000') as whose, call_type,
      (called_at at time zone interval '05:30')::date as day, count(*) as n
    from call_logs where account_id = account and lead_id = of_lead group by 1, 2, 3
  loop
    insert into call_count_changes (account_id, assigned_to, call_type, day, n)
    values (account, changed.whose, changed.call_type, changed.day, -changed.n);
  end loop;
end
$$;

-- Reassigns at most so many leads of a user, with their calls, timelines and counts. Returns how many. A lead that another transaction
-- holds is left for a later batch.
create function reassign_some_leads(
  account uuid, from_person uuid, to_person uuid, moment timestamptz, entry_summary text, entry_details jsonb, most integer
) returns bigint language plpgsql as $$
declare
  moved uuid[];
  changed record;
begin
  moved := array(
    select id from leads where account_id = account and assigned_to = from_person
    order by created_at desc, id desc limit most for update skip locked
  );
  if cardinality(moved) = 0 then
    return 0;
  end if;
  for changed in
    select whose, status, source, priority, (created_at at time zone interval '05:30')::date as day, sum(sign) as n
    from leads, (values
      (from_person, -1), (coalesce(to_person, '00000000-0000-0000-0000-000000000000'), 1)
    ) as side (whose, sign)
    where account_id = account and id = any (moved)
    group by 1, 2, 3, 4, 5
  loop
    insert into lead_count_changes (account_id, assigned_to, status, source, priority, day, n)
    values (account, changed.whose, changed.status, changed.source, changed.priority, changed.day, changed.n);
  end loop;
  perform reassign_calls(account, moved, to_person);
  update timeline_entries set assigned_to = to_person where account_id = account and lead_id = any (moved);
  -- EXECUTE, because PL/pgSQL would need a place for what is returned.
  execute 'insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    select $1, lead, $2, $3, ''reassigned'', $4, $5 from unnest($6) as lead returning 1'
    using account, to_person, moment, entry_summary, entry_details, moved;
  update leads set assigned_to = to_person, updated_at = moment, answer_start = null where account_id = account and id = any (moved);
  return cardinality(moved);
end
$$;

-- At most so many leads with this tag. The operators of arrays are not leakproof, so that policies keep queries from the index.
create function leads_with_tag(account uuid, tag text, most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select id from leads
    where account_id = account and account_id = acting_account() and acting_for(assigned_to)
      and tags <> '{}' and tag_terms(account_id, tags) @> array[account::text || ' ' || lower(tag)]
    limit most;
end
$$;

-- How many leads these users have by day.
create function counted_days(
  account uuid, people uuid[], first_day date, last_day date, of_status text, of_source text, of_priority text
) returns table (of_day date, leads bigint) language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if may_act_for(account, people) is not true then
    raise insufficient_privilege;
  end if;
  -- `offset 0` keeps the order: for each user by the index, and not all users of these days.
  if of_status is null and of_source is null and of_priority is null then
    return query select counts.day, sum(counts.n)::bigint from (
        select theirs.day, theirs.n from unnest(people) as person, lateral (
          select day, n from lead_counts where account_id = account and assigned_to = person and status is null and source is null
            and priority is null and day between first_day and last_day offset 0
        ) theirs
        union all
        select day, n from lead_count_changes
        where account_id = account and assigned_to = any (people) and day between first_day and last_day
      ) counts group by counts.day;
  else
    return query select counts.day, sum(counts.n)::bigint from (
        select theirs.day, theirs.n from unnest(people) as person, lateral (
          select day, n from lead_counts where account_id = account and assigned_to = person
            and status is not null and source is not null and priority is not null and day between first_day and last_day
            and (of_status is null or status = of_status) and (of_source is null or source = of_source)
            and (of_priority is null or priority = of_priority) offset 0
        ) theirs
        union all
        select day, n from lead_count_changes
        where account_id = account and assigned_to = any (people) and day between first_day and last_day
          and (of_status is null or status = of_status) and (of_source is null or source = of_source)
          and (of_priority is null or priority = of_priority)
      ) counts group by counts.day;
  end if;
end
$$;

-- The ids of an account's leads, newest first: a deep page skips the entries of an index, and not whole leads. It skips those of the
-- day before `until`, of which `of_day` match, from the end that is nearer.
create function newest_leads(
  account uuid, since timestamptz, until timestamptz, of_status text, of_source text, of_priority text,
  most bigint, skipped bigint, of_day bigint
) returns table (lead uuid) language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  -- Planned for the values that are given: each filter has an index.
  matching constant text := 'from leads where account_id = $1 and created_at >= $2 and created_at < $3'
    || case when of_status is null then '' else ' and status = $4' end
    || case when of_source is null then '' else ' and source = $5' end
    || case when of_priority is null then '' else ' and priority = $6' end;
  start_at timestamptz;
  start_id uuid;
begin
  if account is distinct from acting_account() or not acting_for_all() then
    raise insufficient_privilege;
  end if;
  if skipped <= of_day / 2 then
    return query execute 'select id ' || matching || ' order by created_at desc, id desc limit $7 offset $8'
      using account, since, until, of_status, of_source, of_priority, most, skipped;
    return;
  end if;
  execute 'select created_at, id ' || matching || ' order by created_at, id limit 1 offset $7' into start_at, start_id
    using account, until - interval '1 day', until, of_status, of_source, of_priority, of_day - skipped - 1;
  return query execute
    'select id ' || matching || ' and (created_at, id) <= ($7, $8) order by created_at desc, id desc limit $9'
    using account, since, until, of_status, of_source, of_priority, start_at, start_id, most;
end
$$;
-- The leads of these users, newest first. The counts know how many match: few are collected, by the index that has the fewest of
-- them. Of many, the newest leads of the account usually include enough to fill the page. If as many of these were read as it takes
-- to read the page of each user, the latter is done.
create function newest_leads_of(
  account uuid, people uuid[], since timestamptz, until timestamptz, of_status text, of_source text, of_priority text,
  matching bigint, most bigint, skipped bigint
) returns table (lead uuid) language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  found_ids uuid[];
begin
  if may_act_for(account, people) is not true then
    raise insufficient_privilege;
  end if;
  if matching <= 10000 and (of_status is not null or of_source is not null or of_priority is not null) then
    -- Planned for these values.
    return query execute
      'with collected as materialized (
         select id, created_at from leads
         where account_id = $1 and assigned_to = any ($2) and created_at >= $3 and created_at < $4
           and ($5 is null or status = $5) and ($6 is null or source = $6) and ($7 is null or priority = $7)
       ) select id from collected order by created_at desc, id desc limit $8 offset $9'
      using account, people, since, until, of_status, of_source, of_priority, most, skipped;
    return;
  end if;
  if cardinality(people) > 3 then
    select array_agg(page.id) into found_ids from (
      select newest.id from (
        select id, created_at, assigned_to, status, source, priority from leads
        where account_id = account and created_at >= since and created_at < until
        order by created_at desc, id desc limit cardinality(people) * (most + skipped)
      ) newest
      where newest.assigned_to = any (people) and (of_status is null or newest.status = of_status)
        and (of_source is null or newest.source = of_source) and (of_priority is null or newest.priority = of_priority)
      order by newest.created_at desc, newest.id desc limit most offset skipped
    ) page;
    if cardinality(found_ids) = most then
      return query select unnest(found_ids);
      return;
    end if;
  end if;
  return query select theirs.id from unnest(people) as person, lateral (
      select id, created_at from leads
      where account_id = account and assigned_to = person and created_at >= since and created_at < until
        and (of_status is null or status = of_status) and (of_source is null or source = of_source)
        and (of_priority is null or priority = of_priority)
      order by created_at desc, id desc limit most + skipped
    ) theirs
    order by theirs.created_at desc, theirs.id desc limit most offset skipped;
end
$$;

-- Calls

-- Writes to leads that calls were added or removed: the last call, and how many more calls were made to each. Their rows are locked.
create function note_calls(account uuid, of_leads uuid[], outgoing integer[]) returns void language plpgsql as $$
begin
  update leads set attempts = attempts + noted.outgoing,
    (last_call_at, last_call_outcome) = (
      select called_at, outcome from call_logs where account_id = account and lead_id = leads.id
      order by called_at desc, id desc limit 1
    ),
    call_again_at = case when call_again_at <= (
      select max(called_at) from call_logs where account_id = account and lead_id = leads.id
    ) then null else call_again_at end
  from unnest(of_leads, outgoing) as noted (lead, outgoing)
  where account_id = account and id = noted.lead;
end
$$;

-- Creates calls with their timeline and audit entries and their counts. `new_calls` are columns of call_logs, with `summary` and
-- `details` for the timeline. Returns how many were created: those of leads that the actor sees. The lock keeps the assignee of a lead,
-- which its calls have, from changing meanwhile.
create function create_call_logs(
  account uuid, person uuid, sees text, new_calls jsonb, moment timestamptz, acting_via text, acting_via_id uuid
) returns bigint language plpgsql as $$
declare
  call record;
  assignee uuid;
  created bigint := 0;
begin
  perform act_as(account, person, sees);
  for call in
    select * from jsonb_to_recordset(new_calls) as call (
      id uuid, lead_id uuid, call_type text, duration_seconds integer, outcome text, notes text, called_at timestamptz, summary text,
      details jsonb
    )
  loop
    select assigned_to into assignee from leads where account_id = account and id = call.lead_id for no key update;
    continue when not found;
    created := created + 1;
    insert into call_logs (account_id, id, lead_id, assigned_to, call_type, duration_seconds, outcome, notes, called_at, created_at)
    values (account, call.id, call.lead_id, assignee, call.call_type, call.duration_seconds, call.outcome, call.notes, call.called_at,
      moment);
    perform note_calls(account, array[call.lead_id], array[(call.call_type = 'Outbound')::integer]);
    insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    values (account, call.lead_id, assignee, moment, 'call_logged', call.summary, call.details);
    insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
    values (account, moment, person, acting_via, acting_via_id, 'call_log.created', call.id);
    insert into call_count_changes (account_id, assigned_to, call_type, day, n)
    values (account, coalesce(assignee, '00000000-0000-0000-0000-000000000000'), call.call_type,
      (call.called_at at time zone interval '05:30')::date, 1);
  end loop;
  return created;
end
$$;

-- A value as a list shows it: texts cut at so many characters, lists at 20 values.
create function preview_of(value jsonb, most integer) returns jsonb language plpgsql immutable as $$
declare
  whole text;
begin
  case jsonb_typeof(value)
  when 'string' then
    whole := value #>> '{}';
    return case when length(whole) > most then to_jsonb(left(whole, most) || '…') else value end;
  when 'array' then
    return (select coalesce(jsonb_agg(preview_of(item, most) order by place), '[]')
      from jsonb_array_elements(value) with ordinality as items(item, place) where place <= 20);
  when 'object' then
    return (select coalesce(jsonb_object_agg(field, preview_of(item, most)), '{}')
      from jsonb_each(value) as items(field, item));
  else
    return value;
  end case;
end
$$;

-- The newest calls of a lead with the beginnings of their notes, as JSON, and how many calls it has.
create function call_previews_of_lead(account uuid, of_lead uuid, most integer, most_characters integer)
returns json language plpgsql stable as $$
begin
  return json_build_object(
    'total', (select count(*) from call_logs where account_id = account and lead_id = of_lead),
    'calls', (select coalesce(json_agg(newest), '[]') from (
      select id, lead_id, call_type, duration_seconds, outcome,
        case when length(notes) > most_characters then left(notes, most_characters) || '…' else notes end as notes,
        coalesce(length(notes) > most_characters, false) as notes_cut,
        left(to_json(called_at)#>>'{}', 19) || 'Z' as called_at, left(to_json(created_at)#>>'{}', 19) || 'Z' as created_at
      from call_logs where account_id = account and lead_id = of_lead
      order by call_logs.called_at desc, call_logs.id desc limit most
    ) newest)
  );
end
$$;

-- Deliveries

-- A contact is `phone:+919820011223`, `email:asha@example.com`, or `lead:<id>` for a lead that a replay left.
create function contact_hash(account uuid, contact text) returns bytea language sql immutable
  return sha256(convert_to(account::text || ' ' || contact, 'UTF8'));

-- A pattern for every way in which these contacts are written in a path: emails in any case, the last ten digits of a
-- phone with other characters between them. Null where there is none.
create function contact_pattern(contacts text[]) returns text language sql immutable
  return (
    select string_agg(
      case when contact like 'email:%' then regexp_replace(substr(contact, 7), '([^[:alnum:]])', '\\\1', 'g')
        else regexp_replace(right(regexp_replace(contact, '\D', '', 'g'), 10), '(\d)(?=\d)', '\1\\D{0,3}', 'g') end, '|')
    from unnest(contacts) as contact
  );

-- A pattern for these names in a path: as whole words, in any case, with or without something between them.
create function name_pattern(names text[]) returns text language sql immutable
  return (
    select string_agg('(^|[^[:alnum:]])' || regexp_replace(
      regexp_replace(btrim(name), '([^[:alnum:][:space:]])', '\\\1', 'g'), '[[:space:]]+', '[[:space:]_.+-]*', 'g'
    ) || '($|[^[:alnum:]])', '|')
    from unnest(names) as name where name ~ '[^[:space:]]'
  );

-- Removes what webhooks kept of a person, by their lead and by their contacts; that deliveries came, when and how they
-- ended stays. Called by the deletion of a lead under the lead's lock, acting for the whole account. Contacts that
-- another lead holds are that lead's. True where the settings of a webhook named the person. Their names leave the paths
-- that were seen, but no mapping: a lead may be called “Full name”, and anybody can send one.
create function forget_person(account uuid, of_lead uuid, contacts text[], names text[] default '{}')
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
  keys := array(select contact_hash(account, contact) from unnest(own || ('lead:' || of_lead)) as contact);
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

-- Records a delivery that created a lead, in the statement that creates it. Fails with 23505 if a delivery with the platform's id and the
-- same content was received before.
create function record_delivery_of_new_lead(
  account uuid, delivery uuid, of_webhook uuid, of_lead uuid, received timestamptz, sender_ip text, sent_type text, sent_body bytea,
  sent_size integer, sent_hash bytea, read_picks jsonb, read_warnings jsonb, given_platform_id text, given_reading_hash bytea
) returns boolean language plpgsql as $$
begin
  if given_platform_id is not null then
    insert into delivery_receipts (account_id, webhook_id, platform_id, reading_hash, lead_id, received_at)
    values (account, of_webhook, given_platform_id, given_reading_hash, of_lead, received)
    on conflict do nothing;
    if not found then
      raise exception using errcode = 'unique_violation', message = 'this delivery was received before';
    end if;
  end if;
  insert into deliveries (account_id, id, webhook_id, received_at, address, content_type, body, outcome, lead_id, picks, warnings,
    body_size, body_hash)
  values (account, delivery, of_webhook, received, sender_ip, sent_type, sent_body, 'created', of_lead, read_picks, read_warnings,
    sent_size, sent_hash);
  insert into delivery_count_changes (account_id, webhook_id, outcome, day, n)
  values (account, of_webhook, 'created', (received at time zone interval '05:30')::date, 1);
  return true;
end
$$;

-- Distribution

-- Takes the next turns of a rule, counting from 0. Several in one statement, and before the leads are written, so that creates do not
-- wait for each other.
create function take_turns(account uuid, rule uuid, wanted integer) returns bigint[] language plpgsql as $$
declare
  kept distribution_turns;
  reused bigint[];
  remaining bigint[];
  next bigint;
begin
  perform act_as(account, null, 'all');
  -- Not flushed by itself: the lead that uses a turn is committed later, and its flush includes this.
  perform set_config('synchronous_commit', 'off', true);
  select * into kept from distribution_turns where account_id = account and rule_id = rule for update;
  if not found then
    insert into distribution_turns (account_id, rule_id)
    select account_id, id from distribution_rules where account_id = account and id = rule for key share
    on conflict (account_id, rule_id) do nothing;
    select * into kept from distribution_turns where account_id = account and rule_id = rule for update;
  end if;
  -- A rule that was removed just now has only first turns.
  if not found then return array(select generate_series(0::bigint, wanted - 1)); end if;
  reused := kept.returned[1:wanted];
  remaining := kept.returned[wanted + 1:];
  next := kept.turns + wanted - cardinality(reused);
  update distribution_turns set turns = next, returned = remaining where account_id = account and rule_id = rule;
  return reused || array(select generate_series(kept.turns, next - 1));
end
$$;

-- Returns turns that no lead used.
create function return_turns(account uuid, rule uuid, unused bigint[]) returns void language plpgsql as $$
begin
  perform act_as(account, null, 'all');
  perform set_config('synchronous_commit', 'off', true);
  update distribution_turns
  set returned = array(select turn from unnest(returned || unused) as turn order by turn limit 1000)
  where account_id = account and rule_id = rule;
end
$$;

-- Functions with "security definer" are for the service alone.
revoke execute on function leads_with_tag, counted_days, newest_leads, newest_leads_of from public;
grant execute on function leads_with_tag, counted_days, newest_leads, newest_leads_of to lead_engine_app;
