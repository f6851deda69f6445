-- compatible: no
-- Turns are handed out before the lead is written, several in one statement, so that creates do not wait for each other.
-- A turn that no lead used comes back here and is handed out first.
alter table distribution_turns add column returned bigint[] not null default '{}';

create function take_turns(account uuid, rule uuid, wanted integer) returns bigint[] language plpgsql as $$
declare
  kept distribution_turns;
  reused bigint[];
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
  update distribution_turns
  set turns = kept.turns + wanted - cardinality(reused), returned = kept.returned[wanted + 1:]
  where account_id = account and rule_id = rule;
  return reused || array(select generate_series(kept.turns, kept.turns + wanted - cardinality(reused) - 1));
end
$$;

create function return_turns(account uuid, rule uuid, unused bigint[]) returns void language plpgsql as $$
begin
  perform act_as(account, null, 'all');
  perform set_config('synchronous_commit', 'off', true);
  update distribution_turns
  set returned = array(select turn from unnest(returned || unused) as turn order by turn limit 1000)
  where account_id = account and rule_id = rule;
end
$$;
