-- compatible: no
-- Notices have a kind.

-- What a user is notified of, about a lead. `state`: what was sent. `notify_at`: when the next step is due; null when none is left.
create table notices (
  account_id uuid not null,
  id bigint generated always as identity,
  -- server/notifications/kinds.ts has what is sent.
  kind text not null,
  user_id uuid not null,
  lead_id uuid not null,
  -- What else its kind needs: server/notices/add-notice.ts.
  about jsonb not null default '{}',
  at timestamptz not null,
  state text not null default 'new' check (state in ('new', 'notified', 'alerted')),
  notify_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);
create index notices_due on notices (account_id, notify_at) where notify_at is not null;
create index notices_of_user on notices (account_id, user_id, id);
create index notices_of_lead on notices (account_id, lead_id);

insert into notices (account_id, id, kind, user_id, lead_id, about, at, state, notify_at) overriding system value
select account_id, id,
  case when call_log_id is not null then 'missed_call'
    when submitted_by is not null then 'submission'
    when passed_on_to is not null then 'passed_on'
    when offered then 'offered'
    when enquired_again then 'enquired_again'
    when leads > 1 then 'assigned_in_bulk'
    else 'assigned' end,
  user_id, lead_id,
  case when call_log_id is not null then jsonb_build_object('call_log_id', call_log_id)
    when submitted_by is not null then jsonb_build_object('user_id', submitted_by)
    when passed_on_to is not null then jsonb_build_object('user_id', passed_on_to)
    when leads > 1 then jsonb_build_object('leads', leads)
    else '{}' end,
  at, state, notify_at
from assignments;
select setval(pg_get_serial_sequence('notices', 'id'), (select coalesce(max(id), 0) + 1 from notices), false);
-- What undoing a merge of leads moves back.
update merged_leads set undo = jsonb_set(undo #- '{moved,assignments}', '{moved,notices}', undo #> '{moved,assignments}')
where undo #> '{moved,assignments}' is not null;
drop table assignments;
