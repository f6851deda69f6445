-- compatible: yes
-- Reports count what was won, lost and missed for who owned the lead at that time.

alter table leads
  -- Who owned it when it was closed, and its status before. Null: unassigned, and not known.
  add column assignee_at_close uuid,
  add column status_before_close text,
  -- How it was closed before its status changed: as {status, closed_at, assignee, before, until}. Until then, the same status restores it.
  add column former_closing jsonb;
alter table call_logs
  -- Who owned the lead when it was called. Null: who owns it now. Zeros: unassigned.
  add column assignee_at_call uuid;

-- From their timelines. A lead that was created closed has no entry of it.
update leads set closed_at = coalesce(leads.closed_at, past.closed_at), assignee_at_close = past.assignee,
  status_before_close = past.status_before
from (
  select lead.account_id, lead.id, coalesce(closing.at, lead.created_at) as closed_at,
    case when moved.from_assignee is null then lead.assigned_to else nullif(moved.from_assignee, '00000000-0000-0000-0000-000000000000') end
      as assignee,
    case when closing.before not in ('Won', 'Lost') then closing.before end as status_before
  from leads lead
  left join lateral (
    select entry.at, entry.id, change->>'before' as before
    from timeline_entries entry,
      lateral jsonb_array_elements(case when jsonb_typeof(entry.details->'changes') = 'array' then entry.details->'changes' else '[]' end) change
    where entry.account_id = lead.account_id and entry.lead_id = lead.id and change->>'field' = 'status'
      and change->>'after' = lead.status
    order by entry.id desc limit 1
  ) closing on true
  left join lateral (
    select coalesce(
      case when entry.kind = 'reassigned' then (entry.details->>'from')::uuid end,
      (select users.id from users where users.account_id = lead.account_id and users.email = change->>'before'),
      case when change->>'before' is null then '00000000-0000-0000-0000-000000000000'::uuid end
    ) as from_assignee
    from timeline_entries entry
    left join lateral jsonb_array_elements(
      case when jsonb_typeof(entry.details->'changes') = 'array' then entry.details->'changes' else '[]' end
    ) change on change->>'field' = 'assigned_to'
    where entry.account_id = lead.account_id and entry.lead_id = lead.id and entry.id > coalesce(closing.id, 0)
      and (entry.kind = 'reassigned' or change is not null)
    order by entry.id limit 1
  ) moved on true
  where lead.status in ('Won', 'Lost')
) past
where leads.account_id = past.account_id and leads.id = past.id;

-- When an open lead is expected to be won.
alter table leads add column expected_close date;

drop index leads_figures;
create index leads_figures on leads (account_id, created_at desc, id desc)
  include (assigned_to, source, status, status_before_close, last_call_at, first_call_at, deal_paise);
create index leads_forecast on leads (account_id, expected_close) include (assigned_to, source, status, deal_paise)
  where closed_at is null and deal_paise is not null;
create index leads_closed on leads (account_id, closed_at, id)
  include (assigned_to, assignee_at_close, status, status_before_close, source, deal_paise, lost_reason) where closed_at is not null;
