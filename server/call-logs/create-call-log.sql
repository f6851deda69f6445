-- A call log with its timeline entry, audit entry and count, in one round trip. False when there is no such lead for
-- this actor. The share lock keeps the lead's assignee, which the call log carries, from changing meanwhile.
create or replace function create_call_log(
  account uuid, person uuid, sees text,
  new_id uuid, of_lead uuid, new_call_type text, new_duration integer, new_outcome text, new_notes text,
  new_called_at timestamptz, moment timestamptz, ist_day date, count_slot smallint,
  entry_summary text, entry_details jsonb, acting_via text, acting_via_id uuid
) returns boolean language plpgsql as $$
declare
  assignee uuid;
begin
  perform act_as(account, person, sees);
  select assigned_to into assignee from leads where account_id = account and id = of_lead for share;
  if not found then
    return false;
  end if;
  insert into call_logs (account_id, id, lead_id, assigned_to, call_type, duration_seconds, outcome, notes, called_at,
    created_at)
  values (account, new_id, of_lead, assignee, new_call_type, new_duration, new_outcome, new_notes, new_called_at, moment);
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  values (account, of_lead, assignee, moment, 'call_logged', entry_summary, entry_details);
  insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
  values (account, moment, person, acting_via, acting_via_id, 'call_log.created', new_id);
  insert into call_counts (account_id, day, call_type, assigned_to, slot, n)
  values (account, ist_day, new_call_type, coalesce(assignee, '00000000-0000-0000-0000-000000000000'), count_slot, 1)
  on conflict (account_id, day, call_type, assigned_to, slot) do update set n = call_counts.n + excluded.n;
  return true;
end
$$;
