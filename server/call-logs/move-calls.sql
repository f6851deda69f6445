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
