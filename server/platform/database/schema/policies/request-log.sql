grant select, update (address), delete on logged_requests to lead_engine_app;
-- One statement saves the requests of all accounts.
grant insert on logged_requests to lead_engine_directory;
alter table logged_requests enable row level security;
drop policy if exists settings on logged_requests;
create policy settings on logged_requests to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on logged_requests;
create policy directory on logged_requests for insert to lead_engine_directory with check (true);
