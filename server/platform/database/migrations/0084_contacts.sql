-- compatible: no
-- Other contacts of leads, and leads that may be one person.

-- Phones, emails and WhatsApp ids of leads beside the first ones, which are `leads.phone` and `leads.email`.
create table lead_contacts (
  account_id uuid not null,
  lead_id uuid not null,
  assigned_to uuid,
  kind text not null check (kind in ('phone', 'email', 'whatsapp')),
  value text not null,
  -- As it is compared. In an account it belongs to one lead, as a first or as another contact: claim_contacts checks both.
  key text collate "C" not null,
  key_end text collate "C" generated always as (reverse(key)) stored,
  added_at timestamptz(3) not null,
  primary key (account_id, key),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);
create index lead_contacts_of_lead on lead_contacts (account_id, lead_id, added_at);
create index lead_contacts_by_end on lead_contacts (account_id, key_end);

-- Two leads that may be one person. The smaller id comes first, so that a pair is listed once.
create table lead_conflicts (
  account_id uuid not null,
  lead_id uuid not null,
  other_lead_id uuid not null,
  found_at timestamptz(3) not null,
  reason text not null default 'submission' check (reason in ('submission', 'name_and_city', 'near_phone')),
  -- When a user said that they are two people. Kept, so that the pair is not suggested again.
  dismissed_at timestamptz(3),
  primary key (account_id, lead_id, other_lead_id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade,
  foreign key (account_id, other_lead_id) references leads (account_id, id) on delete cascade
);
create index lead_conflicts_of_other on lead_conflicts (account_id, other_lead_id);
create index lead_conflicts_open on lead_conflicts (account_id, found_at desc) where dismissed_at is null;

-- A lead that a user merged into another one. Its id leads to the lead that was kept.
create table merged_leads (
  account_id uuid not null,
  lead_id uuid not null,
  kept_lead_id uuid not null,
  merged_at timestamptz(3) not null,
  merged_by uuid,
  -- What undoing the merge needs: both leads before it, and the ids of what moved. Null after a day.
  undo jsonb,
  primary key (account_id, lead_id),
  foreign key (account_id, kept_lead_id) references leads (account_id, id) on delete cascade
);
create index merged_leads_of_kept on merged_leads (account_id, kept_lead_id, merged_at);
create index merged_leads_to_forget on merged_leads (account_id, merged_at) where undo is not null;

-- Up to which `updated_at` the leads of an account were compared with others.
create table duplicate_searches (
  account_id uuid not null,
  searched_until timestamptz(0) not null,
  last_lead_id uuid not null,
  primary key (account_id)
);
