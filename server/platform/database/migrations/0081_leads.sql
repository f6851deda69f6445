-- compatible: no
-- functions: search_key, tag_terms
-- Leads and what belongs to them. account_id comes first in every key and index, so that accounts can be on different machines.
-- Times of leads and calls are whole seconds, as in answers: the order of a list is the order that its reader sees.

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
  -- time of a list. Null: built for the answer. Set it to null if you change a lead in SQL.
  answer_start text,
  -- Of its calls: the last one, and how many were made to the lead.
  last_call_at timestamptz(0),
  last_call_outcome text,
  attempts integer not null default 0,
  -- When its owner wants to call it again. A call at that time or later sets it to null.
  call_again_at timestamptz(0),
  -- Reminders of that call: when it was set, when its next reminder is due (null: none is), and when the first one was sent.
  call_again_set_at timestamptz(0),
  remind_at timestamptz(0),
  reminded_at timestamptz(0),
  -- Since the lead was created.
  first_call_at timestamptz(0),
  -- The last enquiry of a lead that existed, where it came from, and the beginning of its message. Null: none since the lead was created.
  enquired_again_at timestamptz(0),
  enquired_again_source text,
  enquired_again_message text,
  -- One of the reasons of the account, or one that it had.
  lost_reason text,
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
  foreign key (account_id, assigned_to) references users (account_id, id)
);

-- Lists, newest first, and figures of them, without reading the leads themselves.
create index leads_figures on leads (account_id, created_at desc, id desc)
  include (assigned_to, source, status, last_call_at, first_call_at, deal_paise, lost_reason);
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
-- Imported or changed to an open status without a call: the last part of the queue.
create index leads_never_called on leads (account_id, assigned_to, created_at desc, id desc)
  where status in ('Contacted', 'Qualified', 'Proposal') and last_call_at is null and call_again_at is null;
create index leads_enquired_again on leads (account_id, enquired_again_at desc, id desc)
  include (assigned_to, enquired_again_source) where enquired_again_at is not null;
-- Not called since.
create index leads_to_answer on leads (account_id, assigned_to, enquired_again_at desc, id desc)
  where enquired_again_at is not null and (last_call_at is null or last_call_at < enquired_again_at);
-- With what its condition reads, so that leads going cold are counted without reading the leads themselves.
create index leads_going_cold on leads (account_id, assigned_to, (coalesce(last_call_at, created_at)), id)
  include (last_call_at, created_at, source) where status in ('Qualified', 'Proposal') and call_again_at is null;
create index leads_to_remind on leads (account_id, remind_at) where remind_at is not null;

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
  -- Who spoke: a user, or what the telephone system calls somebody who is no known user (`agent`).
  called_by uuid,
  agent text,
  recording_url text,
  -- Null: the call is as it was logged.
  changed_at timestamptz(0),
  primary key (account_id, id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);
-- Lists, and figures of them, without reading the calls themselves.
create index call_logs_figures on call_logs (account_id, called_at desc, id desc)
  include (assigned_to, called_by, call_type, outcome, duration_seconds);
create index call_logs_by_caller on call_logs (account_id, called_by, called_at desc, id desc);
create index call_logs_by_agent on call_logs (account_id, agent, called_at desc) where agent is not null;
-- What changed since a time. Policies do not let conditions with COALESCE use an index, because it may reveal values of other rows, but
-- those with CASE.
create index call_logs_by_change on call_logs
  (account_id, (case when changed_at is null then created_at else changed_at end), id);
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
  -- The lead called the user, and was missed. Null: it came to the user.
  call_log_id uuid,
  -- The lead enquired again: its owner is notified of that.
  enquired_again boolean not null default false,
  -- The user who entered the customer in the web app and does not see the lead: its owner is notified. Else null.
  submitted_by uuid,
  -- The lead passed on from the user to this one. Null for all other notices.
  passed_on_to uuid,
  -- Of a bulk change: how many leads came to the user. They are one notification.
  leads integer not null default 1,
  -- The lead is offered to the user.
  offered boolean not null default false,
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
  -- In which the browser subscribed. Without it, or after its end, the browser gets no messages.
  session_id uuid,
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
