-- Removes a person from the searches and names of all saved views, also of those that users do not share.
create or replace function forget_in_views(account uuid, pattern text) returns void language plpgsql as $$
begin
  perform set_config('lead_engine.erases', 'yes', true);
  update lead_views
    set name = regexp_replace(name, pattern, '[removed]', 'gi'),
      search = case when search->>'search' ~* pattern then search - 'search' else search end
    where account_id = account and (name ~* pattern or search->>'search' ~* pattern);
  perform set_config('lead_engine.erases', '', true);
end
$$;
