-- compatible: yes
-- Rows that the database rejected, as [{"at": 17, "reason": "…"}]: an import that continues lists them again, without a second
-- attempt to save them.
alter table lead_imports add column rejections jsonb not null default '[]';
