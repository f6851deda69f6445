grant select, insert, update, delete on webhooks to lead_engine_app;
grant select on webhooks to lead_engine_directory;
alter table webhooks enable row level security;
drop policy if exists settings on webhooks;
create policy settings on webhooks to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on webhooks;
create policy directory on webhooks for select to lead_engine_directory using (true);

grant select, insert, update, delete on deliveries to lead_engine_app;
-- Finds the accounts whose deliveries wait.
grant select (account_id, outcome, finish_at) on deliveries to lead_engine_directory;
alter table deliveries enable row level security;
drop policy if exists settings on deliveries;
create policy settings on deliveries to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on deliveries;
create policy directory on deliveries for select to lead_engine_directory using (outcome = 'waiting');

grant select, insert, delete on delivery_contacts to lead_engine_app;
alter table delivery_contacts enable row level security;
drop policy if exists settings on delivery_contacts;
create policy settings on delivery_contacts to lead_engine_app using (account_id = acting_account() and acting_for_all());

grant select, insert, update, delete on delivery_receipts to lead_engine_app;
alter table delivery_receipts enable row level security;
drop policy if exists settings on delivery_receipts;
create policy settings on delivery_receipts to lead_engine_app using (account_id = acting_account() and acting_for_all());

grant select, insert, update, delete on webhook_storage to lead_engine_app;
alter table webhook_storage enable row level security;
drop policy if exists settings on webhook_storage;
create policy settings on webhook_storage to lead_engine_app using (account_id = acting_account() and acting_for_all());

grant select, update, delete on enquiry_readings to lead_engine_app;
grant select on enquiry_readings to lead_engine_directory;
alter table enquiry_readings enable row level security;
drop policy if exists whole_account on enquiry_readings;
create policy whole_account on enquiry_readings to lead_engine_app using (account_id = acting_account() and acting_for_all());
drop policy if exists directory on enquiry_readings;
create policy directory on enquiry_readings for select to lead_engine_directory using (true);
