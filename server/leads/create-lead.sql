-- A new lead with its timeline entry, audit entry and count, in one round trip and by parameters alone. Whoever holds
-- the phone or the email already makes the first insert fail (23505), and with it all of this.
create or replace function create_lead(
  account uuid, person uuid, sees text,
  new_id uuid, new_name text, new_email text, new_email_key text, new_phone text, new_phone_key text, new_company text,
  new_city text, new_source text, new_status text, new_priority text, new_tags text[], new_deal_value numeric,
  new_notes text, assignee uuid, moment timestamptz, ist_day date, count_slot smallint,
  entry_summary text, entry_details jsonb, acting_via text, acting_via_id uuid
) returns void language plpgsql as $$
begin
  perform act_as(account, person, sees);
  insert into leads (account_id, id, name, email, email_key, phone, phone_key, company, city, source, status, priority,
    tags, deal_value, notes, assigned_to, created_at, updated_at)
  values (account, new_id, new_name, new_email, new_email_key, new_phone, new_phone_key, new_company, new_city,
    new_source, new_status, new_priority, new_tags, new_deal_value, new_notes, assignee, moment, moment);
  insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
  values (account, new_id, assignee, moment, 'created', entry_summary, entry_details);
  insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id)
  values (account, moment, person, acting_via, acting_via_id, 'lead.created', new_id);
  perform count_leads(account, ist_day, new_status, new_source, new_priority, assignee, count_slot, 1);
end
$$;
