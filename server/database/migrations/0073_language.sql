-- compatible: yes
-- The language of a user. Null: none was chosen, so that the web app takes the browser's, and emails are in English.

alter table users add language text check (length(language) <= 20);
