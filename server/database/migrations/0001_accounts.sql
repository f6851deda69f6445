-- The directory: what is looked up before the account is known.
-- Small and rarely written; no counters and no last-used times here.

create table accounts (
  id uuid primary key,
  name text not null,
  default_country text not null default 'IN',
  created_at timestamptz(0) not null
);

create unique index accounts_name on accounts (lower(name));

-- A team is a name that people share. The columns after it are those that signing in asks for.
create table users (
  id uuid primary key,
  account_id uuid not null references accounts,
  email text not null,
  name text not null,
  role text not null check (role in ('Admin', 'Manager', 'Agent')),
  team text,
  deactivated_at timestamptz(0),
  email_verified boolean not null default true,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id)
);

create unique index users_email on users (lower(email));

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

-- The token is shown again in the settings, so it cannot be kept as a hash alone (decisions/0003).
create table webhooks (
  account_id uuid not null references accounts,
  id uuid not null,
  name text not null,
  source_label text not null,
  token text not null unique,
  enabled boolean not null default true,
  default_assignee uuid,
  default_status text not null default 'New',
  default_source text,
  default_tags text[] not null default '{}',
  -- By the owner's hand; what the first delivery was read as; which fields have come, and when first.
  mapping jsonb not null default '[]',
  proposal jsonb,
  known_fields jsonb not null default '{}',
  -- What platforms send back that check an address before they use it.
  verify_token text not null,
  created_at timestamptz(0) not null,
  primary key (account_id, id),
  foreign key (account_id, default_assignee) references users (account_id, id)
);
