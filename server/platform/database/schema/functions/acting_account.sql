create or replace function acting_account() returns uuid language sql stable parallel safe
  return nullif(current_setting('lead_engine.account', true), '')::uuid;
