-- compatible: no
-- What the cleanup reads in small batches has an index, so that a batch costs the same however much there is.
create index sessions_by_expiry on sessions (expires_at);
create index verifications_by_expiry on verifications (expires_at);

-- Counts are written in the slots 1 to 7, in bulk in 8, and folded into 0, which nothing but the cleanup writes to:
-- folding never waits for a writer, nor a writer for more than a batch.
create index lead_counts_to_fold on lead_counts (account_id, day) where slot > 0;
create index lead_day_counts_to_fold on lead_day_counts (account_id, day) where slot > 0;
create index call_counts_to_fold on call_counts (account_id, day) where slot > 0;
create index delivery_counts_to_fold on delivery_counts (account_id, day) where slot > 0;

create or replace function count_calls(account uuid, of_day date, of_call_type text, assignee uuid, calls bigint)
returns void language plpgsql as $$
begin
  insert into call_counts (account_id, day, call_type, assigned_to, slot, n)
  values (account, of_day, of_call_type, coalesce(assignee, '00000000-0000-0000-0000-000000000000'),
    1 + floor(random() * 7)::smallint, calls)
  on conflict (account_id, day, call_type, assigned_to, slot) do update set n = call_counts.n + excluded.n;
end
$$;

-- Left behind by the function that this one replaces.
delete from call_counts where slot = 0 and n = 0;
