-- A pattern for these names in a path: as whole words, in any case, with or without something between them.
create or replace function name_pattern(names text[]) returns text language sql immutable
  return (
    select string_agg('(^|[^[:alnum:]])' || regexp_replace(
      regexp_replace(btrim(name), '([^[:alnum:][:space:]])', '\\\1', 'g'), '[[:space:]]+', '[[:space:]_.+-]*', 'g'
    ) || '($|[^[:alnum:]])', '|')
    from unnest(names) as name where name ~ '[^[:space:]]'
  );
