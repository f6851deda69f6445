-- compatible: no
-- What reports add to leads and calls.

-- What a source costs in a month, which is named by its first day.
create table source_costs (
  account_id uuid not null,
  source text not null,
  month date not null,
  cost numeric(15, 2) not null check (cost >= 0),
  primary key (account_id, source, month)
);
