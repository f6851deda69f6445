-- compatible: no
-- Which phones and emails a delivery names, as hashes, so that everything kept of a person is found when their lead is
-- deleted, also where the delivery made no lead. Deleted with the delivery. `record` is the place in a batch.
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
