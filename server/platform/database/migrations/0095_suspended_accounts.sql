-- compatible: yes
-- Accounts can be suspended, and are closed while they are restored or deleted.

-- A suspended account answers nobody, and keeps its deliveries until it is resumed.
alter table accounts add column suspended_at timestamptz(0);
alter table accounts add column resumed_at timestamptz(0);
-- While a command replaces or deletes all rows, act_as admits nobody.
alter table accounts add column closed_for text check (closed_for in ('restore', 'delete'));
