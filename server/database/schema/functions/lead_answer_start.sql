-- The beginning of a lead's JSON in answers (answerStart in server/leads/answer-start.ts).
create or replace function lead_answer_start(
  id uuid, name text, email text, phone text, company text, city text, source text, status text, priority text, tags text[],
  deal_value numeric, created_at timestamptz, updated_at timestamptz
) returns text language plpgsql stable parallel safe as $$
begin
  return '{"id":"' || id || '","name":' || to_json(name) || ',"email":' || coalesce(to_json(email)::text, 'null')
    || ',"phone":' || coalesce(to_json(phone)::text, 'null') || ',"company":' || coalesce(to_json(company)::text, 'null')
    || ',"city":' || coalesce(to_json(city)::text, 'null') || ',"source":' || to_json(source)
    || ',"status":"' || status || '","priority":"' || priority || '","tags":' || array_to_json(tags)
    || ',"deal_value":' || coalesce(deal_value::text, 'null')
    || ',"created_at":' || left(to_json(created_at at time zone 'UTC')::text, 20)
    || 'Z","updated_at":' || left(to_json(updated_at at time zone 'UTC')::text, 20) || 'Z"';
end
$$;
