-- Account data. account_id comes first in every key and index, so that accounts can be spread over machines.
-- Times are whole seconds, as they are answered: the order of a list is the order that its reader can see.

create table leads (
  account_id uuid not null references accounts,
  id uuid not null,
  name text not null,
  email text,
  email_key text,
  phone text,
  phone_key text,
  company text,
  city text,
  source text not null,
  status text not null check (status in ('New', 'Contacted', 'Qualified', 'Proposal', 'Won', 'Lost')),
  priority text not null check (priority in ('Low', 'Medium', 'High')),
  tags text[] not null default '{}',
  deal_value numeric(15, 2),
  notes text,
  assigned_to uuid,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (account_id, id),
  -- One person, one lead: these two keys, and nothing else, decide it.
  unique (account_id, phone_key),
  unique (account_id, email_key),
  foreign key (account_id, assigned_to) references users (account_id, id),
  check (phone_key is not null or email_key is not null)
);

create index leads_newest on leads (account_id, created_at desc, id desc);
create index leads_by_status on leads (account_id, status, created_at desc, id desc);
create index leads_by_source on leads (account_id, source, created_at desc, id desc);
create index leads_by_priority on leads (account_id, priority, created_at desc, id desc);
create index leads_by_assignee on leads (account_id, assigned_to, created_at desc, id desc);

-- Call logs and timeline entries carry their lead's assignee, moved with it in the same transaction,
-- so that their policies need no join.
create table call_logs (
  account_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  assigned_to uuid,
  call_type text not null check (call_type in ('Inbound', 'Outbound')),
  duration_seconds integer not null check (duration_seconds >= 0),
  outcome text not null check (outcome in ('Completed', 'Busy', 'No Answer', 'Voicemail', 'Missed')),
  notes text,
  called_at timestamptz(0) not null,
  created_at timestamptz(0) not null,
  primary key (account_id, id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);

create index call_logs_newest on call_logs (account_id, called_at desc, id desc);
create index call_logs_by_lead on call_logs (account_id, lead_id, called_at desc, id desc);
create index call_logs_by_assignee on call_logs (account_id, assigned_to, called_at desc, id desc);

create table timeline_entries (
  account_id uuid not null,
  lead_id uuid not null,
  id bigint generated always as identity,
  assigned_to uuid,
  at timestamptz(3) not null,
  kind text not null,
  summary text not null,
  details jsonb not null,
  primary key (account_id, lead_id, id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);

-- Exact totals and the day a deep page starts on. Several slots for one key keep
-- concurrent writers from queueing. "Nobody" is the nil uuid, because a key column cannot be null.
create table lead_counts (
  account_id uuid not null,
  day date not null,
  status text not null,
  source text not null,
  priority text not null,
  assigned_to uuid not null,
  slot smallint not null,
  n bigint not null,
  primary key (account_id, day, status, source, priority, assigned_to, slot)
);

-- The same by day and person alone: a list without a filter reads some hundred rows instead of ten thousands.
create table lead_day_counts (
  account_id uuid not null,
  day date not null,
  assigned_to uuid not null,
  slot smallint not null,
  n bigint not null,
  primary key (account_id, day, assigned_to, slot)
);

create table call_counts (
  account_id uuid not null,
  day date not null,
  call_type text not null,
  assigned_to uuid not null,
  slot smallint not null,
  n bigint not null,
  primary key (account_id, day, call_type, assigned_to, slot)
);

-- Who did what, without personal data of a lead.
create table audit_log (
  account_id uuid not null,
  id bigint generated always as identity,
  at timestamptz(3) not null,
  user_id uuid,
  via text not null,
  via_id uuid,
  action text not null,
  subject_id uuid,
  details jsonb not null default '{}',
  primary key (account_id, id)
);

create index audit_log_newest on audit_log (account_id, at desc);

-- Answers to repeat. They hold a lead's data, so they go with the lead.
create table idempotency_keys (
  account_id uuid not null,
  api_key_id uuid not null,
  key text not null,
  user_id uuid not null,
  request_hash bytea not null,
  status smallint,
  response text,
  lead_id uuid,
  created_at timestamptz not null,
  primary key (account_id, api_key_id, key),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);

create index idempotency_keys_oldest on idempotency_keys (account_id, created_at);
create index idempotency_keys_by_lead on idempotency_keys (account_id, lead_id);
