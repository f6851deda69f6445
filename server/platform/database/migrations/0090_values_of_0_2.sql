-- compatible: no
-- Fills the columns that version 0.2 did not have, in its databases and backups. A new database has no rows.
update accounts set first_start = 'ended';
update leads set remind_at = call_again_at where call_again_at > now() and status not in ('Won', 'Lost');
update leads set first_call_at = (
  select min(called_at) from call_logs
  where account_id = leads.account_id and lead_id = leads.id and called_at >= leads.created_at
) where last_call_at is not null;
-- Calls were counted for the owner of their lead.
update call_logs set called_by = assigned_to where assigned_to is not null;
-- What was certain or likely is sure.
update webhooks set proposal = regexp_replace(proposal::text, '"confidence": "(certain|likely)"', '"confidence": "sure"', 'g')::jsonb
where proposal::text ~ '"confidence": "(certain|likely)"';
