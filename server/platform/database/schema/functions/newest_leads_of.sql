-- The leads of these users, newest first. The counts know how many match: few are collected, by the index that has the fewest of
-- them. Of many, the newest leads of the account usually include enough to fill the page. If as many of these were read as it takes
-- to read the page of each user, the latter is done.
create or replace function newest_leads_of(
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
revoke execute on function newest_leads_of from public;
grant execute on function newest_leads_of to lead_engine_app;
