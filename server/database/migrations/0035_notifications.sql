-- compatible: yes
-- Notifications of users. What was assigned to them is noted with the lead, and notified after the commit.

-- Working hours, in which a lead should be called: days of the week from Monday (1), as '12345', and minutes of the day, IST.
alter table accounts
  add column work_days text not null default '123456' check (work_days ~ '^1?2?3?4?5?6?7?$' and work_days <> ''),
  add column work_from smallint not null default 540 check (work_from between 0 and 1439),
  add column work_until smallint not null default 1140 check (work_until between 1 and 1440),
  -- Working minutes after which an uncalled lead is reported. Null: it is not.
  add column alert_after smallint default 15 check (alert_after between 1 and 480);

-- A lead that came to a user. `state`: what was sent. `notify_at`: when the next step is due; null when nothing is left.
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

-- What is sent once: the process that writes the row sends it. `subject_id` is a user or a webhook.
create table sent_notices (
  account_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  day date not null,
  primary key (account_id, kind, subject_id, day)
);

grant select, insert, update, delete on assignments, notification_settings, push_subscriptions, sent_notices
  to lead_engine_app;
revoke all on assignments, notification_settings, push_subscriptions, sent_notices from lead_engine_directory;

alter table assignments enable row level security;
create policy noted on assignments for insert to lead_engine_app with check (account_id = acting_account());
create policy own on assignments to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

alter table notification_settings enable row level security;
create policy own on notification_settings to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

alter table push_subscriptions enable row level security;
create policy own on push_subscriptions to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));

alter table sent_notices enable row level security;
create policy settings on sent_notices to lead_engine_app using (account_id = acting_account() and acting_for_all());

-- Notes that a lead came to a user, in the transaction that assigns it. Not what users assign to themselves, and nothing of
-- files and replays, whose leads are older.
create function note_assignment(
  account uuid, lead uuid, assignee uuid, person uuid, acting_via text, moment timestamptz
) returns void language plpgsql as $$
begin
  if assignee is null or acting_via = 'command' or (acting_via = 'web' and person is not distinct from assignee)
    or moment < clock_timestamp() - interval '1 hour' then
    return;
  end if;
  insert into assignments (account_id, lead_id, user_id, at, notify_at) values (account, lead, assignee, moment, moment);
end
$$;

create or replace function create_lead(
  account uuid, person uuid, sees text,
  new_id uuid, new_name text, new_email text, new_email_key text, new_phone text, new_phone_key text, new_company text,
  new_city text, new_source text, new_status text, new_priority text, new_tags text[], new_deal_value numeric,
  new_notes text, assignee uuid, moment timestamptz, ist_day date, count_slot smallint,
  entry_summary text, entry_details jsonb, acting_via text, acting_via_id uuid
) returns void language plpgsql as $$
begin
  perform act_as(account, person, sees);
  insert into leads (account_id, id, name, email, email_key, phone, phone_key, company, city, source, status, priority,
    tags, deal_value, notes, assigned_to, created_at, updated_at)
  values (account, new_id, new_name, new_email, new_email_key, new_phone, new_phone_key, new_company, new_city,
    new_source, new_status, new_priority, new_tags, new_deal_value, new_notes, assignee, moment, moment);
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  values (account, new_id, assignee, moment, 'created', entry_summary, entry_details);
  insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
  values (account, moment, person, acting_via, acting_via_id, 'lead.created', new_id);
  perform note_assignment(account, new_id, assignee, person, acting_via, moment);
  perform count_leads(account, ist_day, new_status, new_source, new_priority, assignee, count_slot, 1);
end
$$;
