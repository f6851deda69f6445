-- Removes a deleted lead from bulk changes, with its former values.
create or replace function leave_bulk_changes(account uuid, of_lead uuid) returns void language plpgsql as $$
begin
  delete from bulk_change_leads where account_id = account and lead_id = of_lead;
end
$$;
