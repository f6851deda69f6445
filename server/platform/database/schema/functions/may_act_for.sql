-- For functions that run as the owner, and so check what policies check.
create or replace function may_act_for(account uuid, people uuid[]) returns boolean language plpgsql stable parallel safe as $$
begin
  return account = acting_account() and (acting_for_all() or people <@ array(select acting_people()));
end
$$;
