create or replace function acting_for_all() returns boolean language sql stable parallel safe
  return coalesce(current_setting('lead_engine.sees', true), '') = 'all';
