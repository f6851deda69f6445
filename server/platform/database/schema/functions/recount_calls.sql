-- Counts again what a lead keeps of its calls, after calls moved to or from it.
create or replace function recount_calls(account uuid, of_lead uuid) returns void language plpgsql as $$
begin
  update leads set attempts = (
      select count(*) from call_logs where account_id = account and lead_id = of_lead and call_type = 'Outbound'
    ), (last_call_at, last_call_outcome) = (
      select called_at, outcome from call_logs where account_id = account and lead_id = of_lead
      order by called_at desc, id desc limit 1
    ), first_call_at = (
      select min(called_at) from call_logs where account_id = account and lead_id = of_lead and called_at >= leads.created_at
    ), no_next_step = case when call_again_set_at < (
      select max(called_at) from call_logs where account_id = account and lead_id = of_lead
    ) then null else no_next_step end
  where account_id = account and id = of_lead;
end
$$;
