-- Records a delivery that created a lead, in the statement that creates it. Fails with 23505 if a delivery with the platform's id and the
-- same content was received before, or if the same body was answered 503 before.
create or replace function record_delivery_of_new_lead(
  account uuid, delivery uuid, of_webhook uuid, of_lead uuid, received timestamptz, sender_ip text, sent_type text, sent_body bytea,
  sent_size integer, sent_hash bytea, read_picks jsonb, read_warnings jsonb, given_platform_id text, given_reading_hash bytea
) returns boolean language plpgsql as $$
begin
  if given_platform_id is not null then
    insert into delivery_receipts (account_id, webhook_id, platform_id, reading_hash, lead_id, received_at)
    values (account, of_webhook, given_platform_id, given_reading_hash, of_lead, received)
    on conflict do nothing;
    if not found then
      raise exception using errcode = 'unique_violation', message = 'this delivery was received before';
    end if;
  -- The body is hashed only if any delivery waited.
  elsif exists (
    select from deliveries where account_id = account and webhook_id = of_webhook and body_hash is not null and body_size is null
  ) then
    if exists (
      select from deliveries where account_id = account and webhook_id = of_webhook and body_hash = sha256(sent_body)
        and body_size is null
    ) then
      raise exception using errcode = 'unique_violation', message = 'this delivery was received before';
    end if;
  end if;
  insert into deliveries (account_id, id, webhook_id, received_at, address, content_type, body, outcome, lead_id, picks, warnings,
    body_size, body_hash)
  values (account, delivery, of_webhook, received, sender_ip, sent_type, sent_body, 'created', of_lead, read_picks, read_warnings,
    sent_size, sent_hash);
  insert into delivery_count_changes (account_id, webhook_id, outcome, day, n)
  values (account, of_webhook, 'created', (received at time zone interval '05:30')::date, 1);
  return true;
end
$$;
