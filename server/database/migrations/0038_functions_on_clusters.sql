-- compatible: yes
-- Functions in SQL are planned for each call, and a Citus cluster cannot plan those that read tables. These are in PL/pgSQL.
create or replace function calls_of_lead(account uuid, of_lead uuid, most integer) returns json language plpgsql stable as $$
begin
  return json_build_object(
    'total', (select count(*) from call_logs where account_id = account and lead_id = of_lead),
    'calls', (select coalesce(json_agg(newest), '[]') from (
      select id, lead_id, call_type, duration_seconds, outcome, notes,
        left(to_json(called_at)#>>'{}', 19) || 'Z' as called_at, left(to_json(created_at)#>>'{}', 19) || 'Z' as created_at
      from call_logs where account_id = account and lead_id = of_lead
      order by call_logs.called_at desc, call_logs.id desc limit most
    ) newest)
  );
end
$$;

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

create or replace function leads_with_tag(account uuid, tag text, most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select id from leads
    where account_id = account and account_id = acting_account() and acting_for(assigned_to)
      and tags <> '{}' and tag_terms(account_id, tags) @> array[account::text || ' ' || lower(tag)]
    limit most;
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
