-- compatible: no
-- Accounts, their users, and how these sign in. Small tables, most of which are read before the account is known.

create table accounts (
  id uuid primary key,
  name text not null,
  default_country text not null default 'IN',
  -- The lowest role that may delete leads and calls, and export lists, in the web app.
  lowest_role_to_delete text not null default 'Manager' check (lowest_role_to_delete in ('Admin', 'Manager', 'Agent')),
  lowest_role_to_export text not null default 'Manager' check (lowest_role_to_export in ('Admin', 'Manager', 'Agent')),
  -- Working hours, in which a lead should be called: days of the week from Monday (1), as '12345', and minutes of the day, IST.
  work_days text not null default '123456' check (work_days ~ '^1?2?3?4?5?6?7?$' and work_days <> ''),
  work_from smallint not null default 540 check (work_from between 0 and 1439),
  work_until smallint not null default 1140 check (work_until between 1 and 1440),
  -- Working minutes after which an uncalled lead is reported. Null: never.
  alert_after smallint default 15 check (alert_after between 1 and 480),
  created_at timestamptz(0) not null,
  -- Whether the user who answers a call of an unassigned lead becomes its owner.
  answering_user_owns boolean not null default false,
  -- After so many days without a call or a time to call again, a lead in Qualified or Proposal is going cold.
  going_cold_after smallint not null default 7 check (going_cold_after between 1 and 90),
  -- Whether a user who enters a colleague's customer sees the colleague's name.
  names_owner boolean not null default true,
  -- Gets the leads of a rule while none of its users is available.
  fallback_owner uuid,
  -- The first steps of an account, in the web app: not opened yet, opened, or ended. Which steps are done is read from the data.
  first_start text not null default 'new' check (first_start in ('new', 'started', 'ended')),
  first_start_skipped text[] not null default '{}',
  -- In percent, for each open status.
  win_probabilities jsonb not null default '{"New": 5, "Contacted": 10, "Qualified": 30, "Proposal": 60}',
  -- What a user may choose when a lead is lost, in order.
  lost_reasons text[] not null default '{Too expensive,Bought elsewhere,Not interested,Not reachable,Wrong enquiry}'
);
create unique index accounts_name on accounts (lower(name));

create table users (
  id uuid primary key,
  account_id uuid not null references accounts,
  email text not null,
  name text not null,
  role text not null check (role in ('Admin', 'Manager', 'Agent')),
  -- A name that users share.
  team text,
  deactivated_at timestamptz(0),
  -- What better-auth needs.
  email_verified boolean not null default true,
  image text,
  two_factor_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Working hours of the user. Null: those of the account.
  work_days text check (work_days ~ '^1?2?3?4?5?6?7?$' and work_days <> ''),
  work_from smallint check (work_from between 0 and 1439),
  work_until smallint check (work_until between 1 and 1440),
  -- Leave and pauses that have not ended, as {id, from, until}.
  absences jsonb not null default '[]',
  -- Null: none was chosen, so that the web app takes the browser's, and emails are in English.
  language text check (length(language) <= 20),
  unique (account_id, id)
);
create unique index users_email on users (lower(email));

-- Signing in reads users through this view only: it has no deactivated users, and emails in lower case.
create view active_users with (security_invoker = true) as
  select id, account_id, lower(email) as email, name, role, team, email_verified, image, created_at, updated_at, two_factor_enabled
  from users
  where deactivated_at is null;

create table api_keys (
  account_id uuid not null references accounts,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  secret_hash bytea not null unique,
  last_four text not null,
  can_read boolean not null,
  can_write boolean not null,
  can_delete boolean not null,
  ip_whitelist text[] not null default '{}',
  created_at timestamptz(0) not null,
  revoked_at timestamptz(0),
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);

-- The last use of each key, written every few seconds at most.
create table api_key_uses (
  account_id uuid not null,
  api_key_id uuid not null,
  at timestamptz(0) not null,
  address text not null,
  primary key (account_id, api_key_id),
  foreign key (account_id, api_key_id) references api_keys (account_id, id) on delete cascade
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

-- When users signed in last. Sessions are deleted when they end.
create table sign_ins (
  user_id uuid primary key references users on delete cascade,
  at timestamptz(0) not null
);

-- Passwords. The columns between subject and password are for sign-in with other providers.
create table credentials (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider text not null,
  subject text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (provider, subject)
);
create index credentials_by_user on credentials (user_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index verifications_by_identifier on verifications (identifier);
create index verifications_by_expiry on verifications (expires_at);

create table two_factors (
  id uuid primary key,
  user_id uuid not null unique references users on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  -- Used in the last minutes, each as code@seconds: a code signs in once.
  used_codes text[] not null default '{}'
);

-- The one-time link that an Admin created for a user. A new one replaces it. With that of kind setup, the first Admin of an installation
-- chooses a password, and names the account and themselves.
create table password_links (
  account_id uuid not null,
  user_id uuid not null,
  token_hash bytea not null unique,
  kind text not null check (kind in ('invitation', 'reset', 'setup')),
  created_at timestamptz(0) not null,
  expires_at timestamptz(0) not null,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

-- The link of a forgotten password, which anyone can request. It does not replace that of an Admin.
create table forgotten_links (
  account_id uuid not null,
  user_id uuid not null,
  token_hash bytea not null unique,
  created_at timestamptz(0) not null,
  expires_at timestamptz(0) not null,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

-- Who changed what, without personal data of a lead.
create table audit_log (
  account_id uuid not null,
  id bigint generated always as identity,
  at timestamptz(3) not null,
  user_id uuid,
  via text not null,
  via_id uuid,
  action text not null,
  subject_id uuid,
  details jsonb not null default '{}',
  primary key (account_id, id)
);
-- Changes of an import have its id as `via_id`: `via` is then `web` or `command`. Lists show the import as one entry, without reading
-- its changes.
create index audit_log_latest on audit_log (account_id, at desc, id desc)
  where via not in ('web', 'command') or via_id is null or action = 'leads.imported';
create index audit_log_by_person on audit_log (account_id, user_id, at desc, id desc)
  where user_id is not null and (via not in ('web', 'command') or via_id is null or action = 'leads.imported');
create index audit_log_of_import on audit_log (account_id, via_id, at desc, id desc)
  where via in ('web', 'command') and via_id is not null;
-- Most entries are of leads and calls that come in. These are the others.
create index audit_log_settings on audit_log (account_id, at desc, id desc)
  where action not in ('lead.created', 'lead.merged', 'call_log.created');

-- Generated by the installation for all of its processes.
create table installation_secrets (
  name text primary key,
  value text not null
);

create table backup_runs (
  id uuid primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  file text not null,
  bytes bigint,
  error text
);
create index backup_runs_newest on backup_runs (started_at);
