-- The newest calls of a lead as JSON, and how many calls it has: with the beginnings of their notes, who called, whether there is a
-- recording that a browser opens, and the review of the call, if the user who reads is who called, a Manager or an Admin.
create or replace function call_previews_of_lead(account uuid, of_lead uuid, most integer, most_characters integer)
returns json language plpgsql stable as $$
declare
  is_agent boolean := coalesce((select role = 'Agent' from users where account_id = account and id = acting_person()), false);
begin
  return json_build_object(
    'total', (select count(*) from call_logs where account_id = account and lead_id = of_lead),
    'calls', (select coalesce(json_agg(newest), '[]') from (
      select id, lead_id, call_type, duration_seconds, outcome,
        case when length(notes) > most_characters then left(notes, most_characters) || '…' else notes end as notes,
        coalesce(length(notes) > most_characters, false) as notes_cut,
        (select email from users where account_id = account and users.id = call_logs.called_by) as called_by,
        (select name from users where account_id = account and users.id = call_logs.called_by) as called_by_name,
        agent, coalesce(recording_url ~* '^https?://', false) as has_recording,
        case when review is not null and (not is_agent or called_by = acting_person()) then json_build_object('mark', review,
          'remark', review_remark, 'at', left(to_json(reviewed_at)#>>'{}', 19) || 'Z',
          'by', (select name from users where account_id = account and users.id = call_logs.reviewed_by)) end as review,
        left(to_json(called_at)#>>'{}', 19) || 'Z' as called_at, left(to_json(created_at)#>>'{}', 19) || 'Z' as created_at
      from call_logs where account_id = account and lead_id = of_lead
      order by call_logs.called_at desc, call_logs.id desc limit most
    ) newest)
  );
end
$$;
