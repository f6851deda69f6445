-- compatible: no
-- Notes have at most 20,000 characters and a lead holds at most 200 tags. What older leads have beyond that moves to
-- their timelines, whole.
with long as (
  select account_id, id, assigned_to, notes from leads where length(notes) > 20000
), kept as (
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  select account_id, id, assigned_to, now(), 'changed',
    'The notes were longer than 20,000 characters. The rest of them is kept here.',
    jsonb_build_object('via', 'command', 'via_id', null, 'message', substr(notes, 19951))
  from long
  returning account_id, lead_id
)
update leads set notes = left(leads.notes, 19950) || E'\n\nLater messages are on the timeline.'
from kept where leads.account_id = kept.account_id and leads.id = kept.lead_id;

with many as (
  select account_id, id, assigned_to, tags from leads where cardinality(tags) > 200
), kept as (
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  select account_id, id, assigned_to, now(), 'changed',
    'The lead had more than 200 tags. The ones that it no longer holds are kept here.',
    jsonb_build_object('via', 'command', 'via_id', null, 'changes', jsonb_build_array(
      jsonb_build_object('field', 'tags', 'added', '[]'::jsonb, 'removed', to_jsonb(tags[201:]))))
  from many
  returning account_id, lead_id
)
update leads set tags = leads.tags[:200]
from kept where leads.account_id = kept.account_id and leads.id = kept.lead_id;

-- A value as a list shows it: texts cut at so many characters, lists at 20 values.
create function preview_of(value jsonb, most integer) returns jsonb language plpgsql immutable as $$
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

-- The newest calls of a lead with the beginnings of their notes, as JSON, and how many calls it has: for the lead's page.
-- With the rights of the caller.
create function call_previews_of_lead(account uuid, of_lead uuid, most integer, most_characters integer)
returns json language sql stable as $$
  select json_build_object(
    'total', (select count(*) from call_logs where account_id = account and lead_id = of_lead),
    'calls', (select coalesce(json_agg(newest), '[]') from (
      select id, lead_id, call_type, duration_seconds, outcome,
        case when length(notes) > most_characters then left(notes, most_characters) || '…' else notes end as notes,
        coalesce(length(notes) > most_characters, false) as notes_cut,
        left(to_json(called_at)#>>'{}', 19) || 'Z' as called_at, left(to_json(created_at)#>>'{}', 19) || 'Z' as created_at
      from call_logs where account_id = account and lead_id = of_lead
      order by call_logs.called_at desc, call_logs.id desc limit most
    ) newest)
  )
$$;
