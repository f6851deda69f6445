-- compatible: yes
-- The numbers of a business are learned from its calls.

-- Numbers on the business's side of calls of unknown telephone systems.
create table own_numbers (
  account_id uuid not null,
  -- In E.164.
  number text collate "C" not null,
  -- The first leads whose calls had it. With three it is known.
  lead_ids uuid[] not null,
  seen_at timestamptz(0) not null,
  primary key (account_id, number)
);
create index own_numbers_by_seen on own_numbers (account_id, seen_at desc);
