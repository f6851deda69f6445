import { flag } from '../search.ts'

/** What the address bar holds of the keys: whether the revoked ones are shown too. */
export const keySearch = (search: Record<string, unknown>) => ({
  revoked: flag(search, 'revoked'),
})
