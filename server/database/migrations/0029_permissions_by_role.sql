-- compatible: yes
-- The lowest role that may delete leads and calls, and export lists, in the web app.
alter table accounts
  add column lowest_role_to_delete text not null default 'Manager'
    check (lowest_role_to_delete in ('Admin', 'Manager', 'Agent')),
  add column lowest_role_to_export text not null default 'Manager'
    check (lowest_role_to_export in ('Admin', 'Manager', 'Agent'));
