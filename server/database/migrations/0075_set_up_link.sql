-- compatible: yes
-- The link with which the first Admin of an installation chooses a password, and names the account and themselves.

alter table password_links drop constraint password_links_kind_check;
alter table password_links add constraint password_links_kind_check check (kind in ('invitation', 'reset', 'setup'));
