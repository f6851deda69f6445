-- compatible: no
-- Each lead keeps the beginning of its JSON in answers of the API, without notes, which may be long, and the assignee,
-- whose email may change. Building it for each answer took most of the time of a list.
create function lead_answer_start(
  id uuid, name text, email text, phone text, company text, city text, source text, status text, priority text, tags text[],
  deal_value numeric, created_at timestamptz, updated_at timestamptz
) returns text language plpgsql immutable parallel safe as $$
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

alter table leads add column answer_start text not null generated always as (lead_answer_start(
  id, name, email, phone, company, city, source, status, priority, tags, deal_value, created_at, updated_at
)) stored;

-- All leads of an account by day, and by the fields that lists filter by: the list of an Admin reads as many rows however
-- many users there are.
create table lead_totals (
  account_id uuid not null,
  day date not null,
  slot smallint not null,
  n bigint not null,
  primary key (account_id, day, slot)
);
create table lead_field_totals (
  account_id uuid not null,
  day date not null,
  status text not null,
  source text not null,
  priority text not null,
  slot smallint not null,
  n bigint not null,
  primary key (account_id, day, status, source, priority, slot)
);
create index lead_totals_to_fold on lead_totals (account_id, day) where slot > 0;
create index lead_field_totals_to_fold on lead_field_totals (account_id, day) where slot > 0;
grant select, insert, update, delete on lead_totals, lead_field_totals to lead_engine_app;
alter table lead_totals enable row level security;
create policy visible on lead_totals to lead_engine_app using (account_id = acting_account() and acting_for_all());
alter table lead_field_totals enable row level security;
create policy visible on lead_field_totals to lead_engine_app using (account_id = acting_account() and acting_for_all());

insert into lead_totals (account_id, day, slot, n)
select account_id, day, 0, sum(n) from lead_day_counts group by account_id, day having sum(n) <> 0;
insert into lead_field_totals (account_id, day, status, source, priority, slot, n)
select account_id, day, status, source, priority, 0, sum(n) from lead_counts group by 1, 2, 3, 4, 5 having sum(n) <> 0;

-- Lists of users who see some leads read the counts of these users only.
create index lead_counts_by_assignee on lead_counts (account_id, assigned_to, day);
create index lead_day_counts_by_assignee on lead_day_counts (account_id, assigned_to, day);

-- These run as the owner of the tables: users who see some leads add to the totals of all, which they do not see.
create function count_in_total(account uuid, of_day date, count_slot smallint, leads bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if account is distinct from acting_account() then
    raise insufficient_privilege;
  end if;
  insert into lead_totals (account_id, day, slot, n) values (account, of_day, count_slot, leads)
  on conflict (account_id, day, slot) do update set n = lead_totals.n + excluded.n;
end
$$;
create function count_in_field_total(
  account uuid, of_day date, of_status text, of_source text, of_priority text, count_slot smallint, leads bigint
) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if account is distinct from acting_account() then
    raise insufficient_privilege;
  end if;
  insert into lead_field_totals (account_id, day, status, source, priority, slot, n)
  values (account, of_day, of_status, of_source, of_priority, count_slot, leads)
  on conflict (account_id, day, status, source, priority, slot) do update set n = lead_field_totals.n + excluded.n;
end
$$;
revoke execute on function count_in_total(uuid, date, smallint, bigint) from public;
revoke execute on function count_in_field_total(uuid, date, text, text, text, smallint, bigint) from public;
grant execute on function count_in_total(uuid, date, smallint, bigint) to lead_engine_app;
grant execute on function count_in_field_total(uuid, date, text, text, text, smallint, bigint) to lead_engine_app;

-- Counts one lead, as the owner of the tables: one check in place of four policies.
create or replace function count_leads(
  account uuid, of_day date, of_status text, of_source text, of_priority text, assignee uuid, count_slot smallint,
  leads bigint
) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  whose uuid := coalesce(assignee, '00000000-0000-0000-0000-000000000000');
begin
  if account is distinct from acting_account() or acting_for(whose) is not true then
    raise insufficient_privilege;
  end if;
  insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n)
  values (account, of_day, of_status, of_source, of_priority, whose, count_slot, leads)
  on conflict (account_id, day, status, source, priority, assigned_to, slot)
  do update set n = lead_counts.n + excluded.n;
  insert into lead_day_counts (account_id, day, assigned_to, slot, n)
  values (account, of_day, whose, count_slot, leads)
  on conflict (account_id, day, assigned_to, slot) do update set n = lead_day_counts.n + excluded.n;
  insert into lead_field_totals (account_id, day, status, source, priority, slot, n)
  values (account, of_day, of_status, of_source, of_priority, count_slot, leads)
  on conflict (account_id, day, status, source, priority, slot) do update set n = lead_field_totals.n + excluded.n;
  insert into lead_totals (account_id, day, slot, n) values (account, of_day, count_slot, leads)
  on conflict (account_id, day, slot) do update set n = lead_totals.n + excluded.n;
