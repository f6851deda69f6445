-- compatible: no
-- How many bytes of bodies a webhook kept of each IST day: of leads, of what was rejected or ignored, and of calls
-- answered 403 or 429. `cut` were kept by their beginning alone, `dropped` are only counted.
create table webhook_storage (
  account_id uuid not null,
  webhook_id uuid not null,
  day date not null,
  kind text not null check (kind in ('lead', 'rejected', 'turned_away')),
  slot smallint not null,
  bytes bigint not null,
  cut bigint not null,
  dropped bigint not null,
  primary key (account_id, day, webhook_id, kind, slot),
  foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade
);

grant select, insert, update, delete on webhook_storage to lead_engine_app;
alter table webhook_storage enable row level security;
create policy settings on webhook_storage to lead_engine_app using (account_id = acting_account() and acting_for_all());

-- Where only the beginning of a body is kept: how large it was, and its SHA-256.
alter table deliveries add column body_size integer;
alter table deliveries add column body_hash bytea;
