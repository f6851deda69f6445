import type { AuditListSearch } from './audit-search.ts'

export const auditKeys = {
  all: ['audit'],
  list: (search: AuditListSearch) => ['audit', search],
} as const
