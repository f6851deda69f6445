import { count, day, oneOf, text } from '../search.ts'

/** What the address bar holds of the audit log. */
export const auditSearch = (search: Record<string, unknown>) => ({
  action: text(search, 'action'),
  /** `false` leaves out new leads, merges and calls. */
  incoming: oneOf(search, 'incoming', ['false']),
  user_id: text(search, 'user_id'),
  days: count(search, 'days'),
  from_date: day(search, 'from_date'),
  to_date: day(search, 'to_date'),
})

export type AuditListSearch = ReturnType<typeof auditSearch>
