-- compatible: yes
-- Leads that were imported or changed to an open status without a call: the last part of the call queue.
create index leads_never_called on leads (account_id, assigned_to, created_at desc, id desc)
  where status in ('Contacted', 'Qualified', 'Proposal') and last_call_at is null and call_again_at is null;
