-- compatible: yes
-- Lists of calls since a time read the index from that time on. Policies do not let conditions with COALESCE use an index, because it may
-- reveal values of other rows, but those with CASE.
drop index call_logs_by_change;
create index call_logs_by_change on call_logs
  (account_id, (case when changed_at is null then created_at else changed_at end), id);
