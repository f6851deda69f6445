-- Reassigns at most so many leads of a user, with their calls, timelines and counts. Returns how many. A lead that another transaction
-- holds is left for a later batch. Each lead is changed at least a second after its last change, at a whole second.
create or replace function reassign_some_leads(
  account uuid, from_person uuid, to_person uuid, moment timestamptz, entry_summary text, entry_details jsonb, most integer
) returns bigint language plpgsql as $$
declare
  moved uuid[];
  changed record;
begin
  moved := array(
    select id from leads where account_id = account and assigned_to = from_person
    order by created_at desc, id desc limit most for update skip locked
  );
  if cardinality(moved) = 0 then
    return 0;
  end if;
  for changed in
    select whose, status, source, priority, (created_at at time zone interval '05:30')::date as day, sum(sign) as n
    from leads, (values
      (from_person, -1), (coalesce(to_person, '00000000-0000-0000-0000-000000000000'), 1)
    ) as side (whose, sign)
    where account_id = account and id = any (moved)
    group by 1, 2, 3, 4, 5
  loop
    insert into lead_count_changes (account_id, assigned_to, status, source, priority, day, n)
    values (account, changed.whose, changed.status, changed.source, changed.priority, changed.day, changed.n);
  end loop;
  perform reassign_calls(account, moved, to_person);
  update timeline_entries set assigned_to = to_person where account_id = account and lead_id = any (moved);
  -- EXECUTE, because PL/pgSQL would need a place for what is returned.
  execute 'insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    select $1, lead, $2, $3, ''reassigned'', $4, $5 from unnest($6) as lead returning 1'
    using account, to_person, moment, entry_summary, entry_details, moved;
  update leads set assigned_to = to_person, answer_start = null,
    updated_at = greatest(date_trunc('second', moment), updated_at + interval '1 second')
  where account_id = account and id = any (moved);
  return cardinality(moved);
end
$$;
