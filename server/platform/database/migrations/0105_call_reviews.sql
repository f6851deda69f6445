-- compatible: yes
-- Managers and Admins review calls.

alter table call_logs
  add column review text check (review in ('Good', 'To improve')),
  -- What the reviewer says about the call.
  add column review_remark text,
  add column reviewed_by uuid,
  add column reviewed_at timestamptz(0);

create index call_logs_reviewed on call_logs (account_id, called_at desc, id desc) where review is not null;
