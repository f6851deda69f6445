-- compatible: no
-- functions: search_key, enquiry_terms
-- Leads keep their enquiries.

-- What one person sent once. It has the assignee of its lead, changed in the same transaction, so that policies need no join.
create table enquiries (
  account_id uuid not null,
  lead_id uuid not null,
  id bigint generated always as identity,
  assigned_to uuid,
  -- Of the first submission, and of the last that belongs to the same enquiry.
  at timestamptz(0) not null,
  last_at timestamptz(0) not null,
  -- Who sent it: a webhook, an API key or an import.
  via text not null,
  via_id uuid,
  -- The folder of the sender in server/intake/payload/senders. Null: it is not known.
  platform text,
  source text not null,
  -- Another one of a lead that existed.
  is_repeat boolean not null,
  message text,
  -- server/crm/enquiries/contract.ts
  origin jsonb not null default '{}',
  answers jsonb not null default '[]',
  consent jsonb,
  -- How many answers there was no room for.
  omitted integer not null default 0,
  -- How many older enquiries of the lead were removed.
  earlier integer not null default 0,
  -- As leads keep them: reports group repeat enquiries by them.
  product text,
  campaign text,
  ad text,
  form text,
  -- Without a foreign key, which takes a fifth of the time of an insert: whatever deletes a lead deletes its enquiries.
  primary key (account_id, lead_id, at, id)
);
-- Words of answers, product and campaign, for searches.
create index enquiries_by_word on enquiries using gin (enquiry_terms(account_id, answers, origin))
  where answers <> '[]' or origin <> '{}';
-- Figures of repeat enquiries.
create index enquiries_repeated on enquiries (account_id, at desc) include (source, assigned_to) where is_repeat;

-- What the first enquiry that names it asked for and came from: lists filter by it, and reports group by it.
alter table leads
  add column product text,
  add column campaign text,
  add column ad text,
  add column form text;
create index leads_by_product on leads (account_id, product, created_at desc, id desc) where product is not null;
create index leads_by_campaign on leads (account_id, campaign, created_at desc, id desc) where campaign is not null;
create index leads_by_ad on leads (account_id, ad, created_at desc, id desc) where ad is not null;
create index leads_by_form on leads (account_id, form, created_at desc, id desc) where form is not null;

insert into enquiries (account_id, lead_id, assigned_to, at, last_at, via, source, is_repeat, message)
select account_id, id, assigned_to, enquired_again_at, enquired_again_at, 'webhook', coalesce(enquired_again_source, source), true,
  enquired_again_message
from leads where enquired_again_at is not null;

-- What undoing a merge of leads moves back.
update merged_leads set undo = undo #- '{besides,before,enquired_again_source}' #- '{besides,before,enquired_again_message}'
  #- '{besides,after,enquired_again_source}' #- '{besides,after,enquired_again_message}'
  #- '{other,enquired_again_source}' #- '{other,enquired_again_message}';

drop index leads_enquired_again;
create index leads_enquired_again on leads (account_id, enquired_again_at desc, id desc) include (assigned_to)
  where enquired_again_at is not null;
alter table leads drop column enquired_again_source, drop column enquired_again_message;

-- What a source, campaign, ad, form or product costs in a month, which is named by its first day.
create table origin_costs (
  account_id uuid not null,
  kind text not null check (kind in ('source', 'campaign', 'ad', 'form', 'product')),
  name text not null,
  month date not null,
  cost numeric(15, 2) not null check (cost >= 0),
  primary key (account_id, kind, name, month)
);
insert into origin_costs (account_id, kind, name, month, cost) select account_id, 'source', source, month, cost from source_costs;
drop table source_costs;

alter table distribution_rules
  add column products text[] not null default '{}',
  add column campaigns text[] not null default '{}',
  add column forms text[] not null default '{}',
  -- Questions with the answers of which a lead gave one: [{question, answers}].
  add column answers jsonb not null default '[]';

-- Accounts whose kept deliveries are still to be read into enquiries, and the last one that was read.
create table enquiry_readings (
  account_id uuid primary key,
  received_at timestamptz not null default '-infinity',
  delivery_id uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into enquiry_readings (account_id) select id from accounts;
