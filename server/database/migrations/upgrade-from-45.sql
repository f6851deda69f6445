-- Brings a database at migration 45 to the baseline (0046 to 0048), and removes what 0049 to 0052 create again.
do $$
declare
  policy record;
begin
  for policy in
    select policyname, tablename from pg_policies
    where schemaname = 'public' and roles && '{lead_engine_app, lead_engine_directory}'::name[]
  loop
    execute format('drop policy %I on %I', policy.policyname, policy.tablename);
  end loop;
end
$$;
drop table lead_counts, lead_day_counts, lead_totals, lead_field_totals, lead_value_totals, lead_marks, call_counts, delivery_counts;

alter table leads drop constraint leads_account_id_fkey;
alter table leads alter column answer_start drop expression;
alter table leads alter column answer_start drop not null;
drop index deliveries_oldest;
alter table deliveries validate constraint deliveries_outcome_check;
revoke all on active_users from lead_engine_app;

drop function act_as, acting_account, acting_for, acting_for_all, acting_people, acting_person, call_previews_of_lead, calls_of_lead,
  contact_hash, contact_pattern, count_calls, count_in_field_total, count_in_total, count_leads, counted_days, create_call_log,
  create_lead, create_new_lead, forget_deliveries, forget_lead_marks, forget_person, lead_answer_start, leads_with_tag, may_act_for,
  name_pattern, newest_leads, newest_leads_of, note_assignment, note_calls, preview_of, reassign_calls, reassign_calls_of, reassign_leads,
  reassign_some_leads, record_delivery_of_new_lead, return_turns, take_turns, uncount_calls;
