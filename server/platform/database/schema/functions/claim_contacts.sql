-- Adds other contacts to a lead whose first contacts (`keys`) are written. False if any of them all belongs to another lead: then
-- the caller takes everything back. It looks at the whole account, and after the lead is written: another transaction that writes the
-- same contact waits at the unique keys of leads, and looks after that.
create or replace function claim_contacts(account uuid, of_lead uuid, assignee uuid, keys text[], contacts jsonb)
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
  -- There are at most two: a list of any length would be planned again for each lead, which takes a quarter of the time of a create.
  if exists (select from lead_contacts where account_id = account and key in (keys[1], keys[2])) then
    claimed := not exists (
      select from lead_contacts where account_id = account and key in (keys[1], keys[2]) and lead_id <> of_lead
    );
    -- Of those that became first contacts.
    if claimed then
      delete from lead_contacts where account_id = account and lead_id = of_lead and key in (keys[1], keys[2]);
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
