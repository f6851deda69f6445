-- compatible: yes
-- functions: search_key, tag_terms, enquiry_terms
-- Searches find names in each spelling of their script.

-- What searches and sorted lists compare. The table and its indexes are written again, once for all columns.
alter table leads
  drop column name_key,
  drop column last_name_key,
  drop column company_key,
  drop column city_key,
  add column name_key text collate "C" generated always as (search_key(name)) stored,
  add column last_name_key text collate "C" generated always as (substring(search_key(name), '\s(\S+)$')) stored,
  add column company_key text collate "C" generated always as (search_key(company)) stored,
  add column city_key text collate "C" generated always as (search_key(city)) stored;
create index leads_by_name on leads (account_id, name_key, id);
create index leads_by_last_name on leads (account_id, last_name_key) where last_name_key is not null;
create index leads_by_company on leads (account_id, company_key) where company_key is not null;
create index leads_by_city on leads (account_id, city_key, created_at desc, id desc) where city_key is not null;

reindex index enquiries_by_word;
