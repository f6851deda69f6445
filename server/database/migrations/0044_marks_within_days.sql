-- compatible: no
-- A page far into a list skipped the leads of its day one by one, half a million of them if a million were imported on one day.

-- Every so many leads of a day, oldest first: of all its leads, and of those with one status, source or priority. Only of leads that
-- were created until `through`, so that new leads change nothing.
create table lead_marks (
  account_id uuid not null,
  day date not null,
  field text not null,
  value text not null,
  step integer not null,
  requested_at timestamptz not null,
  through timestamptz not null,
  -- How many leads were marked; null until they are.
  n bigint,
  times timestamptz[] not null default '{}',
  leads uuid[] not null default '{}',
  primary key (account_id, day, field, value)
);
grant select, insert, update, delete on lead_marks to lead_engine_app;
alter table lead_marks enable row level security;
create policy visible on lead_marks to lead_engine_app using (account_id = acting_account() and acting_for_all());

-- Deletes the marks that a change of a lead makes wrong. Runs as the owner of the tables, because users who see some leads change
-- the positions of all.
create function forget_lead_marks(account uuid, of_day date, of_field text, of_value text, created timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if account is distinct from acting_account() then
    raise insufficient_privilege;
  end if;
  delete from lead_marks
  where account_id = account and day = of_day and field = of_field and value = of_value and through >= created;
end
$$;
revoke execute on function forget_lead_marks(uuid, date, text, text, timestamptz) from public;
grant execute on function forget_lead_marks(uuid, date, text, text, timestamptz) to lead_engine_app;

create or replace function create_new_lead(
  account uuid, person uuid, sees text,
  new_id uuid, new_name text, new_email text, new_email_key text, new_phone text, new_phone_key text, new_company text,
  new_city text, new_source text, new_status text, new_priority text, new_tags text[], new_deal_value numeric,
  new_notes text, assignee uuid, moment timestamptz, ist_day date, count_slot smallint,
  entry_summary text, entry_details jsonb, acting_via text, acting_via_id uuid
) returns boolean language plpgsql as $$
begin
  perform act_as(account, person, sees);
  insert into leads (account_id, id, name, email, email_key, phone, phone_key, company, city, source, status, priority,
    tags, deal_value, notes, assigned_to, created_at, updated_at)
  values (account, new_id, new_name, new_email, new_email_key, new_phone, new_phone_key, new_company, new_city,
    new_source, new_status, new_priority, new_tags, new_deal_value, new_notes, assignee, moment, moment)
  on conflict do nothing;
  if not found then
    return false;
  end if;
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  values (account, new_id, assignee, moment, 'created', entry_summary, entry_details);
  insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
  values (account, moment, person, acting_via, acting_via_id, 'lead.created', new_id);
  perform note_assignment(account, new_id, assignee, person, acting_via, moment);
  perform count_leads(account, ist_day, new_status, new_source, new_priority, assignee, count_slot, 1);
  -- Leads of the last ten minutes are never marked.
  if moment < now() - interval '5 minutes' then
    perform forget_lead_marks(account, ist_day, field, value, moment) from (
      values ('all', ''), ('priority', new_priority), ('source', new_source), ('status', new_status)
    ) as changed (field, value);
  end if;
  return true;
end
$$;

-- The leads of an account, newest first: a deep page skips the entries of an index, and not whole leads. It starts at a mark of the
-- day before `until`, of which `of_day` leads match. Without a mark it skips those of the day from the end that is nearer.
create or replace function newest_leads(
  account uuid, since timestamptz, until timestamptz, of_status text, of_source text, of_priority text,
  most bigint, skipped bigint, of_day bigint
) returns table (lead uuid) language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  from_oldest bigint := of_day - skipped;
  start_at timestamptz;
  start_id uuid;
  to_skip bigint;
begin
  if account is distinct from acting_account() or not acting_for_all() then
    raise insufficient_privilege;
  end if;
  if num_nonnulls(of_status, of_source, of_priority) < 2 then
    select times[mark], leads[mark], mark * step - from_oldest into start_at, start_id, to_skip from (
      select times, leads, step, (from_oldest + step - 1) / step as mark from lead_marks
      where account_id = account and day = ((until - interval '1 day') at time zone interval '05:30')::date
        and field = case when of_status is not null then 'status' when of_source is not null then 'source'
          when of_priority is not null then 'priority' else 'all' end
        and value = coalesce(of_status, of_source, of_priority, '')
    ) of_filter;
  end if;
  if start_id is null and skipped > of_day / 2 then
    execute
      'select created_at, id, 0 from leads where account_id = $1 and created_at >= $2 and created_at < $3
         and ($4 is null or status = $4) and ($5 is null or source = $5) and ($6 is null or priority = $6)
       order by created_at, id limit 1 offset $7'
      into start_at, start_id, to_skip
      using account, until - interval '1 day', until, of_status, of_source, of_priority, from_oldest - 1;
  end if;
  if start_id is null then
    if of_status is null and of_source is null and of_priority is null then
      return query select id from leads where account_id = account and created_at >= since and created_at < until
        order by created_at desc, id desc limit most offset skipped;
    else
      -- Planned for these values: each filter has an index.
      return query execute
        'select id from leads where account_id = $1 and created_at >= $2 and created_at < $3
           and ($4 is null or status = $4) and ($5 is null or source = $5) and ($6 is null or priority = $6)
         order by created_at desc, id desc limit $7 offset $8'
        using account, since, until, of_status, of_source, of_priority, most, skipped;
    end if;
  elsif num_nonnulls(of_status, of_source, of_priority) > 1 then
    return query execute
      'select id from leads where account_id = $1 and created_at >= $2 and (created_at, id) <= ($3, $4)
         and ($5 is null or status = $5) and ($6 is null or source = $6) and ($7 is null or priority = $7)
       order by created_at desc, id desc limit $8'
      using account, since, start_at, start_id, of_status, of_source, of_priority, most;
  elsif of_status is not null then
    return query select id from leads
      where account_id = account and status = of_status and created_at >= since and (created_at, id) <= (start_at, start_id)
      order by created_at desc, id desc limit most offset to_skip;
  elsif of_source is not null then
    return query select id from leads
      where account_id = account and source = of_source and created_at >= since and (created_at, id) <= (start_at, start_id)
      order by created_at desc, id desc limit most offset to_skip;
  elsif of_priority is not null then
    return query select id from leads
      where account_id = account and priority = of_priority and created_at >= since and (created_at, id) <= (start_at, start_id)
      order by created_at desc, id desc limit most offset to_skip;
  else
    return query select id from leads
      where account_id = account and created_at >= since and (created_at, id) <= (start_at, start_id)
      order by created_at desc, id desc limit most offset to_skip;
  end if;
end
$$;
