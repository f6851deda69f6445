-- compatible: no
-- A platform's repetition is an outcome of its own; ignored deliveries are events without a person.
alter table deliveries drop constraint deliveries_outcome_check;
alter table deliveries add constraint deliveries_outcome_check
  check (outcome in ('created', 'merged', 'rejected', 'test', 'duplicate', 'ignored', 'ready')) not valid;
