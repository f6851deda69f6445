-- compatible: yes
alter table notification_settings add column weekly_email boolean not null default false;
