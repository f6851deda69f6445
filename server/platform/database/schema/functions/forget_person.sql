-- Removes what webhooks kept of a person, by their lead and by their contacts, with the IP addresses of the deliveries and of their
-- requests, which have the same ids. That deliveries came, when and how they ended stays. Events of calls without a number are found by the
-- system's id of the call. Called by the deletion of a lead under the lead's lock, acting for the whole account. Contacts that another lead
-- holds are that lead's. True if the settings of a webhook named the person. Their names leave the paths that were seen, but no mapping: a
-- lead may be called “Full name”, and anybody can send one.
create or replace function forget_person(account uuid, of_lead uuid, contacts text[], names text[] default '{}')
returns boolean language plpgsql as $$
declare
  own text[];
  keys bytea[];
  named uuid[];
  pattern text;
  seen text;
begin
  -- First, because a repetition holds its receipt until it is committed: from here on its delivery is seen below.
  delete from delivery_receipts where account_id = account and lead_id = of_lead;
  own := array(
    select contact from unnest(contacts) as contact where not exists (
      select 1 from leads where account_id = account and id <> of_lead and phone_key = substr(contact, 7)
    ) and not exists (
      select 1 from leads where account_id = account and id <> of_lead and email_key = substr(contact, 7)
    )
  );
  keys := array(
    select contact_hash(account, contact) from unnest(own || ('lead:' || of_lead)) as contact
    union all select contact_hash(account, 'call:' || platform_id) from phone_calls
      where account_id = account and lead_id = of_lead and platform_id is not null
  );
  named := array(
    select id from deliveries where account_id = account and lead_id = of_lead
    union select delivery_id from delivery_contacts where account_id = account and contact = any (keys)
    order by 1
  );
  perform 1 from deliveries where account_id = account and id = any (named) order by id for update;
  update deliveries
    set address = '', body = null, body_hash = null, picks = '[]', warnings = '[]', error = null, attention = false
  where account_id = account and id = any (named);
  update logged_requests set address = '' where account_id = account and id = any (named);
  delete from delivery_contacts where account_id = account and delivery_id = any (named);
  delete from own_numbers where account_id = account and number = any (array(select substr(contact, 7) from unnest(own) as contact));
  pattern := contact_pattern(own);
  seen := concat_ws('|', pattern, name_pattern(names));
  if seen = '' then
    return false;
  end if;
  update webhooks set
    mapping = (select coalesce(jsonb_agg(entry), '[]') from jsonb_array_elements(mapping) as entry
      where pattern is null or entry::text !~* pattern),
    proposal = (select case when proposal is null then null else coalesce(jsonb_agg(entry), '[]') end
      from jsonb_array_elements(proposal) as entry where entry->>'path' !~* seen),
    known_fields = (select coalesce(jsonb_object_agg(path, since), '{}') from jsonb_each(known_fields) as field (path, since)
      where path !~* seen)
  where account_id = account and (
    mapping::text ~* pattern
    or exists (select 1 from jsonb_array_elements(proposal) as entry where entry->>'path' ~* seen)
    or exists (select 1 from jsonb_object_keys(known_fields) as path where path ~* seen)
  );
  return found;
end
$$;
