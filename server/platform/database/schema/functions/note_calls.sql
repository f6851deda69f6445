-- Writes to leads that calls were added or removed: the last and the first call, and how many more calls were made to each. A call up to
-- 15 minutes before the time to call again, made after that time was set, clears it too, and any later call clears a reason for no next
-- step. Their rows are locked.
create or replace function note_calls(account uuid, of_leads uuid[], outgoing integer[]) returns void language plpgsql as $$
begin
  update leads set attempts = attempts + noted.outgoing,
    (last_call_at, last_call_outcome) = (
      select called_at, outcome from call_logs where account_id = account and lead_id = leads.id
      order by called_at desc, id desc limit 1
    ),
    first_call_at = (
      select min(called_at) from call_logs
      where account_id = account and lead_id = leads.id and called_at >= leads.created_at
    ),
    call_again_at = case when call_again_at <= (
      select max(called_at) from call_logs where account_id = account and lead_id = leads.id
    ) or exists (
      select from call_logs where account_id = account and lead_id = leads.id
        and called_at >= leads.call_again_at - interval '15 minutes' and called_at > leads.call_again_set_at
        and not (call_type = 'Inbound' and (duration_seconds = 0 or outcome = 'Missed'))
    ) then null else call_again_at end,
    no_next_step = case when call_again_set_at < (
      select max(called_at) from call_logs where account_id = account and lead_id = leads.id
    ) then null else no_next_step end
  from unnest(of_leads, outgoing) as noted (lead, outgoing)
  where account_id = account and id = noted.lead;
end
$$;
