-- compatible: yes
-- Reports count new leads for who owned them first. Null: who owns it now.

alter table leads add column first_assignee uuid;

-- From their timelines.
update leads set first_assignee = past.first_assignee
from (
  select distinct on (entry.account_id, entry.lead_id) entry.account_id, entry.lead_id,
    case
      when entry.kind = 'reassigned' then (entry.details->>'from')::uuid
      else (select users.id from users where users.account_id = entry.account_id and users.email = change->>'before')
    end as first_assignee
  from timeline_entries entry
  left join lateral jsonb_array_elements(
    case when jsonb_typeof(entry.details->'changes') = 'array' then entry.details->'changes' else '[]' end
  ) change on change->>'field' = 'assigned_to'
  where (entry.kind = 'reassigned' and entry.details->>'from' is not null) or change->>'before' is not null
  order by entry.account_id, entry.lead_id, entry.id
) past
where leads.account_id = past.account_id and leads.id = past.lead_id;

drop index leads_figures;
create index leads_figures on leads (account_id, created_at desc, id desc)
  include (assigned_to, first_assignee, source, status, status_before_close, last_call_at, first_call_at, deal_paise);
