-- compatible: yes
-- Reports, the value of deals, and why leads are lost.

-- The first call since the lead was created, and why the lead is lost: one of the reasons of the account, or one that it had.
alter table leads
  add column first_call_at timestamptz(0),
  add column lost_reason text;
update leads set first_call_at = (
  select min(called_at) from call_logs
  where account_id = leads.account_id and lead_id = leads.id and called_at >= leads.created_at
) where last_call_at is not null;

-- Lists, and figures of them, without reading the leads themselves.
create index leads_figures on leads (account_id, created_at desc, id desc)
  include (assigned_to, source, status, last_call_at, first_call_at, deal_paise, lost_reason);
drop index leads_newest;
-- As before, with what its condition reads, so that leads going cold are counted without reading the leads themselves.
drop index leads_going_cold;
create index leads_going_cold on leads (account_id, assigned_to, (coalesce(last_call_at, created_at)), id)
  include (last_call_at, created_at, source) where status in ('Qualified', 'Proposal') and call_again_at is null;

-- In percent, for each open status. What a user may choose when a lead is lost, in order.
alter table accounts
  add column win_probabilities jsonb not null default '{"New": 5, "Contacted": 10, "Qualified": 30, "Proposal": 60}',
  add column lost_reasons text[] not null default '{Too expensive,Bought elsewhere,Not interested,Not reachable,Wrong enquiry}';

-- What a source costs in a month, which is named by its first day.
create table source_costs (
  account_id uuid not null,
  source text not null,
  month date not null,
  cost numeric(15, 2) not null check (cost >= 0),
  primary key (account_id, source, month)
);

grant select, insert, update, delete on source_costs to lead_engine_app;
alter table source_costs enable row level security;
create policy whole_account on source_costs to lead_engine_app using (account_id = (select acting_account()) and (select acting_for_all()));

-- As before, with the first call.
create or replace function note_calls(account uuid, of_leads uuid[], outgoing integer[]) returns void language plpgsql as $$
begin
  update leads set attempts = attempts + noted.outgoing,
    (last_call_at, last_call_outcome) = (
      select called_at, outcome from call_logs where account_id = account and lead_id = leads.id
      order by called_at desc, id desc limit 1
    ),
    first_call_at = (
      select min(called_at) from call_logs
      where account_id = account and lead_id = leads.id and called_at >= leads.created_at
    ),
    call_again_at = case when call_again_at <= (
      select max(called_at) from call_logs where account_id = account and lead_id = leads.id
    ) or exists (
      select from call_logs where account_id = account and lead_id = leads.id
        and called_at >= leads.call_again_at - interval '15 minutes' and called_at > leads.call_again_set_at
        and not (call_type = 'Inbound' and (duration_seconds = 0 or outcome = 'Missed'))
    ) then null else call_again_at end
  from unnest(of_leads, outgoing) as noted (lead, outgoing)
  where account_id = account and id = noted.lead;
end
$$;
