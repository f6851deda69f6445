-- Contacts and ids of other leads in the details of a timeline entry, each with the account: an inverted index without an extension has one
-- column. Emails are in lower case, and of phones there are the last ten digits. It calls no other function of ours, which building an
-- index would not find.
create or replace function person_terms(account uuid, details jsonb) returns text[]
language plpgsql immutable parallel safe cost 1000 as $$
declare
  found jsonb;
  value text;
  terms text[] := '{}';
begin
  for found in
    select jsonb_path_query(details,
      '$.changes[*] ? (@.field == "phone" || @.field == "email" || @.field == "other_contacts").*[*]')
    union all select jsonb_path_query(details,
      '$.not_taken[*] ? (@.field == "phone" || @.field == "email" || @.field == "other_contacts").offered[*]')
    union all select jsonb_path_query(details, '$.submitted.phone')
    union all select jsonb_path_query(details, '$.submitted.email')
    union all select jsonb_path_query(details, '$.submitted.contacts[*]')
  loop
    value := found #>> '{}';
    if strpos(value, '@') > 0 then
      terms := terms || (account::text || ' ' || lower(btrim(value)));
    else
      value := regexp_replace(value, '\D', '', 'g');
      if length(value) >= 7 then
        terms := terms || (account::text || ' ' || right(value, 10));
      end if;
    end if;
  end loop;
  foreach value in array array[details->>'merged_lead', details->>'unmerged_lead', details->>'unmerged_from', details->>'merged_into'] loop
    if value is not null then
      terms := terms || (account::text || ' ' || value);
    end if;
  end loop;
  return terms;
end
$$;
