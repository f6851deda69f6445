-- compatible: yes
-- A create whose person is known was an error of PostgreSQL, and then a merge. Its log got the statement for each of them, with the
-- phone or the email that is known.

-- Creates a lead, with its timeline entry, audit entry and counts. Returns false if another lead has the phone or the email.
create function create_new_lead(
  account uuid, person uuid, sees text,
  new_id uuid, new_name text, new_email text, new_email_key text, new_phone text, new_phone_key text, new_company text,
  new_city text, new_source text, new_status text, new_priority text, new_tags text[], new_deal_value numeric,
  new_notes text, assignee uuid, moment timestamptz, ist_day date, count_slot smallint,
  entry_summary text, entry_details jsonb, acting_via text, acting_via_id uuid
) returns boolean language plpgsql as $$
begin
  perform act_as(account, person, sees);
  insert into leads (account_id, id, name, email, email_key, phone, phone_key, company, city, source, status, priority,
    tags, deal_value, notes, assigned_to, created_at, updated_at)
  values (account, new_id, new_name, new_email, new_email_key, new_phone, new_phone_key, new_company, new_city,
    new_source, new_status, new_priority, new_tags, new_deal_value, new_notes, assignee, moment, moment)
  on conflict do nothing;
  if not found then
    return false;
  end if;
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  values (account, new_id, assignee, moment, 'created', entry_summary, entry_details);
  insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
  values (account, moment, person, acting_via, acting_via_id, 'lead.created', new_id);
  perform note_assignment(account, new_id, assignee, person, acting_via, moment);
  perform count_leads(account, ist_day, new_status, new_source, new_priority, assignee, count_slot, 1);
  return true;
end
$$;

-- For programs of the version before.
create or replace function create_lead(
  account uuid, person uuid, sees text,
  new_id uuid, new_name text, new_email text, new_email_key text, new_phone text, new_phone_key text, new_company text,
  new_city text, new_source text, new_status text, new_priority text, new_tags text[], new_deal_value numeric,
  new_notes text, assignee uuid, moment timestamptz, ist_day date, count_slot smallint,
  entry_summary text, entry_details jsonb, acting_via text, acting_via_id uuid
) returns void language plpgsql as $$
begin
  if not create_new_lead(
      account, person, sees, new_id, new_name, new_email, new_email_key, new_phone, new_phone_key, new_company,
      new_city, new_source, new_status, new_priority, new_tags, new_deal_value, new_notes, assignee, moment, ist_day,
      count_slot, entry_summary, entry_details, acting_via, acting_via_id
    ) then
    raise exception using errcode = 'unique_violation', message = 'another lead has the phone or the email';
  end if;
end
$$;
