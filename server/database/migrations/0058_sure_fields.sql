-- compatible: yes
-- A recognised field is sure or unsure: what was certain or likely is sure.
update webhooks set proposal = regexp_replace(proposal::text, '"confidence": "(certain|likely)"', '"confidence": "sure"', 'g')::jsonb
where proposal::text ~ '"confidence": "(certain|likely)"';
