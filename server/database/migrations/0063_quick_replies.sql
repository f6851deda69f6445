-- compatible: yes
-- Texts with which users open WhatsApp.

-- Quick replies of the account, and of users. They name no lead: `{name}` is filled in when one is used.
create table quick_replies (
  account_id uuid not null,
  id uuid not null,
  -- Null: of the account.
  user_id uuid,
  title text not null,
  text text not null,
  position integer not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index quick_replies_in_order on quick_replies (account_id, user_id, position);

grant select, insert, update, delete on quick_replies to lead_engine_app;
alter table quick_replies enable row level security;
create policy own on quick_replies to lead_engine_app
  using (account_id = acting_account() and (acting_for_all() or user_id = acting_person()));
create policy of_account on quick_replies for select to lead_engine_app
  using (account_id = acting_account() and user_id is null);
