-- compatible: yes
-- functions: person_terms
-- Erasing a person finds the timelines of other leads that contain them.

create index timeline_by_person on timeline_entries using gin (person_terms(account_id, details))
  where details @? '$.changes[*] ? (@.field == "phone" || @.field == "email" || @.field == "other_contacts")'
    or details @? '$.not_taken[*] ? (@.field == "phone" || @.field == "email" || @.field == "other_contacts")'
    or details ?| array['submitted', 'merged_lead', 'unmerged_lead', 'unmerged_from', 'merged_into'];

-- Entries of merges that were undone name the other lead by its id alone.
update timeline_entries entry
set summary = regexp_replace(regexp_replace(regexp_replace(summary,
      '^(.*?) merged the lead “.*$', '\1 merged another lead into this one.'),
      '^(.*?) undid the merge of the lead “.*$', '\1 undid the merge of another lead into this one.'),
      '^(.*?) undid the merge of this lead into “.*$', '\1 undid the merge of this lead into another one.'),
  details = details - 'not_taken' - 'message' || jsonb_build_object('changes', jsonb_path_query_array(details,
    '$.changes[*] ? (@.field == "status" || @.field == "priority" || @.field == "assigned_to")'))
where kind = 'changed' and (details ? 'unmerged_lead' or summary like '% undid the merge of this lead into “%')
  or kind = 'merged' and details ? 'merged_lead' and exists (
    select from leads
    where leads.account_id = entry.account_id and leads.id = (entry.details->>'merged_lead')::uuid
  );
