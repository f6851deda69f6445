-- Creates leads with their timeline and audit entries and their counts. `new_leads` are columns of leads, with the time, `summary` and
-- `details` of the timeline entry, `notified`, whether the assignee is notified, other `contacts`, `pass_on` of a lead whose rule passes
-- on, and `offer` of a lead whose rule offers it. Returns the ids of those that were created: no other lead has one of their contacts.
create or replace function create_leads(
  account uuid, person uuid, sees text, new_leads jsonb, acting_via text, acting_via_id uuid
) returns uuid[] language plpgsql as $$
declare
  lead record;
  recipient uuid;
  created uuid[] := '{}';
begin
  perform act_as(account, person, sees);
  -- Row by row, because Citus copies the rows of INSERT ... SELECT, which policies prevent.
  for lead in
    select * from jsonb_to_recordset(new_leads) as lead (
      id uuid, name text, email text, phone text, email_key text, phone_key text, company text, city text, source text, status text,
      priority text, tags text[], deal_value numeric, notes text, assigned_to uuid, created_at timestamptz, updated_at timestamptz,
      answer_start text, at timestamptz, summary text, details jsonb, notified boolean, contacts jsonb, pass_on jsonb, offer jsonb
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
    if lead.pass_on is not null then
      insert into pass_ons (account_id, lead_id, rule_id, user_id, since, had, due_at)
      values (account, lead.id, (lead.pass_on->>'rule_id')::uuid, lead.assigned_to, lead.at, array[lead.assigned_to],
        (lead.pass_on->>'due_at')::timestamptz);
    end if;
    if lead.offer is not null then
      insert into lead_offers (account_id, lead_id, rule_id, offered_to, offered_at, due_at, webhook_id, otherwise)
      values (account, lead.id, (lead.offer->>'rule_id')::uuid, (lead.offer->>'offered_to')::uuid[], lead.at,
        (lead.offer->>'due_at')::timestamptz, (lead.offer->>'webhook_id')::uuid, (lead.offer->>'otherwise')::uuid);
      if (lead.offer->>'notified')::boolean then
        foreach recipient in array (lead.offer->>'offered_to')::uuid[] loop
          insert into assignments (account_id, lead_id, user_id, at, notify_at, offered)
          values (account, lead.id, recipient, lead.at, lead.at, true);
        end loop;
      end if;
    end if;
  end loop;
  return created;
end
$$;
