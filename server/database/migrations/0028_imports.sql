-- compatible: yes
-- How far an import came: written with each batch of its rows, so that an import that was ended continues where it was, and
-- no row is imported twice. The key is a hash of the file's bytes and of how they are read. Removed after 30 days.
create table lead_imports (
  account_id uuid not null,
  key bytea not null,
  state text not null check (state in ('running', 'done')),
  rows_done bigint not null default 0,
  created bigint not null default 0,
  merged bigint not null default 0,
  calls bigint not null default 0,
  -- The file was imported before, to its end.
  repeated boolean not null default false,
  started_at timestamptz not null,
  written_at timestamptz not null,
  primary key (account_id, key)
);
create index lead_imports_oldest on lead_imports (account_id, written_at);

grant select, insert, update, delete on lead_imports to lead_engine_app;
alter table lead_imports enable row level security;
create policy settings on lead_imports to lead_engine_app using (account_id = acting_account() and acting_for_all());
