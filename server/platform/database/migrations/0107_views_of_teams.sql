-- compatible: yes
alter table lead_views
  -- A Manager's own view that the users of this team see, too.
  add column team text;
