-- compatible: yes
-- The customer's number, as the telephone system wrote it: for users who are rung and do not see the lead.
alter table phone_calls add column phone text;
