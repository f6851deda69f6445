-- compatible: yes
-- A delivery that creates a lead took a transaction of five round trips, and nine if it had an id of the platform.

-- Records a delivery after `create_new_lead`, in the same statement. Fails with 23505 if a delivery with the platform's id and the
-- same content was received before.
create function record_delivery_of_new_lead(
  account uuid, delivery uuid, of_webhook uuid, of_lead uuid, received timestamptz, sender_ip text, sent_type text,
  sent_body bytea, sent_size integer, sent_hash bytea, read_picks jsonb, read_warnings jsonb, given_platform_id text,
  given_reading_hash bytea, ist_day date, count_slot smallint
) returns boolean language plpgsql as $$
begin
  if given_platform_id is not null then
    insert into delivery_receipts (account_id, webhook_id, platform_id, reading_hash, lead_id, received_at)
    values (account, of_webhook, given_platform_id, given_reading_hash, of_lead, received)
    on conflict do nothing;
    if not found then
      raise exception using errcode = 'unique_violation', message = 'this delivery was received before';
    end if;
  end if;
  insert into deliveries (account_id, id, webhook_id, received_at, address, content_type, body, outcome, lead_id, picks,
    warnings, body_size, body_hash)
  values (account, delivery, of_webhook, received, sender_ip, sent_type, sent_body, 'created', of_lead, read_picks,
    read_warnings, sent_size, sent_hash);
  insert into delivery_counts (account_id, webhook_id, day, outcome, slot, n)
  values (account, of_webhook, ist_day, 'created', count_slot, 1)
  on conflict (account_id, webhook_id, day, outcome, slot) do update set n = delivery_counts.n + excluded.n;
  return true;
end
$$;
