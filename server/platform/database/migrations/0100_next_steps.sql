-- compatible: yes
-- Each open lead has a next step, or a reason why it has none, and closing a lead ends its next step.

alter table leads
  -- Why its owner plans no next step. Another next step, a later call or enquiry, and a change of the status set it to null.
  add column no_next_step text,
  -- When it became Won or Lost. Null: it is open, or was closed in a version that did not keep it.
  add column closed_at timestamptz(0);
-- In minutes: when a lead that was not reached once is called again.
alter table accounts add column first_retry_after smallint not null default 120 check (first_retry_after between 15 and 1440);

-- Leads that were called, and for which nothing is planned. Those in Qualified and Proposal go cold, so of them only the last ones are read.
create index leads_no_next_step on leads (account_id, assigned_to, last_call_at, id) include (last_call_outcome, attempts)
  where status in ('New', 'Contacted') and last_call_at is not null and call_again_at is null and no_next_step is null;
create index leads_no_next_step_before_cold on leads (account_id, assigned_to, last_call_at, id) include (last_call_outcome, attempts)
  where status in ('Qualified', 'Proposal') and last_call_at is not null and call_again_at is null and no_next_step is null;

update leads set call_again_at = null, call_again_set_at = null, remind_at = null, reminded_at = null
where call_again_at is not null and status in ('Won', 'Lost');
