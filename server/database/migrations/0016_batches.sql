-- compatible: no
-- The records of one request are deliveries of their own, so that each is read, replayed and erased by itself.
-- `batch_id` is the delivery of the first; `record` counts from 1 to `records`. `repeat_id` identifies the same record of a
-- repeated request where the platform gives it no id.
alter table deliveries
  add column batch_id uuid,
  add column record integer,
  add column records integer,
  add column repeat_id text;
create index deliveries_by_batch on deliveries (account_id, batch_id, record) where batch_id is not null;
