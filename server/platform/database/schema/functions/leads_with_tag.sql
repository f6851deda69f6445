-- At most so many leads with this tag. The operators of arrays are not leakproof, so that policies keep queries from the index.
create or replace function leads_with_tag(account uuid, tag text, most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select id from leads
    where account_id = account and account_id = acting_account() and acting_for(assigned_to)
      and tags <> '{}' and tag_terms(account_id, tags) @> array[account::text || ' ' || search_key(tag)]
    limit most;
end
$$;
revoke execute on function leads_with_tag from public;
grant execute on function leads_with_tag to lead_engine_app;
