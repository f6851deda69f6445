-- Inserts new leads, and writes what follows from new and from changed leads: contacts and enquiries of new ones, timeline, audit
-- log, counts, the owner of calls and contacts, the end of an offer, notices, and when the lead passes on. A changed lead has what it
-- was `before`, and its row is written by the caller; so is that of a new lead that `is_stored`. Returns the ids of what was written:
-- a new lead is not if another lead has one of its contacts. `sees`: null if the transaction acts as the user already.
create or replace function write_leads(
  account uuid, person uuid, sees text, leads jsonb, acting_via text, acting_via_id uuid
) returns uuid[] language plpgsql as $$
declare
  lead record;
  notice record;
  of_lead uuid;
  assignee uuid;
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  written uuid[] := '{}';
begin
  if sees is not null then
    perform act_as(account, person, sees);
  end if;
  -- Row by row, because Citus copies the rows of INSERT ... SELECT, which policies prevent.
  for lead in
    select * from jsonb_to_recordset(leads) as lead (
      id uuid, name text, email text, phone text, email_key text, phone_key text, company text, city text, source text, status text,
      priority text, tags text[], deal_value numeric, notes text, assigned_to uuid, created_at timestamptz, updated_at timestamptz,
      answer_start text, contacts jsonb, before jsonb, is_stored boolean, at timestamptz, kind text, summary text, details jsonb, action text,
      audited_at timestamptz, audited jsonb, notices jsonb, pass_on jsonb, offer jsonb, enquiry jsonb
    )
  loop
    if lead.before is null and lead.is_stored is null then
      insert into leads (account_id, id, name, email, phone, email_key, phone_key, company, city, source, status, priority, tags,
        deal_value, notes, assigned_to, created_at, updated_at, answer_start, closed_at, assignee_at_close, product, campaign, ad, form)
      values (account, lead.id, lead.name, lead.email, lead.phone, lead.email_key, lead.phone_key, lead.company, lead.city, lead.source,
        lead.status, lead.priority, lead.tags, lead.deal_value, lead.notes, lead.assigned_to, lead.created_at, lead.updated_at,
        lead.answer_start, case when lead.status in ('Won', 'Lost') then lead.created_at end,
        case when lead.status in ('Won', 'Lost') then lead.assigned_to end, lead.enquiry->>'product', lead.enquiry->>'campaign', lead.enquiry->>'ad', lead.enquiry->>'form')
      on conflict do nothing;
      continue when not found;
      if not claim_contacts(account, lead.id, lead.assigned_to, array[lead.phone_key, lead.email_key], lead.contacts) then
        delete from leads where account_id = account and id = lead.id;
        continue;
      end if;
    elsif lead.before is not null and (lead.before->>'assigned_to')::uuid is distinct from lead.assigned_to then
      of_lead := lead.id;
      assignee := lead.assigned_to;
      update timeline_entries set assigned_to = assignee where account_id = account and lead_id = of_lead;
      update enquiries set assigned_to = assignee where account_id = account and lead_id = of_lead;
      perform reassign_calls(account, array[of_lead], assignee);
      -- A lead with an owner is no longer offered to others.
      if lead.before->>'assigned_to' is null then
        update lead_offers set due_at = null where account_id = account and lead_id = of_lead and due_at is not null;
      end if;
    end if;
    written := written || lead.id;
    insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    values (account, lead.id, lead.assigned_to, lead.at, lead.kind, lead.summary, lead.details);
    if lead.enquiry is not null then
      insert into enquiries (account_id, lead_id, assigned_to, at, last_at, via, via_id, platform, source, is_repeat, message, origin,
        answers, consent, omitted, product, campaign, ad, form)
      values (account, lead.id, lead.assigned_to, (lead.enquiry->>'at')::timestamptz, (lead.enquiry->>'last_at')::timestamptz,
        lead.enquiry->>'via', (lead.enquiry->>'via_id')::uuid, lead.enquiry->>'platform', lead.enquiry->>'source', false,
        lead.enquiry->>'message', lead.enquiry->'origin', lead.enquiry->'answers', nullif(lead.enquiry->'consent', 'null'),
        (lead.enquiry->>'omitted')::integer, lead.enquiry->>'product', lead.enquiry->>'campaign', lead.enquiry->>'ad',
        lead.enquiry->>'form');
    end if;
    if lead.action is not null then
      insert into audit_log (account_id, at, user_id, via, via_id, action, subject_id, details)
      values (account, lead.audited_at, person, acting_via, acting_via_id, lead.action, lead.id, coalesce(lead.audited, '{}'));
    end if;
    if lead.before is null or (lead.before->>'assigned_to')::uuid is distinct from lead.assigned_to
      or lead.before->>'status' <> lead.status or lead.before->>'source' <> lead.source or lead.before->>'priority' <> lead.priority
    then
      insert into lead_count_changes (account_id, assigned_to, status, source, priority, day, n)
      values (account, coalesce(lead.assigned_to, nobody), lead.status, lead.source, lead.priority,
        (lead.created_at at time zone interval '05:30')::date, 1);
      if lead.before is not null then
        insert into lead_count_changes (account_id, assigned_to, status, source, priority, day, n)
        values (account, coalesce((lead.before->>'assigned_to')::uuid, nobody), lead.before->>'status', lead.before->>'source',
          lead.before->>'priority', (lead.created_at at time zone interval '05:30')::date, -1);
      end if;
    end if;
    if lead.notices is not null then
      for notice in
        select * from jsonb_to_recordset(lead.notices)
          as notice (kind text, user_id uuid, at timestamptz, about jsonb)
      loop
        insert into notices (account_id, kind, user_id, lead_id, about, at, notify_at)
        values (account, notice.kind, notice.user_id, lead.id, notice.about, notice.at, notice.at);
      end loop;
    end if;
    if lead.pass_on is not null then
      insert into pass_ons (account_id, lead_id, rule_id, user_id, since, had, due_at)
      values (account, lead.id, (lead.pass_on->>'rule_id')::uuid, lead.assigned_to, date_trunc('second', lead.at),
        array[lead.assigned_to], (lead.pass_on->>'due_at')::timestamptz)
      on conflict (account_id, lead_id) do update set user_id = excluded.user_id, had = pass_ons.had || excluded.user_id,
        since = excluded.since, due_at = excluded.due_at;
    end if;
    if lead.offer is not null then
      insert into lead_offers (account_id, lead_id, rule_id, offered_to, offered_at, due_at, webhook_id, otherwise)
      values (account, lead.id, (lead.offer->>'rule_id')::uuid, (lead.offer->>'offered_to')::uuid[], lead.at,
        (lead.offer->>'due_at')::timestamptz, (lead.offer->>'webhook_id')::uuid, (lead.offer->>'otherwise')::uuid);
    end if;
  end loop;
  return written;
end
$$;
