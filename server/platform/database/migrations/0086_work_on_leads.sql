-- compatible: no
-- How leads come to users, and how users work on them.

-- New leads of rules that pass on, until somebody works on them or all users of the rule had them.
create table pass_ons (
  account_id uuid not null,
  lead_id uuid not null,
  rule_id uuid not null,
  -- The owner, since this time.
  user_id uuid not null,
  since timestamptz(0) not null,
  -- All who had the lead, with the owner.
  had uuid[] not null,
  due_at timestamptz(0) not null,
  primary key (account_id, lead_id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);
create index pass_ons_due on pass_ons (account_id, due_at);

-- New leads that are offered to several users, until one claims it or its time ends.
create table lead_offers (
  account_id uuid not null,
  lead_id uuid not null,
  rule_id uuid not null,
  offered_to uuid[] not null,
  offered_at timestamptz(0) not null,
  -- Null: the offer has ended.
  due_at timestamptz(0),
  claimed_by uuid,
  -- The webhook of the lead, which further rules compare, and the owner if none of them matches.
  webhook_id uuid,
  otherwise uuid,
  primary key (account_id, lead_id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);
create index lead_offers_due on lead_offers (account_id, due_at) where due_at is not null;

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

-- Views of users, and of the account. `search` has the parameters of the list's URL.
create table lead_views (
  account_id uuid not null,
  id uuid not null,
  -- Null: shared with all users.
  user_id uuid,
  name text not null,
  search jsonb not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index lead_views_by_name on lead_views (account_id, user_id, lower(name));

-- Quick replies of the account, and of users. They name no lead: `{name}` is filled in when one is used.
create table quick_replies (
  account_id uuid not null,
  id uuid not null,
  -- Null: of the account.
  user_id uuid,
  title text not null,
  text text not null,
  position integer not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index quick_replies_in_order on quick_replies (account_id, user_id, position);
