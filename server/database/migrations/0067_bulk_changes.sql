-- compatible: yes
-- Bulk changes: one change of many leads, as a background job.

-- Changes of many leads, with their progress.
create table bulk_changes (
  account_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  -- Of the user when it started: a lower role stops it.
  role text not null,
  -- The values that it sets, or `{"delete": true}`.
  change jsonb not null,
  state text not null check (state in ('running', 'done', 'cancelled', 'stopped', 'undoing', 'undone')),
  total integer not null,
  -- Of the last lead that is processed, by the change and then by its undo: the next batch starts after it.
  position integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  -- Deleted since, not visible any more, or the lead does not accept the change.
  skipped integer not null default 0,
  -- By undo: restored leads, and those that were changed since.
  restored integer not null default 0,
  kept integer not null default 0,
  -- Of the users who share the leads: their share until now minus what they got.
  credits jsonb not null default '{}',
  undone_by uuid,
  -- Says why it stopped.
  error text,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index bulk_changes_unfinished on bulk_changes (account_id, started_at, id) where state in ('running', 'undoing');
create index bulk_changes_latest on bulk_changes (account_id, started_at desc, id desc);

-- The leads of a bulk change, fixed when it starts. No foreign key to leads, whose check would lock them all at once.
create table bulk_change_leads (
  account_id uuid not null,
  bulk_change_id uuid not null,
  position integer not null,
  user_id uuid not null,
  lead_id uuid not null,
  -- Of a changed lead: the changed fields before and after.
  previous jsonb,
  written jsonb,
  primary key (account_id, bulk_change_id, position),
  foreign key (account_id, bulk_change_id) references bulk_changes (account_id, id) on delete cascade
);
create index bulk_change_leads_of_lead on bulk_change_leads (account_id, lead_id);

grant select, insert, update, delete on bulk_changes, bulk_change_leads to lead_engine_app;
grant select on bulk_changes to lead_engine_directory;
alter table bulk_changes enable row level security;
create policy own on bulk_changes to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));
create policy directory on bulk_changes for select to lead_engine_directory using (true);
alter table bulk_change_leads enable row level security;
create policy own on bulk_change_leads to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

-- Removes a deleted lead from bulk changes, with its former values.
create function leave_bulk_changes(account uuid, of_lead uuid) returns void language plpgsql as $$
begin
  delete from bulk_change_leads where account_id = account and lead_id = of_lead;
end
$$;

-- Of a bulk change: how many leads came to the user. They are one notification.
alter table assignments add column leads integer not null default 1;
