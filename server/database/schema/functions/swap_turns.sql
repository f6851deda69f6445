-- Writes the turns of a rule, as {credits, taken}, if they are still as expected, and returns null. Otherwise it returns what they are, so
-- that they are computed again. A rule that was removed just now has none, and nothing is written.
create or replace function swap_turns(account uuid, rule uuid, expected jsonb, changed jsonb) returns jsonb language plpgsql as $$
declare
  kept jsonb;
begin
  perform act_as(account, null, 'all');
  -- Not flushed by itself: the lead that uses it is committed later, and its flush includes this.
  perform set_config('synchronous_commit', 'off', true);
  select jsonb_build_object('credits', credits, 'taken', taken) into kept
  from distribution_turns where account_id = account and rule_id = rule for update;
  if not found then
    insert into distribution_turns (account_id, rule_id)
    select account_id, id from distribution_rules where account_id = account and id = rule for key share
    on conflict (account_id, rule_id) do nothing;
    select jsonb_build_object('credits', credits, 'taken', taken) into kept
    from distribution_turns where account_id = account and rule_id = rule for update;
    if not found then return null; end if;
  end if;
  if kept is distinct from expected then return kept; end if;
  update distribution_turns set credits = changed -> 'credits', taken = changed -> 'taken'
  where account_id = account and rule_id = rule;
  return null;
end
$$;
