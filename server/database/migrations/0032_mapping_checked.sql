-- compatible: yes
-- Whether the owner has saved or confirmed the mapping: until then, an unsure proposal needs attention.
alter table webhooks add column mapping_checked boolean not null default false;
