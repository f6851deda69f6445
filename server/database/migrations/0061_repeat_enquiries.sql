-- compatible: yes
-- Leads that enquire again, and open leads that go cold.

-- The last enquiry of a lead that existed, where it came from, and the beginning of its message. Null: none since the lead was created.
alter table leads
  add column enquired_again_at timestamptz(0),
  add column enquired_again_source text,
  add column enquired_again_message text;
create index leads_enquired_again on leads (account_id, enquired_again_at desc, id desc)
  include (assigned_to, enquired_again_source) where enquired_again_at is not null;
-- Not called since.
create index leads_to_answer on leads (account_id, assigned_to, enquired_again_at desc, id desc)
  where enquired_again_at is not null and (last_call_at is null or last_call_at < enquired_again_at);
create index leads_going_cold on leads (account_id, assigned_to, (coalesce(last_call_at, created_at)), id)
  where status in ('Qualified', 'Proposal') and call_again_at is null;

-- The lead enquired again: its owner is notified of that.
alter table assignments add column enquired_again boolean not null default false;

-- After so many days without a call or a time to call again, a lead in Qualified or Proposal is going cold.
alter table accounts add column going_cold_after smallint not null default 7 check (going_cold_after between 1 and 90);
