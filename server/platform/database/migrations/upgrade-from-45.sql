-- Brings the tables of version 0.2 to the baseline (0080 to 0082), and removes what 0083 and the functions and policies create again.
do $$
declare
  policy record;
begin
  for policy in
    select policyname, tablename from pg_policies
    where schemaname = 'public' and roles && '{lead_engine_app, lead_engine_directory}'::name[]
  loop
    execute format('drop policy %I on %I', policy.policyname, policy.tablename);
  end loop;
end
$$;
drop table lead_counts, lead_day_counts, lead_totals, lead_field_totals, lead_value_totals, lead_marks, call_counts, delivery_counts;

alter table leads drop constraint leads_account_id_fkey;
alter table leads alter column answer_start drop expression;
alter table leads alter column answer_start drop not null;
drop index deliveries_oldest;
revoke all on active_users from lead_engine_app;

alter table accounts
  add column answering_user_owns boolean not null default false,
  add column going_cold_after smallint not null default 7 check (going_cold_after between 1 and 90),
  add column names_owner boolean not null default true,
  add column fallback_owner uuid,
  add column first_start text not null default 'new' check (first_start in ('new', 'started', 'ended')),
  add column first_start_skipped text[] not null default '{}',
  add column win_probabilities jsonb not null default '{"New": 5, "Contacted": 10, "Qualified": 30, "Proposal": 60}',
  add column lost_reasons text[] not null default '{Too expensive,Bought elsewhere,Not interested,Not reachable,Wrong enquiry}';
alter table users
  add column work_days text check (work_days ~ '^1?2?3?4?5?6?7?$' and work_days <> ''),
  add column work_from smallint check (work_from between 0 and 1439),
  add column work_until smallint check (work_until between 1 and 1440),
  add column absences jsonb not null default '[]',
  add column language text check (length(language) <= 20);
alter table password_links drop constraint password_links_kind_check;
alter table password_links add constraint password_links_kind_check check (kind in ('invitation', 'reset', 'setup'));
drop index audit_log_latest, audit_log_by_person;
create index audit_log_latest on audit_log (account_id, at desc, id desc)
  where via not in ('web', 'command') or via_id is null or action = 'leads.imported';
create index audit_log_by_person on audit_log (account_id, user_id, at desc, id desc)
  where user_id is not null and (via not in ('web', 'command') or via_id is null or action = 'leads.imported');
create index audit_log_of_import on audit_log (account_id, via_id, at desc, id desc)
  where via in ('web', 'command') and via_id is not null;

alter table leads
  drop constraint leads_check,
  add column call_again_set_at timestamptz(0),
  add column remind_at timestamptz(0),
  add column reminded_at timestamptz(0),
  add column first_call_at timestamptz(0),
  add column enquired_again_at timestamptz(0),
  add column enquired_again_source text,
  add column enquired_again_message text,
  add column lost_reason text;
drop index leads_newest;
create index leads_figures on leads (account_id, created_at desc, id desc)
  include (assigned_to, source, status, last_call_at, first_call_at, deal_paise, lost_reason);
create index leads_never_called on leads (account_id, assigned_to, created_at desc, id desc)
  where status in ('Contacted', 'Qualified', 'Proposal') and last_call_at is null and call_again_at is null;
create index leads_enquired_again on leads (account_id, enquired_again_at desc, id desc)
  include (assigned_to, enquired_again_source) where enquired_again_at is not null;
create index leads_to_answer on leads (account_id, assigned_to, enquired_again_at desc, id desc)
  where enquired_again_at is not null and (last_call_at is null or last_call_at < enquired_again_at);
create index leads_going_cold on leads (account_id, assigned_to, (coalesce(last_call_at, created_at)), id)
  include (last_call_at, created_at, source) where status in ('Qualified', 'Proposal') and call_again_at is null;
create index leads_to_remind on leads (account_id, remind_at) where remind_at is not null;
alter table call_logs
  add column called_by uuid,
  add column agent text,
  add column recording_url text,
  add column changed_at timestamptz(0);
drop index call_logs_newest;
create index call_logs_figures on call_logs (account_id, called_at desc, id desc)
  include (assigned_to, called_by, call_type, outcome, duration_seconds);
create index call_logs_by_caller on call_logs (account_id, called_by, called_at desc, id desc);
create index call_logs_by_agent on call_logs (account_id, agent, called_at desc) where agent is not null;
create index call_logs_by_change on call_logs
  (account_id, (case when changed_at is null then created_at else changed_at end), id);
alter table assignments
  add column call_log_id uuid,
  add column enquired_again boolean not null default false,
  add column submitted_by uuid,
  add column passed_on_to uuid,
  add column leads integer not null default 1,
  add column offered boolean not null default false;
alter table push_subscriptions add column session_id uuid;

alter table webhooks add column secret_token text;
alter table deliveries drop constraint deliveries_outcome_check;
alter table deliveries
  add constraint deliveries_outcome_check
    check (outcome in ('created', 'merged', 'rejected', 'test', 'duplicate', 'ignored', 'ready', 'waiting')),
  add column finish_at timestamptz(3);
create index deliveries_waiting on deliveries (account_id, finish_at) where outcome = 'waiting';
create index deliveries_unanswered on deliveries (account_id, webhook_id, body_hash)
  where body_hash is not null and body_size is null;
alter table webhook_storage drop constraint webhook_storage_kind_check;
alter table webhook_storage add constraint webhook_storage_kind_check check (kind in ('lead', 'rejected', 'turned_away', 'lost'));
alter table distribution_rules
  add column method text not null default 'round_robin' check (method in ('round_robin', 'first_to_claim')),
  add column pass_on_after smallint check (pass_on_after between 1 and 480),
  add column paused boolean not null default false,
  add column daily_limit smallint check (daily_limit between 1 and 999),
  add check (method = 'round_robin' or pass_on_after is not null);
alter table distribution_turns
  drop column turns,
  drop column returned,
  add column credits jsonb not null default '{}',
  add column taken jsonb not null default '{}';

drop function act_as, acting_account, acting_for, acting_for_all, acting_people, acting_person, call_previews_of_lead, calls_of_lead,
  contact_hash, contact_pattern, count_calls, count_in_field_total, count_in_total, count_leads, counted_days, create_call_log,
  create_lead, create_new_lead, forget_deliveries, forget_lead_marks, forget_person, lead_answer_start, leads_with_tag, may_act_for,
  name_pattern, newest_leads, newest_leads_of, note_assignment, note_calls, preview_of, reassign_calls, reassign_calls_of, reassign_leads,
  reassign_some_leads, record_delivery_of_new_lead, return_turns, take_turns, uncount_calls;
