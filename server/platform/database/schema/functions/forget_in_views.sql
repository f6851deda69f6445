-- Removes a person from the searches and names of all saved views, also of users who do not share them: it acts as each of them.
create or replace function forget_in_views(account uuid, pattern text) returns void language plpgsql as $$
declare
  caller constant uuid := acting_person();
  person uuid;
begin
  for person in
    select id from users where account_id = account union all select caller
  loop
    perform act_as(account, person, 'all');
    update lead_views
      set name = regexp_replace(name, pattern, '[removed]', 'gi'),
        search = case when search->>'search' ~* pattern then search - 'search' else search end
      where account_id = account and (name ~* pattern or search->>'search' ~* pattern);
  end loop;
end
$$;
