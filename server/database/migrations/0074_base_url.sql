-- compatible: yes
-- The service saves its BASE_URL at each start, for commands that print URLs.

grant update on installation_secrets to lead_engine_directory;
