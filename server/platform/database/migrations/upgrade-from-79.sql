-- Removes what the tables of the baseline (0080 to 0090) do not have. Migrations 46 to 79 made all others as they are there.
drop function take_turns, return_turns, swap_credits, swap_turns, lead_answer_start, create_leads, reassign_some_leads;
alter table distribution_turns drop column turns, drop column returned;
