-- The first 60 words of an enquiry that a search finds, of its product, its campaign and its answers, as they are compared, as hashes with the
-- account: an inverted index without an extension has one column, and compares numbers much faster than texts. Punctuation separates
-- words; vowel signs and accents do not. Building an index finds other functions of ours only with their schema.
create or replace function enquiry_terms(account uuid, answers jsonb, origin jsonb) returns bigint[]
language plpgsql immutable parallel safe cost 1000 as $$
declare
  prefix constant text := account::text || ' ';
  said text := concat_ws(' ', origin->>'product', origin->>'campaign');
  place integer := 0;
  word text;
  terms bigint[] := '{}';
begin
  while place < jsonb_array_length(answers) and length(said) < 2000 loop
    said := said || ' ' || (answers->place->>'answer');
    place := place + 1;
  end loop;
  foreach word in array string_to_array(translate(public.search_key(left(said, 2000)),
    e'\t\n\r,.;:!?()[]{}<>"''/\\|&*+=_-–—“”‘’।₹', repeat(' ', 50)), ' ')
  loop
    if word <> '' then
      terms := terms || hashtextextended(prefix || word, 0);
      exit when cardinality(terms) = 60;
    end if;
  end loop;
  return terms;
end
$$;
