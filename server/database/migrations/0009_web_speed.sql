-- A test is not rejected, and is counted separately.
alter table deliveries drop constraint deliveries_outcome_check;
alter table deliveries add constraint deliveries_outcome_check
  check (outcome in ('created', 'merged', 'rejected', 'test'));
update deliveries set outcome = 'test' where error in (
  'A test lead of the platform: it is kept here and was not made a lead.',
  'A test from the settings: it is kept here and was not made a lead.');

-- How many deliveries there are of each webhook, IST day and outcome, as lead_counts says it of leads: webhooks are
-- listed without counting what they were sent.
create table delivery_counts (
  account_id uuid not null,
  webhook_id uuid not null,
  day date not null,
  outcome text not null,
  slot smallint not null,
  n bigint not null,
  primary key (account_id, webhook_id, day, outcome, slot),
  foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade
);

insert into delivery_counts (account_id, webhook_id, day, outcome, slot, n)
select account_id, webhook_id, (received_at at time zone interval '05:30')::date, outcome, 0, count(*) from deliveries
group by 1, 2, 3, 4 returning n;

grant select, insert, update, delete on delivery_counts to lead_engine_app;
alter table delivery_counts enable row level security;
create policy settings on delivery_counts to lead_engine_app using (account_id = acting_account() and acting_for_all());

-- A webhook's deliveries of one outcome, rare as it may be, and the newest of them.
create index deliveries_by_outcome on deliveries (account_id, webhook_id, outcome, received_at desc, id desc);
create index deliveries_latest on deliveries (account_id, webhook_id, received_at desc, id desc);
create index deliveries_oldest on deliveries (account_id, received_at);
drop index deliveries_newest;
drop index deliveries_by_time;
drop index deliveries_refused;

-- What one person did, however seldom.
create index audit_log_by_person on audit_log (account_id, user_id, at desc, id desc) where user_id is not null;
