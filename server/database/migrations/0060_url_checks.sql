-- compatible: yes
-- By which Zoom checks that the answer of a URL comes from the owner of its app.
alter table webhooks add column secret_token text;
