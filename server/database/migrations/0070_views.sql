-- compatible: yes
-- Filters, sort and columns of the list of leads, saved under a name.

-- Views of users, and of the account. `search` has the parameters of the list's URL.
create table lead_views (
  account_id uuid not null,
  id uuid not null,
  -- Null: shared with all users.
  user_id uuid,
  name text not null,
  search jsonb not null,
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index lead_views_by_name on lead_views (account_id, user_id, lower(name));

grant select, insert, update, delete on lead_views to lead_engine_app;
alter table lead_views enable row level security;
-- Admins do not see those of other users.
create policy seen on lead_views for select to lead_engine_app
  using (account_id = acting_account() and (user_id is null or user_id = acting_person()));
create policy changed on lead_views to lead_engine_app
  using (account_id = acting_account() and (user_id = acting_person() or (user_id is null and acting_for_all())));
