-- A contact is `phone:+919820011223`, `email:asha@example.com`, or `lead:<id>` for a lead that a replay left.
create or replace function contact_hash(account uuid, contact text) returns bytea language sql immutable
  return sha256(convert_to(account::text || ' ' || contact, 'UTF8'));
