-- The leads with a timeline entry that contains one of these contacts or ids of leads, written as in person_terms. The operators of arrays
-- are not leakproof, so that policies keep queries from the index.
create or replace function leads_of_person(account uuid, terms text[]) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  wanted constant text[] := array(select account::text || ' ' || term from unnest(terms) as term);
begin
  return query select distinct lead_id from timeline_entries
    where account_id = account and account_id = acting_account() and acting_for(assigned_to)
      and (details @? '$.changes[*] ? (@.field == "phone" || @.field == "email" || @.field == "other_contacts")'
        or details @? '$.not_taken[*] ? (@.field == "phone" || @.field == "email" || @.field == "other_contacts")'
        or details ?| array['submitted', 'merged_lead', 'unmerged_lead', 'unmerged_from', 'merged_into'])
      and person_terms(account_id, details) && wanted;
end
$$;
revoke execute on function leads_of_person from public;
grant execute on function leads_of_person to lead_engine_app;
