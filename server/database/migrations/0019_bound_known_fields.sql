-- compatible: no
-- Paths of any length used to be kept: a webhook's row may have grown to many megabytes.
update webhooks set known_fields = (
  select coalesce(jsonb_object_agg(path, since), '{}') from (
    select path, since from jsonb_each(known_fields) as field (path, since)
    where length(path) <= 200 order by since, path limit 300
  ) few
) where pg_column_size(known_fields) > 16384;
update webhooks set proposal = (
  select coalesce(jsonb_agg(pick), '[]') from jsonb_array_elements(proposal) pick where length(pick ->> 'path') <= 2000
) where pg_column_size(proposal) > 16384;
