-- The users whose leads the actor sees. No rows for an actor who sees all.
create or replace function acting_people() returns setof uuid language plpgsql stable parallel safe rows 20 as $$
begin
  return query select unnest(nullif(nullif(current_setting('lead_engine.sees', true), 'all'), '')::uuid[]);
end
$$;
