-- compatible: no
-- Ignored, though it holds a possible phone or email.
alter table deliveries add column attention boolean not null default false;
create index deliveries_attention on deliveries (account_id, webhook_id, received_at desc) where attention;

-- What is replayed together once a mapping is fixed.
create index deliveries_to_replay on deliveries (account_id, webhook_id, received_at, id)
  where outcome = 'rejected' or attention;
