import { flag } from '../../platform/api/search.ts'

/** Reads from the URL whether revoked keys are shown. */
export const keySearch = (search: Record<string, unknown>) => ({
  revoked: flag(search, 'revoked'),
})
