-- compatible: yes
-- When the owner of a lead wants to call it again. A call at that time or later empties it.
alter table leads add column call_again_at timestamptz(0);

-- The queue of an owner: uncalled leads, missed calls to call back, calls that are due, and leads that were not reached.
create index leads_to_call_first on leads (account_id, assigned_to, created_at desc, id desc)
  where status = 'New' and last_call_at is null and call_again_at is null;
create index leads_to_call_again on leads (account_id, assigned_to, call_again_at, id) where call_again_at is not null;
create index leads_not_reached on leads (account_id, assigned_to, last_call_at, id)
  where last_call_outcome in ('No Answer', 'Busy', 'Voicemail') and status not in ('Won', 'Lost') and call_again_at is null;
create index call_logs_missed_by_assignee on call_logs (account_id, assigned_to, called_at desc, id desc)
  where call_type = 'Inbound' and (duration_seconds = 0 or outcome = 'Missed');

-- Writes to leads that calls were added or removed: the last call, and how many more calls were made to each. Their rows
-- are locked.
create or replace function note_calls(account uuid, of_leads uuid[], outgoing integer[]) returns void language plpgsql as $$
begin
  update leads set attempts = attempts + noted.outgoing,
    (last_call_at, last_call_outcome) = (
      select called_at, outcome from call_logs where account_id = account and lead_id = leads.id
      order by called_at desc, id desc limit 1
    ),
    call_again_at = case when call_again_at <= (
      select max(called_at) from call_logs where account_id = account and lead_id = leads.id
    ) then null else call_again_at end
  from unnest(of_leads, outgoing) as noted (lead, outgoing)
  where account_id = account and id = noted.lead;
end
$$;
