-- How many leads these users have by day.
create or replace function counted_days(
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
revoke execute on function counted_days from public;
grant execute on function counted_days to lead_engine_app;
