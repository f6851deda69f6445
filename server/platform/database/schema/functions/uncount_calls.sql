-- Subtracts the calls of a lead that is deleted.
create or replace function uncount_calls(account uuid, of_lead uuid) returns void language plpgsql as $$
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
