-- compatible: yes
-- Counts of calls are written in one slot and in the order of their keys: two transactions that lock them in different
-- orders would deadlock.
create or replace function reassign_calls(account uuid, of_lead uuid, assignee uuid) returns void language plpgsql as $$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  count_slot constant smallint := 1 + floor(random() * 7);
begin
  with counted as (
    select (called_at at time zone interval '05:30')::date as day, call_type, assigned_to, count(*) as n
    from call_logs where account_id = account and lead_id = of_lead group by 1, 2, 3
  ), both_sides as (
    select day, call_type, coalesce(assigned_to, nobody) as whose, -n as n from counted
    union all select day, call_type, coalesce(assignee, nobody), n from counted
  )
  insert into call_counts (account_id, day, call_type, assigned_to, slot, n)
  select account, day, call_type, whose, count_slot, sum(n) from both_sides
  group by 2, 3, 4 having sum(n) <> 0 order by 2, 3, 4
  on conflict (account_id, day, call_type, assigned_to, slot) do update set n = call_counts.n + excluded.n;
  update call_logs set assigned_to = assignee where account_id = account and lead_id = of_lead;
end
$$;

create or replace function uncount_calls(account uuid, of_lead uuid) returns void language plpgsql as $$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  count_slot constant smallint := 1 + floor(random() * 7);
begin
  insert into call_counts (account_id, day, call_type, assigned_to, slot, n)
  select account, (called_at at time zone interval '05:30')::date, call_type, coalesce(assigned_to, nobody), count_slot, -count(*)
  from call_logs where account_id = account and lead_id = of_lead group by 2, 3, 4 order by 2, 3, 4
  on conflict (account_id, day, call_type, assigned_to, slot) do update set n = call_counts.n + excluded.n;
end
$$;
