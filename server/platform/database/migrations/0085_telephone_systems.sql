-- compatible: no
-- Calls that telephone systems report by webhook.

-- Numbers, extensions, emails and logins by which telephone systems name users. Without a user: seen in calls, and not known yet.
create table phone_lines (
  account_id uuid not null,
  -- As it is compared: E.164, or in lower case.
  line text collate "C" not null,
  written text not null,
  user_id uuid,
  seen_at timestamptz(0),
  added_at timestamptz(0) not null,
  primary key (account_id, line),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index phone_lines_of_user on phone_lines (account_id, user_id) where user_id is not null;
create index phone_lines_unknown on phone_lines (account_id, seen_at desc) where user_id is null;

-- A call as its telephone system reports it, in one or several events, in any order. Its call log is written when the call has ended.
create table phone_calls (
  account_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  -- The system's id of the call, the same in all its events. Null: the lead, the direction and the start identify it.
  platform_id text,
  -- Null until an event has the customer's number.
  lead_id uuid,
  -- The owner of the lead.
  assigned_to uuid,
  -- The customer's number, as the system wrote it: for users who are rung and do not see the lead.
  phone text,
  -- The users who are rung, or who spoke.
  user_ids uuid[] not null default '{}',
  state text not null check (state in ('ringing', 'answered', 'ended')),
  call_type text not null check (call_type in ('Inbound', 'Outbound')),
  started_at timestamptz(0) not null,
  -- What its events said (joinEvents in server/calls/join-events.ts).
  facts jsonb not null,
  -- Kept when the call log is deleted, so that a repeated event does not write it again.
  call_log_id uuid,
  changed_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade,
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);
create index phone_calls_by_platform_id on phone_calls (account_id, platform_id) where platform_id is not null;
create index phone_calls_of_lead on phone_calls (account_id, lead_id, started_at desc);
create index phone_calls_open on phone_calls (account_id, changed_at) where state <> 'ended';
create index phone_calls_oldest on phone_calls (account_id, changed_at);
create unique index phone_calls_by_log on phone_calls (account_id, call_log_id) where call_log_id is not null;
