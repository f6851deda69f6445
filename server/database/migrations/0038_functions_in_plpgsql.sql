-- compatible: yes
-- Functions in SQL are planned for each call, and a Citus cluster cannot plan those that read tables.
create or replace function calls_of_lead(account uuid, of_lead uuid, most integer) returns json language plpgsql stable as $$
begin
  return json_build_object(
    'total', (select count(*) from call_logs where account_id = account and lead_id = of_lead),
    'calls', (select coalesce(json_agg(newest), '[]') from (
      select id, lead_id, call_type, duration_seconds, outcome, notes,
        left(to_json(called_at)#>>'{}', 19) || 'Z' as called_at, left(to_json(created_at)#>>'{}', 19) || 'Z' as created_at
      from call_logs where account_id = account and lead_id = of_lead
      order by call_logs.called_at desc, call_logs.id desc limit most
    ) newest)
  );
end
$$;

create or replace function call_previews_of_lead(account uuid, of_lead uuid, most integer, most_characters integer)
returns json language plpgsql stable as $$
begin
  return json_build_object(
    'total', (select count(*) from call_logs where account_id = account and lead_id = of_lead),
    'calls', (select coalesce(json_agg(newest), '[]') from (
      select id, lead_id, call_type, duration_seconds, outcome,
        case when length(notes) > most_characters then left(notes, most_characters) || '…' else notes end as notes,
        coalesce(length(notes) > most_characters, false) as notes_cut,
        left(to_json(called_at)#>>'{}', 19) || 'Z' as called_at, left(to_json(created_at)#>>'{}', 19) || 'Z' as created_at
      from call_logs where account_id = account and lead_id = of_lead
      order by call_logs.called_at desc, call_logs.id desc limit most
    ) newest)
  );
end
$$;

create or replace function leads_with_tag(account uuid, tag text, most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select id from leads
    where account_id = account and account_id = acting_account() and acting_for(assigned_to)
      and tags <> '{}' and tag_terms(account_id, tags) @> array[account::text || ' ' || lower(tag)]
    limit most;
end
$$;
