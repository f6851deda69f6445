-- Hands all leads of a person to another, or to nobody: the leads, what carries their assignee, and the counts. Called
-- by the deactivation of a person. Set by set, for a person may have ten thousands; in a slot of the counts that single
-- leads never write to, so that nobody has to wait for it.
create or replace function reassign_leads(
  account uuid, from_person uuid, to_person uuid, moment timestamptz, entry_summary text, entry_details jsonb
) returns bigint language plpgsql as $$
declare
  moved uuid[];
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  bulk constant smallint := 8;
begin
  moved := array(select id from leads where account_id = account and assigned_to = from_person order by id for update);
  with counted as (
    select (created_at at time zone interval '05:30')::date as day, status, source, priority, count(*) as n
    from leads where account_id = account and assigned_to = from_person and id = any (moved) group by 1, 2, 3, 4
  ), both_sides as (
    select day, status, source, priority, from_person as whose, -n as n from counted
    union all select day, status, source, priority, coalesce(to_person, nobody), n from counted
  ), by_day as (
    insert into lead_day_counts (account_id, day, assigned_to, slot, n)
    select account, day, whose, bulk, sum(n) from both_sides group by day, whose order by day, whose
    on conflict (account_id, day, assigned_to, slot) do update set n = lead_day_counts.n + excluded.n
  )
  insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n)
  select account, day, status, source, priority, whose, bulk, n from both_sides order by 2, 3, 4, 5, 6
  on conflict (account_id, day, status, source, priority, assigned_to, slot)
  do update set n = lead_counts.n + excluded.n;
  perform reassign_calls_of(account, moved, to_person);
  update timeline_entries set assigned_to = to_person
  from unnest(moved) as lead where account_id = account and lead_id = lead;
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  select account, lead, to_person, moment, 'reassigned', entry_summary, entry_details from unnest(moved) as lead;
  update leads set assigned_to = to_person, updated_at = moment
  from unnest(moved) as lead where account_id = account and id = lead;
  return coalesce(array_length(moved, 1), 0);
end
$$;
