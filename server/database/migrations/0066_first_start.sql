-- compatible: yes
-- The first steps of an account, in the web app: not opened yet, opened, or ended. Which steps are done is read from the data. Accounts
-- that exist have made theirs.
alter table accounts
  add column first_start text not null default 'ended' check (first_start in ('new', 'started', 'ended')),
  add column first_start_skipped text[] not null default '{}';
alter table accounts alter column first_start set default 'new';
