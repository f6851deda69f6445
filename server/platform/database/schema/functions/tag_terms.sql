-- The tags of a lead as they are compared, with its account: an inverted index without an extension has one column. In PL/pgSQL, because
-- each INSERT would plan a function in SQL again.
create or replace function tag_terms(account uuid, tags text[]) returns text[] language plpgsql immutable parallel safe as $$
declare
  tag text;
  terms text[] := '{}';
begin
  foreach tag in array tags loop
    terms := terms || (account::text || ' ' || public.search_key(tag));
  end loop;
  return terms;
end
$$;
