-- Finding leads by the beginning of a name, a phone or an email, without an extension. Ranges of text are compared in
-- the order of the characters' codes, and `<` and `>=` of text are leakproof: an index may serve them under the
-- policies, which LIKE and the operators of trigrams and text search may not.
alter table leads alter column phone_key type text collate "C", alter column email_key type text collate "C";
alter table leads
  add column name_key text collate "C" generated always as (lower(name)) stored,
  add column last_name_key text collate "C" generated always as (lower(substring(name from '\s(\S+)$'))) stored;

create index leads_by_name on leads (account_id, name_key, id);
create index leads_by_last_name on leads (account_id, last_name_key) where last_name_key is not null;
create index leads_by_update on leads (account_id, updated_at desc, id desc);

-- Overviews and lists of calls ask for rejected deliveries and missed calls.
create index deliveries_refused on deliveries (account_id, received_at desc) where outcome = 'rejected';
create index call_logs_missed on call_logs (account_id, called_at desc, id desc)
  where duration_seconds = 0 or outcome = 'Missed';
