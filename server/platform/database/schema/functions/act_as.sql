-- Sets the actor until the end of the transaction. Its first statement, and never within a savepoint. It rejects every actor of an account that
-- is being restored or deleted: what they would write would be lost, or left.
create or replace function act_as(account uuid, person uuid, sees text) returns void language plpgsql as $$
begin
  perform set_config('lead_engine.account', account::text, true),
          set_config('lead_engine.person', coalesce(person::text, ''), true),
          set_config('lead_engine.sees', sees, true);
  if exists (select from accounts where id = account and closed_for is not null) then
    raise exception 'the account is being restored or deleted' using errcode = 'LE001';
  end if;
end
$$;
