-- compatible: yes
-- The request log.

-- Requests of API keys and to webhooks of the last 7 days, without bodies, secrets and personal data.
create table logged_requests (
  account_id uuid not null,
  -- As in X-Request-Id. A delivery has the id of its request.
  id uuid not null,
  at timestamptz(3) not null,
  via text not null check (via in ('api_key', 'webhook')),
  via_id uuid not null,
  address text not null,
  method text not null,
  -- As declared, such as /api/v1/leads/:id; null if the path has none.
  route text,
  -- With the query, without its values that may be personal.
  path text not null,
  status smallint not null,
  ms integer not null,
  code text,
  message text,
  primary key (account_id, id)
);
create index logged_requests_newest on logged_requests (account_id, at desc, id desc);

grant select, delete on logged_requests to lead_engine_app;
-- One statement saves the requests of all accounts.
grant insert on logged_requests to lead_engine_directory;
alter table logged_requests enable row level security;
create policy settings on logged_requests to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on logged_requests for insert to lead_engine_directory with check (true);

-- Row by row, because Citus copies the rows of INSERT ... SELECT, which policies prevent.
create function log_requests(requests jsonb) returns void language plpgsql as $$
declare
  request record;
begin
  for request in
    select * from jsonb_to_recordset(requests) as request (
      account_id uuid, id uuid, at timestamptz, via text, via_id uuid, address text, method text, route text, path text,
      status smallint, ms integer, code text, message text
    )
  loop
    insert into logged_requests (account_id, id, at, via, via_id, address, method, route, path, status, ms, code, message)
    values (request.account_id, request.id, request.at, request.via, request.via_id, request.address, request.method,
      request.route, request.path, request.status, request.ms, request.code, request.message)
    on conflict do nothing;
  end loop;
end
$$;
