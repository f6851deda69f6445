-- compatible: yes
-- What a user is to win in a month, which is named by its first day. In rupees.
create table goals (
  account_id uuid not null,
  user_id uuid not null,
  month date not null,
  won_value numeric(15, 2) not null check (won_value > 0),
  primary key (account_id, user_id, month),
  foreign key (account_id, user_id) references users (account_id, id)
);
