import { readChoice, text } from '../../platform/api/search.ts'
import { days } from '../../platform/api/search-days.ts'

/** Reads the filters of the audit log from the URL. */
export const auditSearch = (search: Record<string, unknown>) => ({
  action: text(search, 'action'),
  /** `false` leaves out new leads, merges and calls. */
  incoming: readChoice(search, 'incoming', ['false']),
  user_id: text(search, 'user_id'),
  /** The entries of one import. */
  import_id: text(search, 'import_id'),
  ...days(search),
})

export type AuditListSearch = ReturnType<typeof auditSearch>
