-- compatible: yes
-- A function in SQL is planned for each call, and a Citus cluster cannot plan one that reads tables: in PL/pgSQL instead.
create or replace function call_previews_of_lead(account uuid, of_lead uuid, most integer, most_characters integer)
returns json language plpgsql stable as $$
begin
  return json_build_object(
    'total', (select count(*) from call_logs where account_id = account and lead_id = of_lead),
    'calls', (select coalesce(json_agg(newest), '[]') from (
      select id, lead_id, call_type, duration_seconds, outcome,
        case when length(notes) > most_characters then left(notes, most_characters) || '…' else notes end as notes,
        coalesce(length(notes) > most_characters, false) as notes_cut,
        left(to_json(called_at)#>>'{}', 19) || 'Z' as called_at, left(to_json(created_at)#>>'{}', 19) || 'Z' as created_at
      from call_logs where account_id = account and lead_id = of_lead
      order by call_logs.called_at desc, call_logs.id desc limit most
    ) newest)
  );
end
$$;

-- Citus ends the server process for expressions of a record in an UPDATE.
create or replace function take_turns(account uuid, rule uuid, wanted integer) returns bigint[] language plpgsql as $$
declare
  kept distribution_turns;
  reused bigint[];
  remaining bigint[];
  next bigint;
begin
  perform act_as(account, null, 'all');
  -- Not flushed by itself: the lead that uses a turn is committed later, and its flush includes this.
  perform set_config('synchronous_commit', 'off', true);
  select * into kept from distribution_turns where account_id = account and rule_id = rule for update;
  if not found then
    insert into distribution_turns (account_id, rule_id)
    select account_id, id from distribution_rules where account_id = account and id = rule for key share
    on conflict (account_id, rule_id) do nothing;
    select * into kept from distribution_turns where account_id = account and rule_id = rule for update;
  end if;
  -- A rule that was removed just now has only first turns.
  if not found then return array(select generate_series(0::bigint, wanted - 1)); end if;
  reused := kept.returned[1:wanted];
  remaining := kept.returned[wanted + 1:];
  next := kept.turns + wanted - cardinality(reused);
  update distribution_turns set turns = next, returned = remaining where account_id = account and rule_id = rule;
  return reused || array(select generate_series(kept.turns, next - 1));
end
$$;

-- A cluster inserts selected rows if they come from tables of the account, or with RETURNING.
create or replace function reassign_some_leads(
  account uuid, from_person uuid, to_person uuid, moment timestamptz, entry_summary text, entry_details jsonb, most integer
) returns bigint language plpgsql as $$
declare
  moved uuid[];
  receiver constant uuid := coalesce(to_person, '00000000-0000-0000-0000-000000000000');
  bulk constant smallint := 8;
begin
  moved := array(
    select id from leads where account_id = account and assigned_to = from_person
    order by created_at desc, id desc limit most for update skip locked
  );
  if cardinality(moved) = 0 then
    return 0;
  end if;
  insert into lead_day_counts (account_id, day, assigned_to, slot, n)
  select account_id, (created_at at time zone interval '05:30')::date, whose, bulk, sum(sign)
  from leads, (values (from_person, -1), (receiver, 1)) as side (whose, sign)
  where account_id = account and id = any (moved)
  group by 1, 2, 3 having sum(sign) <> 0 order by 2, 3
  on conflict (account_id, day, assigned_to, slot) do update set n = lead_day_counts.n + excluded.n;
  insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n)
  select account_id, (created_at at time zone interval '05:30')::date, status, source, priority, whose, bulk, sum(sign)
  from leads, (values (from_person, -1), (receiver, 1)) as side (whose, sign)
  where account_id = account and id = any (moved)
  group by 1, 2, 3, 4, 5, 6 having sum(sign) <> 0 order by 2, 3, 4, 5, 6
  on conflict (account_id, day, status, source, priority, assigned_to, slot)
  do update set n = lead_counts.n + excluded.n;
  perform reassign_calls_of(account, moved, to_person);
  update timeline_entries set assigned_to = to_person where account_id = account and lead_id = any (moved);
  -- EXECUTE, because PL/pgSQL would need a place for what is returned.
  execute 'insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    select $1, lead, $2, $3, ''reassigned'', $4, $5 from unnest($6) as lead returning 1'
    using account, to_person, moment, entry_summary, entry_details, moved;
  update leads set assigned_to = to_person, updated_at = moment where account_id = account and id = any (moved);
  return cardinality(moved);
end
$$;