end
$$;
revoke execute on function count_leads(uuid, date, text, text, text, uuid, smallint, bigint) from public;
grant execute on function count_leads(uuid, date, text, text, text, uuid, smallint, bigint) to lead_engine_app;

-- The users whose leads the actor sees. No rows for an actor who sees all.
create function acting_people() returns setof uuid language sql stable parallel safe rows 20 as $$
  select unnest(nullif(nullif(current_setting('lead_engine.sees', true), 'all'), '')::uuid[])
$$;

-- Lists of users who see some leads of an account read many counts and skip many leads, each compared by a policy. The functions
-- below run as the owner of the tables and compare once. They return counts and ids; the leads themselves are read under the
-- policy.
create function may_act_for(account uuid, people uuid[]) returns boolean language sql stable parallel safe
  return account = acting_account() and (
    acting_for_all() or people <@ array(select acting_people())
  );

-- How many leads these users have by day.
create function counted_days(
  account uuid, people uuid[], first_day date, last_day date, of_status text, of_source text, of_priority text
) returns table (of_day date, leads bigint) language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if may_act_for(account, people) is not true then
    raise insufficient_privilege;
  end if;
  if of_status is null and of_source is null and of_priority is null then
    return query select day, sum(n::integer) from lead_day_counts
      where account_id = account and assigned_to = any (people) and day between first_day and last_day group by day;
  else
    return query select day, sum(n::integer) from lead_counts
      where account_id = account and assigned_to = any (people) and day between first_day and last_day
        and (of_status is null or status = of_status) and (of_source is null or source = of_source)
        and (of_priority is null or priority = of_priority)
      group by day;
  end if;
end
$$;

-- The leads of an account, newest first: a deep page skips the entries of an index, and not whole leads. It skips those of the day
-- before `until`, of which `of_day` match, from the end that is nearer.
create function newest_leads(
  account uuid, since timestamptz, until timestamptz, of_status text, of_source text, of_priority text,
  most bigint, skipped bigint, of_day bigint
) returns table (lead uuid) language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  newest record;
begin
  if account is distinct from acting_account() or not acting_for_all() then
    raise insufficient_privilege;
  end if;
  if skipped > of_day / 2 then
    execute
      'select created_at, id from leads where account_id = $1 and created_at >= $2 and created_at < $3
         and ($4 is null or status = $4) and ($5 is null or source = $5) and ($6 is null or priority = $6)
       order by created_at, id limit 1 offset $7'
      into newest
      using account, until - interval '1 day', until, of_status, of_source, of_priority, of_day - skipped - 1;
    return query execute
      'select id from leads where account_id = $1 and created_at >= $2 and (created_at, id) <= ($3, $4)
         and ($5 is null or status = $5) and ($6 is null or source = $6) and ($7 is null or priority = $7)
       order by created_at desc, id desc limit $8'
      using account, since, newest.created_at, newest.id, of_status, of_source, of_priority, most;
  elsif of_status is null and of_source is null and of_priority is null then
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
end
$$;

-- The leads of these users, newest first. The counts know how many match: few are collected, by the index that has the fewest of
-- them; of many, each user's leads are read in order until the page is full.
create function newest_leads_of(
  account uuid, people uuid[], since timestamptz, until timestamptz, of_status text, of_source text, of_priority text,
  matching bigint, most bigint, skipped bigint
) returns table (lead uuid) language plpgsql stable security definer set search_path = public, pg_temp as $$
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
  else
    return query select theirs.id from unnest(people) as person, lateral (
        select id, created_at from leads
        where account_id = account and assigned_to = person and created_at >= since and created_at < until
          and (of_status is null or status = of_status) and (of_source is null or source = of_source)
          and (of_priority is null or priority = of_priority)
        order by created_at desc, id desc limit most + skipped
      ) theirs
      order by theirs.created_at desc, theirs.id desc limit most offset skipped;
  end if;
end
$$;
revoke execute on function newest_leads(uuid, timestamptz, timestamptz, text, text, text, bigint, bigint, bigint) from public;
grant execute on function newest_leads(uuid, timestamptz, timestamptz, text, text, text, bigint, bigint, bigint) to lead_engine_app;
revoke execute on function counted_days(uuid, uuid[], date, date, text, text, text) from public;
revoke execute on function
  newest_leads_of(uuid, uuid[], timestamptz, timestamptz, text, text, text, bigint, bigint, bigint) from public;
grant execute on function counted_days(uuid, uuid[], date, date, text, text, text) to lead_engine_app;
grant execute on function
  newest_leads_of(uuid, uuid[], timestamptz, timestamptz, text, text, text, bigint, bigint, bigint) to lead_engine_app;
