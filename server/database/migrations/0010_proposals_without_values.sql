-- What a webhook's first delivery said goes with its lead, so the proposal keeps which value is which field alone.
update webhooks set proposal = (select coalesce(jsonb_agg(pick - 'value'), '[]') from jsonb_array_elements(proposal) pick)
where proposal is not null;
