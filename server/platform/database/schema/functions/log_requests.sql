-- Saves requests of all accounts, but for those that are being deleted. Row by row, because Citus copies the rows of
-- INSERT ... SELECT, which policies prevent.
create or replace function log_requests(requests jsonb) returns void language plpgsql as $$
declare
  request record;
begin
  for request in
    select * from jsonb_to_recordset(requests) as entry (
      account_id uuid, id uuid, at timestamptz, via text, via_id uuid, address text, method text, route text, path text,
      status smallint, ms integer, code text, message text
    )
    where exists (select from accounts where accounts.id = entry.account_id and closed_for is distinct from 'delete')
  loop
    insert into logged_requests (account_id, id, at, via, via_id, address, method, route, path, status, ms, code, message)
    values (request.account_id, request.id, request.at, request.via, request.via_id, request.address, request.method,
      request.route, request.path, request.status, request.ms, request.code, request.message)
    on conflict do nothing;
  end loop;
end
$$;
