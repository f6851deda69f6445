-- compatible: yes
-- The ids of deleted leads, without personal data: a lead that comes back from a backup is deleted again.
create table erased_leads (
  account_id uuid not null,
  lead_id uuid not null,
  at timestamptz(3) not null,
  primary key (account_id, lead_id)
);

create index erased_leads_by_time on erased_leads (at);

grant insert on erased_leads to lead_engine_app;
grant select on erased_leads to lead_engine_directory;

alter table erased_leads enable row level security;
create policy own_account on erased_leads for insert to lead_engine_app with check (account_id = acting_account());
create policy directory on erased_leads for select to lead_engine_directory using (true);
