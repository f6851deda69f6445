-- compatible: yes
-- Who answers the call of an unassigned lead owns it, unless the account turns it off.

alter table accounts alter column answering_user_owns set default true;
update accounts set answering_user_owns = true;
