-- compatible: no
-- A link that anybody may ask for by an email is kept apart from the one that an Admin made, and does not end it.
create table forgotten_links (
  account_id uuid not null,
  user_id uuid not null,
  token_hash bytea not null unique,
  created_at timestamptz(0) not null,
  expires_at timestamptz(0) not null,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

grant select, insert, update, delete on forgotten_links to lead_engine_app;
grant select, delete on forgotten_links to lead_engine_directory;

alter table forgotten_links enable row level security;
create policy settings on forgotten_links to lead_engine_app using (account_id = acting_account() and acting_for_all());
create policy directory on forgotten_links to lead_engine_directory using (true);

-- Codes that were used in the last minutes, each as code@seconds: an app's code lets somebody in once.
alter table two_factors add column used_codes text[] not null default '{}';
