-- Locks and returns the leads with any of these keys, each with the keys of its other contacts and its newest enquiry, which is not
-- stored if it has no id. While the keys are locked, they move to no other lead.
drop function if exists lock_matches(uuid, text[]);
create or replace function lock_matches(account uuid, keys text[]) returns table (
  id uuid, name text, email text, phone text, company text, city text, source text, status text, priority text, tags text[],
  deal_value numeric, notes text, assigned_to uuid, created_at timestamptz, updated_at timestamptz, phone_key text, email_key text,
  other_keys text[], last_enquiry jsonb
) language plpgsql as $$
#variable_conflict use_column
declare
  holder uuid;
begin
  perform lock_contacts(account, keys);
  foreach holder in array holders_of(account, keys) loop
    return query
      select id, name, email, phone, company, city, source, status, priority, tags, deal_value, notes, assigned_to,
        created_at::timestamptz, updated_at::timestamptz, phone_key, email_key,
        array(select key from lead_contacts where account_id = account and lead_id = holder),
        coalesce(
          (select to_jsonb(enquiries) from enquiries where account_id = account and lead_id = holder order by at desc, enquiries.id desc limit 1),
          -- A lead that came with its fields alone has no row.
          (select jsonb_build_object('at', at, 'last_at', at, 'via', details->>'via', 'via_id', details->>'via_id', 'source', source,
              'is_repeat', false, 'message', left(notes, 2000), 'origin', '{}'::jsonb, 'answers', '[]'::jsonb, 'omitted', 0)
            from timeline_entries where account_id = account and lead_id = holder and kind = 'created' order by timeline_entries.id limit 1)
        )
      from leads where account_id = account and id = holder for update;
  end loop;
end
$$;
