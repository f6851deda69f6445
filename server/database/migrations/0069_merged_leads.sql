-- compatible: yes
-- Leads that users merge into another lead, and leads that may be duplicates.

-- A lead that a user merged into another one. Its id leads to the lead that was kept.
create table merged_leads (
  account_id uuid not null,
  lead_id uuid not null,
  kept_lead_id uuid not null,
  merged_at timestamptz(3) not null,
  merged_by uuid,
  -- What undoing the merge needs: both leads before it, and the ids of what moved. Null after a day.
  undo jsonb,
  primary key (account_id, lead_id),
  foreign key (account_id, kept_lead_id) references leads (account_id, id) on delete cascade
);
create index merged_leads_of_kept on merged_leads (account_id, kept_lead_id, merged_at);
create index merged_leads_to_forget on merged_leads (account_id, merged_at) where undo is not null;

grant select, insert, update, delete on merged_leads to lead_engine_app;
alter table merged_leads enable row level security;
create policy whole_account on merged_leads to lead_engine_app using (account_id = acting_account() and acting_for_all());

-- Until now, only submissions found conflicts, and no user saw them. The smaller id comes first, so that a pair is listed once.
alter table lead_conflicts
  add column reason text not null default 'submission' check (reason in ('submission', 'name_and_city', 'near_phone')),
  -- When a user said that they are two people. Kept, so that the pair is not suggested again.
  add column dismissed_at timestamptz(3);
insert into lead_conflicts (account_id, lead_id, other_lead_id, found_at)
  select account_id, other_lead_id, lead_id, found_at from lead_conflicts where other_lead_id < lead_id
  on conflict do nothing returning 1;
delete from lead_conflicts where other_lead_id < lead_id;
create index lead_conflicts_open on lead_conflicts (account_id, found_at desc) where dismissed_at is null;
grant update on lead_conflicts to lead_engine_app;

-- Up to which `updated_at` the leads of an account were compared with others.
create table duplicate_searches (
  account_id uuid not null,
  searched_until timestamptz(0) not null,
  last_lead_id uuid not null,
  primary key (account_id)
);
grant select, insert, update on duplicate_searches to lead_engine_app;
alter table duplicate_searches enable row level security;
create policy whole_account on duplicate_searches to lead_engine_app using (account_id = acting_account() and acting_for_all());

-- Counts again what a lead keeps of its calls, after calls moved to or from it.
create function recount_calls(account uuid, of_lead uuid) returns void language plpgsql as $$
begin
  update leads set attempts = (
      select count(*) from call_logs where account_id = account and lead_id = of_lead and call_type = 'Outbound'
    ), (last_call_at, last_call_outcome) = (
      select called_at, outcome from call_logs where account_id = account and lead_id = of_lead
      order by called_at desc, id desc limit 1
    ), first_call_at = (
      select min(called_at) from call_logs where account_id = account and lead_id = of_lead and called_at >= leads.created_at
    )
  where account_id = account and id = of_lead;
end
$$;
