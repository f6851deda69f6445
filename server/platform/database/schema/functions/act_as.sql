-- Sets the actor until the end of the transaction. Its first statement, and never within a savepoint.
create or replace function act_as(account uuid, person uuid, sees text) returns void language plpgsql as $$
begin
  perform set_config('lead_engine.account', account::text, true),
          set_config('lead_engine.person', coalesce(person::text, ''), true),
          set_config('lead_engine.sees', sees, true);
end
$$;
