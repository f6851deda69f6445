-- compatible: no
-- How many leads, calls and deliveries there are by IST day: the total of a list, and the day on which a page begins.
--
-- A transaction appends what it changes to *_changes, and waits for no other. A background job moves changes to the counts, in one
-- statement: a reader sees each change in one of both. Null in a count means "any". Unassigned is the nil UUID.

create table lead_count_changes (
  account_id uuid not null,
  id bigint generated always as identity,
  assigned_to uuid not null,
  status text not null,
  source text not null,
  priority text not null,
  day date not null,
  n bigint not null,
  primary key (account_id, id)
);

-- By day alone, by day and each column alone, by status, source and priority, and by all.
create table lead_counts (
  account_id uuid not null,
  assigned_to uuid,
  status text,
  source text,
  priority text,
  day date not null,
  n bigint not null,
  unique nulls not distinct (account_id, assigned_to, status, source, priority, day)
);

create table call_count_changes (
  account_id uuid not null,
  id bigint generated always as identity,
  assigned_to uuid not null,
  call_type text not null,
  day date not null,
  n bigint not null,
  primary key (account_id, id)
);

-- By day alone, by day and each column alone, and by all.
create table call_counts (
  account_id uuid not null,
  assigned_to uuid,
  call_type text,
  day date not null,
  n bigint not null,
  unique nulls not distinct (account_id, assigned_to, call_type, day)
);

create table delivery_count_changes (
  account_id uuid not null,
  id bigint generated always as identity,
  webhook_id uuid not null,
  outcome text not null,
  day date not null,
  n bigint not null,
  primary key (account_id, id)
);

create table delivery_counts (
  account_id uuid not null,
  webhook_id uuid not null,
  outcome text not null,
  day date not null,
  n bigint not null,
  unique (account_id, webhook_id, outcome, day)
);
