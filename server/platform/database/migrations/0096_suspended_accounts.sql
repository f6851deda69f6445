-- compatible: yes
-- Accounts can be suspended, and are closed while they are restored or deleted.

-- The users and API keys of a suspended account are rejected, and its deliveries wait until it is resumed.
alter table accounts add column suspended_at timestamptz(0);
alter table accounts add column resumed_at timestamptz(0);
-- While a command replaces or deletes all rows, act_as rejects every actor.
alter table accounts add column closed_for text check (closed_for in ('restore', 'delete'));
