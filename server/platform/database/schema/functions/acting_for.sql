-- Finds the user in the text of the list: reading it as an array for every row is five times slower. All ids are of one length and
-- between commas, so none is part of another.
create or replace function acting_for(assignee uuid) returns boolean language sql stable parallel safe
  return coalesce(current_setting('lead_engine.sees', true), '') = 'all'
    or strpos(coalesce(current_setting('lead_engine.sees', true), ''), assignee::text) > 0;
