-- compatible: no
-- Which phones and emails a delivery names, as hashes, so that everything kept of a person is found when their lead is
-- deleted (D14), also where the delivery made no lead. Swept with the delivery. `record` is the place in a batch.
create table delivery_contacts (
  account_id uuid not null,
  contact bytea not null,
  delivery_id uuid not null,
  record integer not null default -1,
  primary key (account_id, contact, delivery_id, record),
  foreign key (account_id, delivery_id) references deliveries (account_id, id) on delete cascade
);
create index delivery_contacts_by_delivery on delivery_contacts (account_id, delivery_id);

grant select, insert, delete on delivery_contacts to lead_engine_app;
alter table delivery_contacts enable row level security;
create policy settings on delivery_contacts to lead_engine_app
  using (account_id = acting_account() and acting_for_all());

-- A contact is `phone:+919820011223`, `email:asha@example.com`, or `lead:<id>` for a lead that a replay left.
create function contact_hash(account uuid, contact text) returns bytea language sql immutable
  return sha256(convert_to(account::text || ' ' || contact, 'UTF8'));

-- A pattern for every way in which these contacts are written in a path: emails in any case, the last ten digits of a
-- phone with other characters between them. Null where there is none.
create function contact_pattern(contacts text[]) returns text language sql immutable
  return (
    select string_agg(
      case when contact like 'email:%' then regexp_replace(substr(contact, 7), '([^[:alnum:]])', '\\\1', 'g')
        else regexp_replace(right(regexp_replace(contact, '\D', '', 'g'), 10), '(\d)(?=\d)', '\1\\D{0,3}', 'g') end, '|')
    from unnest(contacts) as contact
  );

-- Removes what webhooks kept of a person (D14), by their lead and by their contacts; that deliveries came, when and how
-- they ended stays. Called by the deletion of a lead under the lead's lock, acting for the whole account. Contacts that
-- another lead holds are that lead's. True where the settings of a webhook named the person.
create function forget_person(account uuid, of_lead uuid, contacts text[]) returns boolean language plpgsql as $$
declare
  own text[];
  keys bytea[];
  named uuid[];
  pattern text;
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
  keys := array(select contact_hash(account, contact) from unnest(own || ('lead:' || of_lead)) as contact);
  named := array(
    select id from deliveries where account_id = account and lead_id = of_lead
    union select delivery_id from delivery_contacts where account_id = account and contact = any (keys)
    order by 1
  );
  perform 1 from deliveries where account_id = account and id = any (named) order by id for update;
  update deliveries set body = null, picks = '[]', warnings = '[]', error = null
  where account_id = account and id = any (named);
  delete from delivery_contacts where account_id = account and delivery_id = any (named);
  pattern := contact_pattern(own);
  if pattern is null then
    return false;
  end if;
  update webhooks set
    mapping = (select coalesce(jsonb_agg(entry), '[]') from jsonb_array_elements(mapping) as entry
      where entry::text !~* pattern),
    proposal = (select case when proposal is null then null else coalesce(jsonb_agg(entry), '[]') end
      from jsonb_array_elements(proposal) as entry where entry::text !~* pattern),
    known_fields = (select coalesce(jsonb_object_agg(path, since), '{}') from jsonb_each(known_fields) as field (path, since)
      where path !~* pattern)
  where account_id = account and (mapping::text ~* pattern or proposal::text ~* pattern or known_fields::text ~* pattern);
  return found;
end
$$;
