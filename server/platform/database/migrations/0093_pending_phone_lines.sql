-- compatible: yes
-- Users other than Admins ask for a phone line, and an Admin confirms it.

-- Lines that users added themselves. Until an Admin confirms one, and it is in phone_lines, no call counts for it.
create table pending_phone_lines (
  account_id uuid not null,
  user_id uuid not null,
  -- As it is compared: E.164, or in lower case. Several users may ask for the same.
  line text collate "C" not null,
  written text not null,
  added_at timestamptz(0) not null,
  primary key (account_id, user_id, line),
  foreign key (account_id, user_id) references users (account_id, id)
);
