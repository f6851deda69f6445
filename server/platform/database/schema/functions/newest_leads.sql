-- The ids of an account's leads, newest first: a deep page skips the entries of an index, and not whole leads. It skips those of the
-- day before `until`, of which `of_day` match, from the end that is nearer.
create or replace function newest_leads(
  account uuid, since timestamptz, until timestamptz, of_status text, of_source text, of_priority text,
  most bigint, skipped bigint, of_day bigint
) returns table (lead uuid) language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  -- Planned for the values that are given: each filter has an index.
  matching constant text := 'from leads where account_id = $1 and created_at >= $2 and created_at < $3'
    || case when of_status is null then '' else ' and status = $4' end
    || case when of_source is null then '' else ' and source = $5' end
    || case when of_priority is null then '' else ' and priority = $6' end;
  start_at timestamptz;
  start_id uuid;
begin
  if account is distinct from acting_account() or not acting_for_all() then
    raise insufficient_privilege;
  end if;
  if skipped <= of_day / 2 then
    return query execute 'select id ' || matching || ' order by created_at desc, id desc limit $7 offset $8'
      using account, since, until, of_status, of_source, of_priority, most, skipped;
    return;
  end if;
  execute 'select created_at, id ' || matching || ' order by created_at, id limit 1 offset $7' into start_at, start_id
    using account, until - interval '1 day', until, of_status, of_source, of_priority, of_day - skipped - 1;
  return query execute
    'select id ' || matching || ' and (created_at, id) <= ($7, $8) order by created_at desc, id desc limit $9'
    using account, since, until, of_status, of_source, of_priority, start_at, start_id, most;
end
$$;
revoke execute on function newest_leads from public;
grant execute on function newest_leads to lead_engine_app;
