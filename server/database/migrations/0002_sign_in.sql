-- Signing in to the web app. The tables have the columns that better-auth asks for, under our names.

-- The only way in which signing in looks at people: who is deactivated is not found at all, and an email is
-- compared without regard to case. With the rights of the caller, so that the policies on users hold.
create view active_users with (security_invoker = true) as
  select id, account_id, lower(email) as email, name, role, team, email_verified, image, created_at, updated_at
  from users
  where deactivated_at is null;

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

-- One way in which a person proves who they are. With the provider 'credential' it is a password, and the subject is
-- the user's own id; the columns between subject and password are for other providers.
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

-- Secrets that the installation makes for itself and that all its processes share.
create table installation_secrets (
  name text primary key,
  value text not null
);
