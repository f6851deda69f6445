-- compatible: no
-- What those who run the service look up.

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

-- Of the installation: what the continuous backup has saved, and the last restore drill. One row, or none.
create table continuous_backup (
  one boolean primary key default true check (one),
  target text not null,
  history text not null,
  base_at timestamptz,
  saved_at timestamptz,
  error text,
  drill_at timestamptz,
  drill_restored_to timestamptz,
  drill_error text
);
