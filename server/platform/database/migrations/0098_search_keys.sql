-- compatible: yes
-- functions: search_key, tag_terms, enquiry_terms
-- Searches find names in each spelling of their script, and sources that differ by case only are one.

-- The sources of an account, as they are compared, in the spelling that a webhook or a lead had first.
create table lead_sources (
  account_id uuid not null,
  key text collate "C" not null,
  name text not null,
  primary key (account_id, key)
);
insert into lead_sources (account_id, key, name)
select distinct on (account_id, key) account_id, key, source from (
  select account_id, coalesce(default_source, source_label) as source, 1 as place, created_at as since from webhooks
  union all select account_id, source, 2, min(created_at) from leads group by account_id, source
  union all select account_id, source, 3, min(at) from enquiries group by account_id, source
) used, lateral (select regexp_replace(btrim(search_key(source)), ' +', ' ', 'g') as key) as compared
order by account_id, key, place, since, source;

update leads set source = lead_sources.name, answer_start = null from lead_sources
where lead_sources.account_id = leads.account_id and key = regexp_replace(btrim(search_key(source)), ' +', ' ', 'g') and lead_sources.name <> source;
update enquiries set source = lead_sources.name from lead_sources
where lead_sources.account_id = enquiries.account_id and key = regexp_replace(btrim(search_key(source)), ' +', ' ', 'g') and lead_sources.name <> source;
update lead_count_changes set source = lead_sources.name from lead_sources
where lead_sources.account_id = lead_count_changes.account_id
  and key = regexp_replace(btrim(search_key(source)), ' +', ' ', 'g') and lead_sources.name <> source;
insert into lead_count_changes (account_id, assigned_to, status, source, priority, day, n)
select counts.account_id, assigned_to, status, moved.source, priority, day, moved.n
from lead_counts counts
join lead_sources on lead_sources.account_id = counts.account_id
  and key = regexp_replace(btrim(search_key(source)), ' +', ' ', 'g') and lead_sources.name <> source,
lateral (values (counts.source, -counts.n), (lead_sources.name, counts.n)) as moved (source, n)
where assigned_to is not null and status is not null and priority is not null;
insert into origin_costs (account_id, kind, name, month, cost)
select costs.account_id, kind, lead_sources.name, month, sum(cost)
from origin_costs costs
join lead_sources on lead_sources.account_id = costs.account_id
  and key = regexp_replace(btrim(search_key(costs.name)), ' +', ' ', 'g') and lead_sources.name <> costs.name
where kind = 'source' group by 1, 2, 3, 4
on conflict (account_id, kind, name, month) do update set cost = origin_costs.cost + excluded.cost;
delete from origin_costs using lead_sources
where kind = 'source' and lead_sources.account_id = origin_costs.account_id
  and key = regexp_replace(btrim(search_key(origin_costs.name)), ' +', ' ', 'g') and lead_sources.name <> origin_costs.name;

-- What searches and sorted lists compare. The table and its indexes are written again, once for all columns.
alter table leads
  drop column name_key,
  drop column last_name_key,
  drop column company_key,
  drop column city_key,
  add column name_key text collate "C" generated always as (search_key(name)) stored,
  add column last_name_key text collate "C" generated always as (search_key(substring(name, '\s(\S+)$'))) stored,
  add column company_key text collate "C" generated always as (search_key(company)) stored,
  add column city_key text collate "C" generated always as (search_key(city)) stored;
create index leads_by_name on leads (account_id, name_key, id);
create index leads_by_last_name on leads (account_id, last_name_key) where last_name_key is not null;
create index leads_by_company on leads (account_id, company_key) where company_key is not null;
create index leads_by_city on leads (account_id, city_key, created_at desc, id desc) where city_key is not null;

reindex index enquiries_by_word;
