-- Adds to the counts of a day: to the fine ones, and to those that lists without a filter of their own read.
create or replace function count_leads(
  account uuid, of_day date, of_status text, of_source text, of_priority text, assignee uuid, count_slot smallint,
  leads bigint
) returns void language plpgsql as $$
declare
  whose uuid := coalesce(assignee, '00000000-0000-0000-0000-000000000000');
begin
  insert into lead_counts (account_id, day, status, source, priority, assigned_to, slot, n)
  values (account, of_day, of_status, of_source, of_priority, whose, count_slot, leads)
  on conflict (account_id, day, status, source, priority, assigned_to, slot)
  do update set n = lead_counts.n + excluded.n;
  insert into lead_day_counts (account_id, day, assigned_to, slot, n)
  values (account, of_day, whose, count_slot, leads)
  on conflict (account_id, day, assigned_to, slot) do update set n = lead_day_counts.n + excluded.n;
end
$$;
