-- compatible: yes
-- Reassigning all leads of a deactivated person, in batches that any process continues after a restart. A person may
-- have hundreds of thousands, and whatever changes one of them must not wait for all.
create table lead_reassignments (
  account_id uuid not null,
  id uuid not null,
  from_user uuid not null,
  -- Null: they become unassigned.
  to_user uuid,
  state text not null check (state in ('running', 'done', 'stopped')),
  total bigint not null,
  moved bigint not null default 0,
  -- What each lead's timeline says.
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

grant select, insert, update, delete on lead_reassignments to lead_engine_app;
grant select on lead_reassignments to lead_engine_directory;
alter table lead_reassignments enable row level security;
create policy settings on lead_reassignments to lead_engine_app
  using (account_id = acting_account() and acting_for_all());
create policy directory on lead_reassignments for select to lead_engine_directory using (true);

-- Hands at most so many leads of a person to another, or to nobody: the leads, what carries their assignee, and the
-- counts, in the slot for batches. Returns how many. A lead that is being changed just now is left for a later batch.
create function reassign_some_leads(
  account uuid, from_person uuid, to_person uuid, moment timestamptz, entry_summary text, entry_details jsonb, most integer
) returns bigint language plpgsql as $$
declare
  moved uuid[];
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  bulk constant smallint := 8;
begin
  moved := array(
    select id from leads where account_id = account and assigned_to = from_person
    order by created_at desc, id desc limit most for update skip locked
  );
  if cardinality(moved) = 0 then
    return 0;
  end if;
  with counted as (
    select (created_at at time zone interval '05:30')::date as day, status, source, priority, count(*) as n
    from unnest(moved) as lead join leads on account_id = account and id = lead group by 1, 2, 3, 4
  ), both_sides as (
    select day, status, source, priority, from_person as whose, -n as n from counted
    union all select day, status, source, priority, coalesce(to_person, nobody), n from counted
  ), by_day as (
    insert into lead_day_counts (account_id, day, assigned_to, slot, n)
    select account, day, whose, bulk, sum(n) from both_sides group by day, whose order by day, whose
    on conflict (account_id, day, assigned_to, slot) do update set n = lead_day_counts.n + excluded.n
  )
  insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n)
  select account, day, status, source, priority, whose, bulk, n from both_sides order by 2, 3, 4, 5, 6
  on conflict (account_id, day, status, source, priority, assigned_to, slot)
  do update set n = lead_counts.n + excluded.n;
  perform reassign_calls_of(account, moved, to_person);
  update timeline_entries set assigned_to = to_person
  from unnest(moved) as lead where account_id = account and lead_id = lead;
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  select account, lead, to_person, moment, 'reassigned', entry_summary, entry_details from unnest(moved) as lead;
  update leads set assigned_to = to_person, updated_at = moment
  from unnest(moved) as lead where account_id = account and id = lead;
  return cardinality(moved);
end
$$;
