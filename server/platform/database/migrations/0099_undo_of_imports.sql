-- compatible: yes
-- Imports are listed, lead to their leads, and can be undone.

alter table lead_imports
  -- Null: it began in an earlier version, and is not listed.
  add column id uuid,
  -- Null: the command line.
  add column user_id uuid,
  add column file text,
  -- Rows of the file.
  add column total bigint,
  add column rejected bigint not null default 0,
  -- When it was done or interrupted. Null: it runs, or its process ended without a word.
  add column ended_at timestamptz,
  -- Stopped: the user who undid it may no longer do so.
  add column undo_state text check (undo_state in ('undoing', 'undone', 'stopped')),
  add column undone_by uuid,
  add column undone_at timestamptz,
  -- The last lead that was processed, in the order of ids, and how many have which outcome.
  add column undo_position uuid,
  add column undo_counts jsonb;
create unique index lead_imports_by_id on lead_imports (account_id, id);
create index lead_imports_latest on lead_imports (account_id, started_at desc, id desc) where id is not null;
create index lead_imports_undoing on lead_imports (account_id) where undo_state = 'undoing';

-- The leads that an import created or merged rows into. No foreign keys: an import writes thousands at once, and ids of deleted leads are
-- harmless.
create table lead_import_leads (
  account_id uuid not null,
  import_id uuid not null,
  lead_id uuid not null,
  created boolean not null,
  primary key (account_id, import_id, lead_id)
);

-- Rejected rows of imports as lines of CSV, to be downloaded, and as line 0 the names of their columns.
create table lead_import_rejections (
  account_id uuid not null,
  import_id uuid not null,
  line bigint not null,
  content text not null,
  rejected_at timestamptz not null,
  primary key (account_id, import_id, line)
);
create index lead_import_rejections_oldest on lead_import_rejections (account_id, rejected_at);
