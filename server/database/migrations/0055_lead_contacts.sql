-- compatible: yes

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

grant select, insert, update, delete on lead_contacts to lead_engine_app;
alter table lead_contacts enable row level security;
create policy visible on lead_contacts to lead_engine_app using (account_id = (select acting_account())
  and ((select acting_for_all()) or assigned_to in (select acting_people())));

-- Two leads that a submission named as one person: it was merged into the first, and had a contact of the second.
create table lead_conflicts (
  account_id uuid not null,
  lead_id uuid not null,
  other_lead_id uuid not null,
  found_at timestamptz(3) not null,
  primary key (account_id, lead_id, other_lead_id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade,
  foreign key (account_id, other_lead_id) references leads (account_id, id) on delete cascade
);
create index lead_conflicts_of_other on lead_conflicts (account_id, other_lead_id);

grant select, insert, delete on lead_conflicts to lead_engine_app;
alter table lead_conflicts enable row level security;
create policy whole_account on lead_conflicts to lead_engine_app using (account_id = acting_account() and acting_for_all());

-- A person who hides the phone on WhatsApp has neither a phone nor an email.
alter table leads drop constraint leads_check;

-- Adds other contacts to a lead whose first contacts (`keys`) are written. False if any of them all belongs to another lead: then
-- the caller takes everything back. It looks at the whole account, and after the lead is written: another transaction that writes the
-- same contact waits at the unique keys of leads, and looks after that.
create function claim_contacts(account uuid, of_lead uuid, assignee uuid, keys text[], contacts jsonb)
returns boolean language plpgsql as $$
declare
  sees text := current_setting('lead_engine.sees', true);
  contact record;
  claim uuid;
  claimed boolean := true;
begin
  if sees is distinct from 'all' then
    perform set_config('lead_engine.sees', 'all', true);
  end if;
  if exists (select from lead_contacts where account_id = account and key = any (keys)) then
    claimed := not exists (
      select from lead_contacts where account_id = account and key = any (keys) and lead_id <> of_lead
    );
    -- Of those that became first contacts.
    if claimed then
      delete from lead_contacts where account_id = account and lead_id = of_lead and key = any (keys);
    end if;
  end if;
  if contacts is not null then
    for contact in
      select * from jsonb_to_recordset(contacts)
        as contact (kind text, value text, key text, added_at timestamptz)
      order by key
    loop
      exit when not claimed;
      -- A row for a moment, so that a lead with this first contact, which is not committed yet, is waited for, and waits for this.
      if contact.kind <> 'whatsapp' then
        insert into leads (account_id, id, name, phone_key, email_key, source, status, priority, created_at, updated_at)
        values (account, gen_random_uuid(), '', case contact.kind when 'phone' then contact.key end,
          case contact.kind when 'email' then contact.key end, '', 'New', 'Low', now(), now())
        on conflict do nothing returning id into claim;
        claimed := found;
        delete from leads where account_id = account and id = claim;
      end if;
      if claimed then
        insert into lead_contacts (account_id, lead_id, assigned_to, kind, value, key, added_at)
        values (account, of_lead, assignee, contact.kind, contact.value, contact.key, contact.added_at)
        on conflict do nothing;
        if not found then
          select lead_id = of_lead into claimed from lead_contacts where account_id = account and key = contact.key;
        end if;
      end if;
    end loop;
  end if;
  if sees is distinct from 'all' then
    perform set_config('lead_engine.sees', coalesce(sees, ''), true);
  end if;
  return coalesce(claimed, false);
end
$$;

-- Locks the keys of contacts until the end of the transaction. A transaction that changes contacts of a lead locks all of them first, in one
-- order, so that two never wait for each other. The unique keys alone would be enough for what is written.
create function lock_contacts(account uuid, keys text[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(account || ' ' || key, 0))
  from (select key from unnest(keys) as key order by key) as sorted;
end
$$;

-- The ids of the leads with any of these keys, in their order. Key by key: for a list or for OR, PostgreSQL may read the whole account.
create function holders_of(account uuid, keys text[]) returns uuid[] language plpgsql as $$
declare
  one text;
  holders uuid[] := '{}';
begin
  foreach one in array keys loop
    if strpos(one, '@') = 0 then
      holders := holders || array(select id from leads where account_id = account and phone_key = one);
    else
      holders := holders || array(select id from leads where account_id = account and email_key = one);
    end if;
    holders := holders || array(select lead_id from lead_contacts where account_id = account and key = one);
  end loop;
  return array(select distinct holder from unnest(holders) as holder order by 1);
end
$$;

-- Locks and returns the leads with any of these keys, each with those keys that are its other contacts. When the keys are locked, they
-- move to no other lead.
create function lock_matches(account uuid, keys text[]) returns table (
  id uuid, name text, email text, phone text, company text, city text, source text, status text, priority text, tags text[],
  deal_value numeric, notes text, assigned_to uuid, created_at timestamptz, updated_at timestamptz, phone_key text, email_key text,
  other_keys text[]
) language plpgsql as $$
#variable_conflict use_column
declare
  holder uuid;
begin
  perform lock_contacts(account, keys);
  foreach holder in array holders_of(account, keys) loop
    return query
      select id, name, email, phone, company, city, source, status, priority, tags, deal_value, notes, assigned_to,
        created_at::timestamptz, updated_at::timestamptz, phone_key, email_key, array(
          select key from lead_contacts where account_id = account and lead_id = holder and key = any (keys)
        )
      from leads where account_id = account and id = holder for update;
  end loop;
end
$$;

-- As before, with the other contacts of `new_leads` as JSON: those that are of another lead prevent a lead, too.
create or replace function create_leads(
  account uuid, person uuid, sees text, new_leads jsonb, acting_via text, acting_via_id uuid
) returns uuid[] language plpgsql as $$
declare
  lead record;
  created uuid[] := '{}';
begin
  perform act_as(account, person, sees);
  -- Row by row, because Citus copies the rows of INSERT ... SELECT, which policies prevent.
  for lead in
    select * from jsonb_to_recordset(new_leads) as lead (
      id uuid, name text, email text, phone text, email_key text, phone_key text, company text, city text, source text, status text,
      priority text, tags text[], deal_value numeric, notes text, assigned_to uuid, created_at timestamptz, updated_at timestamptz,
      answer_start text, at timestamptz, summary text, details jsonb, notified boolean, contacts jsonb
    )
  loop
    insert into leads (account_id, id, name, email, phone, email_key, phone_key, company, city, source, status, priority, tags,
      deal_value, notes, assigned_to, created_at, updated_at, answer_start)
    values (account, lead.id, lead.name, lead.email, lead.phone, lead.email_key, lead.phone_key, lead.company, lead.city, lead.source,
      lead.status, lead.priority, lead.tags, lead.deal_value, lead.notes, lead.assigned_to, lead.created_at, lead.updated_at,
      lead.answer_start)
    on conflict do nothing;
    continue when not found;
    if not claim_contacts(account, lead.id, lead.assigned_to, array[lead.phone_key, lead.email_key], lead.contacts) then
      delete from leads where account_id = account and id = lead.id;
      continue;
    end if;
    created := created || lead.id;
    insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    values (account, lead.id, lead.assigned_to, lead.at, 'created', lead.summary, lead.details);
    insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
    values (account, lead.at, person, acting_via, acting_via_id, 'lead.created', lead.id);
    insert into lead_count_changes (account_id, assigned_to, status, source, priority, day, n)
    values (account, coalesce(lead.assigned_to, '00000000-0000-0000-0000-000000000000'), lead.status, lead.source, lead.priority,
      (lead.created_at at time zone interval '05:30')::date, 1);
    if lead.notified then
      insert into assignments (account_id, lead_id, user_id, at, notify_at)
      values (account, lead.id, lead.assigned_to, lead.at, lead.at);
    end if;
  end loop;
  return created;
end
$$;

-- As before, with the other contacts: they, too, have the assignee of their lead.
create or replace function reassign_calls(account uuid, of_leads uuid[], assignee uuid) returns void language plpgsql as $$
declare
  changed record;
begin
  for changed in
    select whose, call_type, (called_at at time zone interval '05:30')::date as day, sum(sign) as n
    from call_logs, lateral (values
      (coalesce(assigned_to, '00000000-0000-0000-0000-000000000000'), -1),
      (coalesce(assignee, '00000000-0000-0000-0000-000000000000'), 1)
    ) as side (whose, sign)
    where account_id = account and lead_id = any (of_leads)
    group by 1, 2, 3 having sum(sign) <> 0
  loop
    insert into call_count_changes (account_id, assigned_to, call_type, day, n)
    values (account, changed.whose, changed.call_type, changed.day, changed.n);
  end loop;
  update call_logs set assigned_to = assignee where account_id = account and lead_id = any (of_leads);
  update lead_contacts set assigned_to = assignee where account_id = account and lead_id = any (of_leads);
end
$$;
