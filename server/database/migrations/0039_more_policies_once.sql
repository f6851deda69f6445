-- compatible: yes
-- Lists look up the assignee of each lead, and sum the totals of each day: these policies read the actor once for each statement,
-- too, as those of leads do since 0037. Citus allows no sub-selects in policies.
do $$
begin
  if exists (select from pg_extension where extname = 'citus') then
    return;
  end if;
  alter policy own_account on users using (account_id = (select acting_account()));
  alter policy visible on lead_totals using (account_id = (select acting_account()) and (select acting_for_all()));
  alter policy visible on lead_field_totals using (account_id = (select acting_account()) and (select acting_for_all()));
end
$$;
