-- Locks the keys of contacts until the end of the transaction. A transaction that changes contacts of a lead locks all of them first, in one
-- order, so that two never wait for each other. The unique keys alone would be enough for what is written.
create or replace function lock_contacts(account uuid, keys text[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(account || ' ' || key, 0))
  from (select key from unnest(keys) as key order by key) as sorted;
end
$$;
