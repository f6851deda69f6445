-- A second factor for who wants one: codes of an app on their phone, and ten to use once where the phone is lost. The
-- columns are those that better-auth asks for, under our names. Secret and codes are encrypted with the secret that
-- sessions are signed with, and until a first code was right they count for nothing.
create table two_factors (
  id uuid primary key,
  user_id uuid not null unique references users on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);

alter table users add column two_factor_enabled boolean not null default false;

create or replace view active_users with (security_invoker = true) as
  select id, account_id, lower(email) as email, name, role, team, email_verified, image, created_at, updated_at,
    two_factor_enabled
  from users
  where deactivated_at is null;

grant select, insert, update, delete on two_factors to lead_engine_directory;
grant update (two_factor_enabled, updated_at) on active_users to lead_engine_directory;
