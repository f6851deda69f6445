-- What the web app's settings keep beside the directory, which stays small and rarely written.

-- The last use of each key: written every few seconds at most, whatever the key is used for.
create table api_key_uses (
  account_id uuid not null,
  api_key_id uuid not null,
  at timestamptz(0) not null,
  address text not null,
  primary key (account_id, api_key_id),
  foreign key (account_id, api_key_id) references api_keys (account_id, id) on delete cascade
);

-- A one-time link with which a person chooses a password. One at a time: a new one ends the one before.
create table password_links (
  account_id uuid not null,
  user_id uuid not null,
  token_hash bytea not null unique,
  kind text not null check (kind in ('invitation', 'reset')),
  created_at timestamptz(0) not null,
  expires_at timestamptz(0) not null,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

-- Sessions go when they end, so they cannot say when somebody was here last.
create table sign_ins (
  user_id uuid primary key references users on delete cascade,
  at timestamptz(0) not null
);

-- Deliveries a day, for all webhooks of an account at once, without reading their bodies.
create index deliveries_by_time on deliveries (account_id, received_at) include (webhook_id, outcome);
drop index deliveries_oldest;

-- What rules assigned recently.
create index timeline_by_rule on timeline_entries (account_id, at desc) where details ? 'rule_id';

-- The log is mostly of leads and calls that come in: what people changed is found without reading past all of it.
create index audit_log_settings on audit_log (account_id, at desc, id desc)
  where action not in ('lead.created', 'lead.merged', 'call_log.created');
create index audit_log_latest on audit_log (account_id, at desc, id desc);
drop index audit_log_newest;

grant select, insert, update on api_key_uses to lead_engine_app;
grant select, insert, update, delete on password_links to lead_engine_app;
grant select, delete on password_links to lead_engine_directory;
grant select, insert, update on sign_ins to lead_engine_directory;
-- Who sets a password by a link is not signed in: it is written down where the link is used up.
grant insert on audit_log to lead_engine_directory;

alter table api_key_uses enable row level security;
create policy settings on api_key_uses to lead_engine_app using (account_id = acting_account() and acting_for_all());

alter table password_links enable row level security;
create policy settings on password_links to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on password_links to lead_engine_directory using (true);

create policy directory on audit_log for insert to lead_engine_directory with check (true);
