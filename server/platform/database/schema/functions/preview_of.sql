-- A value as a list shows it: texts cut at so many characters, lists at 20 values.
create or replace function preview_of(value jsonb, most integer) returns jsonb language plpgsql immutable as $$
declare
  whole text;
begin
  case jsonb_typeof(value)
  when 'string' then
    whole := value #>> '{}';
    return case when length(whole) > most then to_jsonb(left(whole, most) || '…') else value end;
  when 'array' then
    return (select coalesce(jsonb_agg(preview_of(item, most) order by place), '[]')
      from jsonb_array_elements(value) with ordinality as items(item, place) where place <= 20);
  when 'object' then
    return (select coalesce(jsonb_object_agg(field, preview_of(item, most)), '{}')
      from jsonb_each(value) as items(field, item));
  else
    return value;
  end case;
end
$$;
