-- Creates calls with their timeline and audit entries and their counts. `new_calls` are columns of call_logs, with `summary` and
-- `details` for the timeline. Returns how many were created: those of leads that the actor sees. The lock keeps the assignee of a lead,
-- which its calls have, from changing meanwhile. The owner is notified of a missed call.
create or replace function create_call_logs(
  account uuid, person uuid, sees text, new_calls jsonb, moment timestamptz, acting_via text, acting_via_id uuid
) returns bigint language plpgsql as $$
declare
  call record;
  assignee uuid;
  recipient uuid;
  created bigint := 0;
begin
  perform act_as(account, person, sees);
  for call in
    select * from jsonb_to_recordset(new_calls) as call (
      id uuid, lead_id uuid, call_type text, duration_seconds integer, outcome text, notes text, called_at timestamptz, called_by uuid,
      by_owner boolean, agent text, recording_url text, summary text, details jsonb, unless_reported boolean
    )
  loop
    select assigned_to into assignee from leads where account_id = account and id = call.lead_id for no key update;
    continue when not found;
    continue when call.unless_reported and exists (
      select from phone_calls reported join call_logs log on log.account_id = account and log.id = reported.call_log_id
      where reported.account_id = account and reported.lead_id = call.lead_id and not reported.facts ? 'logged'
        and reported.started_at between call.called_at - interval '2 days' and call.called_at + interval '2 minutes'
        and greatest(log.called_at + make_interval(secs => log.duration_seconds), (reported.facts #>> '{ended_at,value}')::timestamptz)
          + interval '2 minutes' >= call.called_at
    );
    created := created + 1;
    insert into call_logs (account_id, id, lead_id, assigned_to, call_type, duration_seconds, outcome, notes, called_at, created_at,
      called_by, agent, recording_url)
    values (account, call.id, call.lead_id, assignee, call.call_type, call.duration_seconds, call.outcome, call.notes, call.called_at,
      moment, case when call.by_owner then coalesce(assignee, call.called_by) else call.called_by end, call.agent, call.recording_url);
    perform note_calls(account, array[call.lead_id], array[(call.call_type = 'Outbound')::integer]);
    insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    values (account, call.lead_id, assignee, moment, 'call_logged', call.summary, call.details);
    insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
    values (account, moment, person, acting_via, acting_via_id, 'call_log.created', call.id);
    insert into call_count_changes (account_id, assigned_to, call_type, day, n)
    values (account, coalesce(assignee, '00000000-0000-0000-0000-000000000000'), call.call_type,
      (call.called_at at time zone interval '05:30')::date, 1);
    -- Not what a user logs in the web app, nor imports and commands. Without an active owner, the Admins are notified.
    if acting_via in ('api_key', 'webhook') and call.call_type = 'Inbound' and (call.duration_seconds = 0 or call.outcome = 'Missed')
      and call.called_at > moment - interval '1 hour'
    then
      for recipient in
        select id from users where account_id = account and deactivated_at is null
          and (id = assignee or (role = 'Admin' and not exists (
            select from users as owner where owner.account_id = account and owner.id = assignee and owner.deactivated_at is null
          ))) order by created_at, id limit 50
      loop
        insert into notices (account_id, kind, user_id, lead_id, about, at, notify_at)
        values (account, 'missed_call', recipient, call.lead_id, jsonb_build_object('call_log_id', call.id), call.called_at, moment);
      end loop;
    end if;
  end loop;
  return created;
end
$$;
