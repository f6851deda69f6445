-- What deliveries kept of a lead goes with it (D14); that they came, when and how they ended stays. Called by the
-- deletion of a lead, acting for the whole account: who deletes a lead need not be one who may read deliveries.
create or replace function forget_deliveries(account uuid, of_lead uuid) returns void language plpgsql as $$
begin
  update deliveries set body = null, picks = '[]', warnings = '[]', error = null
  where account_id = account and lead_id = of_lead;
end
$$;
