-- compatible: no
-- Leads and what belongs to them. account_id comes first in every key and index, so that accounts can be on different machines.
-- Times of leads and calls are whole seconds, as in answers: the order of a list is the order that its reader sees.

-- The tags of a lead with its account, in lower case: an inverted index without an extension has one column. In PL/pgSQL, because
-- each INSERT would plan a function in SQL again.
create function tag_terms(account uuid, tags text[]) returns text[] language plpgsql immutable parallel safe as $$
declare
  tag text;
  terms text[] := '{}';
begin
  foreach tag in array tags loop
    terms := terms || (account::text || ' ' || lower(tag));
  end loop;
  return terms;
end
$$;

create table leads (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  email text,
  phone text,
  -- As they are compared.
  email_key text collate "C",
  phone_key text collate "C",
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
  -- The beginning of the lead's JSON in answers, which the service writes with the lead: building it for each answer takes most of the
  -- time of a list. Null: built by lead_answer_start. Set it to null if you change a lead in SQL.
  answer_start text,
  -- Of its calls: the last one, and how many were made to the lead.
  last_call_at timestamptz(0),
  last_call_outcome text,
  attempts integer not null default 0,
  -- When its owner wants to call it again. A call at that time or later sets it to null.
  call_again_at timestamptz(0),
  -- What searches and sorted lists compare, in the order of bytes. Deal values are in paise, because indexes serve policies only with
  -- leakproof operators, and those of numeric are not leakproof.
  name_key text collate "C" generated always as (lower(name)) stored,
  last_name_key text collate "C" generated always as (lower(substring(name, '\s(\S+)$'))) stored,
  phone_end text collate "C" generated always as (reverse(phone_key)) stored,
  company_key text collate "C" generated always as (lower(company)) stored,
  city_key text collate "C" generated always as (lower(city)) stored,
  deal_paise bigint generated always as ((deal_value * 100)::bigint) stored,
  primary key (account_id, id),
  -- One person, one lead: these two keys decide it.
  unique (account_id, phone_key),
  unique (account_id, email_key),
  foreign key (account_id, assigned_to) references users (account_id, id),
  check (phone_key is not null or email_key is not null)
);

-- Lists, newest first.
create index leads_newest on leads (account_id, created_at desc, id desc);
create index leads_by_status on leads (account_id, status, created_at desc, id desc);
create index leads_by_source on leads (account_id, source, created_at desc, id desc, status, priority);
create index leads_by_priority on leads (account_id, priority, created_at desc, id desc);
create index leads_by_assignee on leads (account_id, assigned_to, created_at desc, id desc);
-- Other orders of the web app.
create index leads_by_update on leads (account_id, updated_at desc, id desc);
create index leads_by_name on leads (account_id, name_key, id);
create index leads_by_last_call on leads (account_id, last_call_at desc nulls last, created_at desc, id desc);
create index leads_by_deal_value on leads (account_id, deal_paise desc nulls last, id desc);
-- Search, and filters.
create index leads_by_last_name on leads (account_id, last_name_key) where last_name_key is not null;
create index leads_by_phone_end on leads (account_id, phone_end) where phone_end is not null;
create index leads_by_company on leads (account_id, company_key) where company_key is not null;
create index leads_by_city on leads (account_id, city_key, created_at desc, id desc) where city_key is not null;
create index leads_by_tag on leads using gin (tag_terms(account_id, tags)) where tags <> '{}';
-- The call queue of an owner: uncalled leads, calls that are due, and leads that were not reached.
create index leads_to_call_first on leads (account_id, assigned_to, created_at desc, id desc)
  where status = 'New' and last_call_at is null and call_again_at is null;
create index leads_to_call_again on leads (account_id, assigned_to, call_again_at, id) where call_again_at is not null;
create index leads_not_reached on leads (account_id, assigned_to, last_call_at, id)
  where last_call_outcome in ('No Answer', 'Busy', 'Voicemail') and status not in ('Won', 'Lost') and call_again_at is null;

-- Calls and timeline entries have the assignee of their lead, changed in the same transaction, so that policies need no join.
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
create index call_logs_missed on call_logs (account_id, called_at desc, id desc) where duration_seconds = 0 or outcome = 'Missed';
create index call_logs_missed_by_assignee on call_logs (account_id, assigned_to, called_at desc, id desc)
  where call_type = 'Inbound' and (duration_seconds = 0 or outcome = 'Missed');

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
-- What distribution rules assigned last.
create index timeline_by_rule on timeline_entries (account_id, at desc) where details ? 'rule_id';

-- Answers that are repeated for 24 hours. They contain data of a lead, and are deleted with it.
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

-- Without personal data: a lead that returns with a backup is deleted again.
create table erased_leads (
  account_id uuid not null,
  lead_id uuid not null,
  at timestamptz(3) not null,
  primary key (account_id, lead_id)
);
create index erased_leads_by_time on erased_leads (at);

-- The progress of each imported file, by its hash: a repeated import continues where it stopped.
create table lead_imports (
  account_id uuid not null,
  key bytea not null,
  state text not null check (state in ('running', 'done')),
  rows_done bigint not null default 0,
  created bigint not null default 0,
  merged bigint not null default 0,
  calls bigint not null default 0,
  repeated boolean not null default false,
  rejections jsonb not null default '[]',
  started_at timestamptz not null,
  written_at timestamptz not null,
  primary key (account_id, key)
);
create index lead_imports_oldest on lead_imports (account_id, written_at);

-- Jobs that reassign all leads of a user in batches. Any process continues them after a restart.
create table lead_reassignments (
  account_id uuid not null,
  id uuid not null,
  from_user uuid not null,
  -- Null: they become unassigned.
  to_user uuid,
  state text not null check (state in ('running', 'done', 'stopped')),
  total bigint not null,
  moved bigint not null default 0,
  -- For the timeline of each lead.
  summary text not null,
  details jsonb not null,
  requested_by uuid,
  via text not null,
  via_id uuid,
  started_at timestamptz not null,
  finished_at timestamptz,
  error text,
  primary key (account_id, id)
);
create unique index lead_reassignments_running on lead_reassignments (account_id, from_user) where state = 'running';
create index lead_reassignments_latest on lead_reassignments (account_id, from_user, started_at desc);

-- A lead that came to a user. `state`: what was sent. `notify_at`: when the next step is due; null when none is left.
create table assignments (
  account_id uuid not null,
  id bigint generated always as identity,
  lead_id uuid not null,
  user_id uuid not null,
  at timestamptz not null,
  state text not null default 'new' check (state in ('new', 'notified', 'alerted')),
  notify_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);
create index assignments_due on assignments (account_id, notify_at) where notify_at is not null;
create index assignments_of_user on assignments (account_id, user_id, id);
create index assignments_of_lead on assignments (account_id, lead_id);

create table notification_settings (
  account_id uuid not null,
  user_id uuid not null,
  by_push boolean not null default true,
  by_mail boolean not null default false,
  -- Minutes of the day, IST. Null: no quiet hours.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  digest boolean not null default true,
  created_at timestamptz not null,
  primary key (account_id, user_id)
);

-- A browser that gets push messages for a user.
create table push_subscriptions (
  account_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create index push_subscriptions_of_user on push_subscriptions (account_id, user_id, created_at);

-- What is sent once a day: the process that writes the row sends it. `subject_id` is a user or a webhook.
create table sent_notices (
  account_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  day date not null,
  primary key (account_id, kind, subject_id, day)
);
