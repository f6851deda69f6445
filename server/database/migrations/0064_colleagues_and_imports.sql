-- compatible: yes
-- Notices about customers that colleagues enter, and one audit entry for an import.

-- Whether a user who enters a colleague's customer sees the colleague's name.
alter table accounts add column names_owner boolean not null default true;

-- The user who entered the customer in the web app and does not see the lead: its owner is notified. Else null.
alter table assignments add column submitted_by uuid;

-- Changes of an import have its id as `via_id`: `via` is then `web` or `command`. Lists show the import as one entry, without reading
-- its changes.
drop index audit_log_latest;
drop index audit_log_by_person;
create index audit_log_latest on audit_log (account_id, at desc, id desc)
  where via not in ('web', 'command') or via_id is null or action = 'leads.imported';
create index audit_log_by_person on audit_log (account_id, user_id, at desc, id desc)
  where user_id is not null and (via not in ('web', 'command') or via_id is null or action = 'leads.imported');
create index audit_log_of_import on audit_log (account_id, via_id, at desc, id desc)
  where via in ('web', 'command') and via_id is not null;
