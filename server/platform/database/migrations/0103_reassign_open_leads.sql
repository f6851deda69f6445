-- compatible: yes
-- The open leads of a user are reassigned to several users.

alter table lead_reassignments
  -- The new owners as {id, summary}, if there are several: `to_user` and `summary` are those of the first.
  add column to_users jsonb,
  -- Won and lost leads are reassigned, too.
  add column with_closed boolean not null default false;
update lead_reassignments set with_closed = true;
