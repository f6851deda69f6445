-- A pattern for every way in which these contacts are written in a path: emails in any case, the last ten digits of a
-- phone with other characters between them. Null where there is none.
create or replace function contact_pattern(contacts text[]) returns text language sql immutable
  return (
    select string_agg(
      case when contact like 'email:%' then regexp_replace(substr(contact, 7), '([^[:alnum:]])', '\\\1', 'g')
        else regexp_replace(right(regexp_replace(contact, '\D', '', 'g'), 10), '(\d)(?=\d)', '\1\\D{0,3}', 'g') end, '|')
    from unnest(contacts) as contact
  );
