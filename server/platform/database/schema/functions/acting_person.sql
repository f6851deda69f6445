create or replace function acting_person() returns uuid language sql stable parallel safe
  return nullif(current_setting('lead_engine.person', true), '')::uuid;
