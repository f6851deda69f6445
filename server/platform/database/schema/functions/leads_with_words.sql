-- At most so many leads that have an enquiry with all these words, some of them more than once. The operators of arrays are not leakproof,
-- so that policies keep queries from the index.
create or replace function leads_with_words(account uuid, words text, most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  wanted constant bigint[] := enquiry_terms(account, '[]', jsonb_build_object('product', words));
begin
  if wanted = '{}' then
    return;
  end if;
  return query select lead_id from enquiries
    where account_id = account and account_id = acting_account() and acting_for(assigned_to)
      and (answers <> '[]' or origin <> '{}') and enquiry_terms(account_id, answers, origin) @> wanted
    limit most;
end
$$;
revoke execute on function leads_with_words from public;
grant execute on function leads_with_words to lead_engine_app;
