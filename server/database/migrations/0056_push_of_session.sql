-- compatible: yes
-- The session in which the browser subscribed. Without it, or after its end, the browser gets no messages.
alter table push_subscriptions add column session_id uuid;
