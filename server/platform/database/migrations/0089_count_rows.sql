-- compatible: no
-- Counts the rows of a database or a backup of version 0.2. A new one has none. Account by account, as a cluster requires.
do $$
declare
  account uuid;
begin
  for account in select id from accounts loop
    insert into lead_counts (account_id, assigned_to, status, source, priority, day, n)
    select account, whose, status, source, priority, day, count(*)
    from leads, lateral (
      select coalesce(assigned_to, '00000000-0000-0000-0000-000000000000') as whose,
        (created_at at time zone interval '05:30')::date as day
    ) of_lead
    where account_id = account
    group by day, grouping sets (
      (), (whose), (status), (source), (priority), (status, source, priority), (whose, status, source, priority)
    );
    insert into call_counts (account_id, assigned_to, call_type, day, n)
    select account, whose, call_type, day, count(*)
    from call_logs, lateral (
      select coalesce(assigned_to, '00000000-0000-0000-0000-000000000000') as whose,
        (called_at at time zone interval '05:30')::date as day
    ) of_call
    where account_id = account
    group by day, grouping sets ((), (whose), (call_type), (whose, call_type));
    insert into delivery_counts (account_id, webhook_id, outcome, day, n)
    select account, webhook_id, outcome, (received_at at time zone interval '05:30')::date, count(*)
    from deliveries where account_id = account group by 2, 3, 4;
  end loop;
end
$$;
