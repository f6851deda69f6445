-- Locks and returns the turns of rules, in the order of their ids, so that two transactions never wait for each other. Before that it locks
-- the contacts of a new lead. If a lead has one of them, it returns nothing: then the lead is not new, and takes no turn.
create or replace function lock_turns(account uuid, rules uuid[], contacts text[]) returns table (rule_id uuid, credits jsonb, taken jsonb)
language plpgsql as $$
#variable_conflict use_column
declare
  rule uuid;
begin
  perform lock_contacts(account, contacts);
  if cardinality(holders_of(account, contacts)) > 0 then
    return;
  end if;
  foreach rule in array array(select distinct id from unnest(rules) as id order by id) loop
    return query select rule_id, credits, taken from distribution_turns where account_id = account and rule_id = rule for update;
    continue when found;
    insert into distribution_turns (account_id, rule_id)
    select account_id, id from distribution_rules where account_id = account and id = rule for key share
    on conflict (account_id, rule_id) do nothing;
    return query select rule_id, credits, taken from distribution_turns where account_id = account and rule_id = rule for update;
    continue when found;
    -- It was removed just now.
    return query select rule, '{}'::jsonb, '{}'::jsonb;
  end loop;
end
$$;
