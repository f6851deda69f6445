-- Gives the calls and the other contacts of leads the assignee of their lead. Calls keep the one that they had.
create or replace function reassign_calls(account uuid, of_leads uuid[], assignee uuid) returns void language plpgsql as $$
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
  update call_logs set assigned_to = assignee,
    assignee_at_call = nullif(
      coalesce(assignee_at_call, assigned_to, '00000000-0000-0000-0000-000000000000'),
      coalesce(assignee, '00000000-0000-0000-0000-000000000000')
    )
  where account_id = account and lead_id = any (of_leads) and assigned_to is distinct from assignee;
  update phone_calls set assigned_to = assignee where account_id = account and lead_id = any (of_leads);
  update lead_contacts set assigned_to = assignee where account_id = account and lead_id = any (of_leads);
end
$$;
