-- compatible: no
-- Webhooks, their deliveries, and the rules that assign new leads.

create table webhooks (
  account_id uuid not null references accounts,
  id uuid not null,
  name text not null,
  source_label text not null,
  -- Not hashed, because settings show it again (decisions/0003).
  token text not null unique,
  enabled boolean not null default true,
  default_assignee uuid,
  default_status text not null default 'New',
  default_source text,
  default_tags text[] not null default '{}',
  -- Set by hand, and whether it was saved or confirmed: until then, an unsure proposal needs attention.
  mapping jsonb not null default '[]',
  mapping_checked boolean not null default false,
  -- What the first delivery was recognised as, and since when each field was seen.
  proposal jsonb,
  known_fields jsonb not null default '{}',
  -- Sent back to platforms that verify a URL before they use it.
  verify_token text not null,
  -- By which Zoom checks that the answer of a URL comes from the owner of its app.
  secret_token text,
  created_at timestamptz(0) not null,
  primary key (account_id, id),
  foreign key (account_id, default_assignee) references users (account_id, id)
);

create table deliveries (
  account_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  received_at timestamptz(3) not null,
  address text not null,
  content_type text,
  -- Null after its lead was deleted. If only the beginning is stored: the whole size, and the SHA-256 of all.
  body bytea,
  body_size integer,
  body_hash bytea,
  outcome text not null check (outcome in ('created', 'merged', 'rejected', 'test', 'duplicate', 'ignored', 'ready', 'waiting')),
  lead_id uuid,
  picks jsonb not null default '[]',
  warnings jsonb not null default '[]',
  error text,
  -- Ignored, though it contains a possible phone or email.
  attention boolean not null default false,
  replayed_at timestamptz(3),
  -- The records of one request are deliveries of their own. `batch_id` is the delivery of the first, `record` counts from 1 to
  -- `records`. `repeat_id` identifies a record of a repeated request if the platform gives it no id.
  batch_id uuid,
  record integer,
  records integer,
  repeat_id text,
  -- When the service tries again to process a delivery that was stored before it was answered 503. While it tries, others leave the
  -- delivery alone until then, so a process may end at any time.
  finish_at timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade
);
create index deliveries_latest on deliveries (account_id, webhook_id, received_at desc, id desc);
create index deliveries_by_outcome on deliveries (account_id, webhook_id, outcome, received_at desc, id desc);
create index deliveries_by_lead on deliveries (account_id, lead_id) where lead_id is not null;
create index deliveries_by_batch on deliveries (account_id, batch_id, record) where batch_id is not null;
create index deliveries_attention on deliveries (account_id, webhook_id, received_at desc) where attention;
-- What is replayed together when a mapping is fixed.
create index deliveries_to_replay on deliveries (account_id, webhook_id, received_at, id) where outcome = 'rejected' or attention;
create index deliveries_waiting on deliveries (account_id, finish_at) where outcome = 'waiting';
-- A sender that was answered 503 repeats the delivery, which is found by the hash of its whole body.
create index deliveries_unanswered on deliveries (account_id, webhook_id, body_hash)
  where body_hash is not null and body_size is null;

-- The phones and emails of a delivery as hashes, so that everything stored of a person is found when their lead is deleted, also
-- without a lead. `record` is the place in a batch.
create table delivery_contacts (
  account_id uuid not null,
  contact bytea not null,
  delivery_id uuid not null,
  record integer not null default -1,
  primary key (account_id, contact, delivery_id, record),
  foreign key (account_id, delivery_id) references deliveries (account_id, id) on delete cascade
);
create index delivery_contacts_by_delivery on delivery_contacts (account_id, delivery_id);

-- A platform that repeats a delivery gives it the same id. The hash distinguishes a repetition from new content under an old id.
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

-- How many bytes of bodies a webhook stored of each IST day: of leads, of what was rejected or ignored, and of calls that were answered
-- 403 or 429. Of `cut` only the beginning is stored; `dropped` are only counted. Of `lost`, only the number is known: they were answered 503 and could not
-- be stored. Each process writes to a slot of its own.
create table webhook_storage (
  account_id uuid not null,
  webhook_id uuid not null,
  day date not null,
  kind text not null check (kind in ('lead', 'rejected', 'turned_away', 'lost')),
  slot smallint not null,
  bytes bigint not null,
  cut bigint not null,
  dropped bigint not null,
  primary key (account_id, day, webhook_id, kind, slot),
  foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade
);

-- A rule without conditions matches every lead.
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
  -- How the rule chooses a user.
  method text not null default 'round_robin' check (method in ('round_robin', 'first_to_claim')),
  -- Working minutes after which an untouched lead passes on to another user of the rule, and an unclaimed one to the next rule. Null: never.
  pass_on_after smallint check (pass_on_after between 1 and 480),
  -- A paused rule is skipped.
  paused boolean not null default false,
  -- How many leads a user gets by the rule on a day, IST. Null: no limit.
  daily_limit smallint check (daily_limit between 1 and 999),
  primary key (account_id, id),
  check (method = 'round_robin' or pass_on_after is not null)
);

-- Written with every assignment, and so apart from the rule, which is cached.
create table distribution_turns (
  account_id uuid not null,
  rule_id uuid not null,
  -- For each user, their share of the leads until now minus the leads that they got.
  credits jsonb not null default '{}',
  -- How many leads each user got on the last day, as {day, leads: {user: number}}. Only of rules with a limit.
  taken jsonb not null default '{}',
  primary key (account_id, rule_id),
  foreign key (account_id, rule_id) references distribution_rules (account_id, id) on delete cascade
);
