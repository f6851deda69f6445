-- compatible: yes
-- Reminders of calls that were promised: when call_again_at was set, when its next reminder is due (null: none is), and when the first
-- one was sent.
alter table leads
  add column call_again_set_at timestamptz(0),
  add column remind_at timestamptz(0),
  add column reminded_at timestamptz(0);
update leads set remind_at = call_again_at where call_again_at > now() and status not in ('Won', 'Lost');
create index leads_to_remind on leads (account_id, remind_at) where remind_at is not null;

-- As before, and a call up to 15 minutes early, made after the time to call again was set, clears it too.
create or replace function note_calls(account uuid, of_leads uuid[], outgoing integer[]) returns void language plpgsql as $$
begin
  update leads set attempts = attempts + noted.outgoing,
    (last_call_at, last_call_outcome) = (
      select called_at, outcome from call_logs where account_id = account and lead_id = leads.id
      order by called_at desc, id desc limit 1
    ),
    call_again_at = case when call_again_at <= (
      select max(called_at) from call_logs where account_id = account and lead_id = leads.id
    ) or exists (
      select from call_logs where account_id = account and lead_id = leads.id
        and called_at >= leads.call_again_at - interval '15 minutes' and called_at > leads.call_again_set_at
        and not (call_type = 'Inbound' and (duration_seconds = 0 or outcome = 'Missed'))
    ) then null else call_again_at end
  from unnest(of_leads, outgoing) as noted (lead, outgoing)
  where account_id = account and id = noted.lead;
end
$$;
