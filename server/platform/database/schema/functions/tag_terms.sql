-- The tags of a lead with its account, in lower case: an inverted index without an extension has one column. In PL/pgSQL, because
-- each INSERT would plan a function in SQL again.
create or replace function tag_terms(account uuid, tags text[]) returns text[] language plpgsql immutable parallel safe as $$
declare
  tag text;
  terms text[] := '{}';
begin
  foreach tag in array tags loop
    terms := terms || (account::text || ' ' || lower(tag));
  end loop;
  return terms;
end
$$;
