-- The newest calls of a lead as JSON, and how many it has: for the lead's page. With the rights of whoever asks.
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
