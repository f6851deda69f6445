-- The ids of the leads with any of these keys, in their order. Key by key: for a list or for OR, PostgreSQL may read the whole account.
create or replace function holders_of(account uuid, keys text[]) returns uuid[] language plpgsql as $$
declare
  one text;
  holders uuid[] := '{}';
begin
  foreach one in array keys loop
    if strpos(one, '@') = 0 then
      holders := holders || array(select id from leads where account_id = account and phone_key = one);
    else
      holders := holders || array(select id from leads where account_id = account and email_key = one);
    end if;
    holders := holders || array(select lead_id from lead_contacts where account_id = account and key = one);
  end loop;
  return array(select distinct holder from unnest(holders) as holder order by 1);
end
$$;
