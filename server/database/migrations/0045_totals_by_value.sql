-- compatible: no
-- The total of a list by status, source or priority summed a row for each combination of these on each day. The cleanup, which adds
-- the totals of past days up, now keeps their sums by each value of a field, too.
create table lead_value_totals (
  account_id uuid not null,
  field text not null,
  value text not null,
  day date not null,
  n bigint not null,
  primary key (account_id, field, value, day)
);
grant select, insert, update, delete on lead_value_totals to lead_engine_app;
alter table lead_value_totals enable row level security;
do $$
begin
  if exists (select from pg_extension where extname = 'citus') then
    create policy visible on lead_value_totals to lead_engine_app using (account_id = acting_account() and acting_for_all());
  else
    create policy visible on lead_value_totals to lead_engine_app
      using (account_id = (select acting_account()) and (select acting_for_all()));
  end if;
end
$$;

insert into lead_value_totals (account_id, field, value, day, n)
select account_id, field, value, day, sum(n)
from lead_field_totals, lateral (values ('priority', priority), ('source', source), ('status', status)) as of_field (field, value)
where slot = 0 group by 1, 2, 3, 4;

-- What is not added up yet is read beside the sums.
drop index lead_field_totals_by_priority, lead_field_totals_by_status, lead_field_totals_by_source;
create index lead_field_totals_by_priority on lead_field_totals (account_id, priority, day) where slot > 0;
create index lead_field_totals_by_status on lead_field_totals (account_id, status, day) where slot > 0;
create index lead_field_totals_by_source on lead_field_totals (account_id, source, day) where slot > 0;
-- Two and three filters.
create index lead_field_totals_by_fields on lead_field_totals (account_id, source, status, priority, day);
create index lead_field_totals_by_status_and_priority on lead_field_totals (account_id, status, priority, day);
-- A page with three filters read ten leads for each that it shows.
drop index leads_by_source;
create index leads_by_source on leads (account_id, source, created_at desc, id desc, status, priority);
