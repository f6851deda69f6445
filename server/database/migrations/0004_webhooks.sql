create table deliveries (
  account_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  received_at timestamptz(3) not null,
  address text not null,
  content_type text,
  body bytea,
  outcome text not null check (outcome in ('created', 'merged', 'rejected')),
  lead_id uuid,
  picks jsonb not null default '[]',
  warnings jsonb not null default '[]',
  error text,
  replayed_at timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade
);

create index deliveries_newest on deliveries (account_id, webhook_id, received_at desc);
create index deliveries_oldest on deliveries (account_id, received_at);
create index deliveries_by_lead on deliveries (account_id, lead_id) where lead_id is not null;

-- A platform that repeats a delivery gives it the same id. The hash of what was read distinguishes a repetition from news under
-- an old id.
create table delivery_receipts (
  account_id uuid not null,
  webhook_id uuid not null,
  platform_id text not null,
  reading_hash bytea not null,
  lead_id uuid,
  received_at timestamptz(3) not null,
  primary key (account_id, webhook_id, platform_id, reading_hash),
  foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade,
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);

create index delivery_receipts_oldest on delivery_receipts (account_id, received_at);
create index delivery_receipts_by_lead on delivery_receipts (account_id, lead_id);

-- Empty conditions hold for every lead. One person is a round robin over one.
create table distribution_rules (
  account_id uuid not null references accounts,
  id uuid not null,
  position integer not null,
  name text not null,
  sources text[] not null default '{}',
  cities text[] not null default '{}',
  tags text[] not null default '{}',
  webhook_ids uuid[] not null default '{}',
  people jsonb not null,
  created_at timestamptz(0) not null,
  primary key (account_id, id)
);

-- The counter of a rule is apart from it: it is written with every assignment, the rule is read from memory.
create table distribution_turns (
  account_id uuid not null,
  rule_id uuid not null,
  turns bigint not null default 0,
  primary key (account_id, rule_id),
  foreign key (account_id, rule_id) references distribution_rules (account_id, id) on delete cascade
);
