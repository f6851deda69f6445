-- compatible: no
-- Programs before this migration sign in as the owner and change to a role. From here on the service signs in as two
-- roles of the installation's own, for which lead_engine_app and lead_engine_directory stand in all migrations. The
-- table with their passwords is for the owner alone.
revoke all on service_roles from lead_engine_app, lead_engine_directory;
alter table service_roles enable row level security;
