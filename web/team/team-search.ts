import { flag, text } from '../search.ts'

/** What the address bar holds of the team. */
export const teamSearch = (search: Record<string, unknown>) => ({
  search: text(search, 'search'),
  team: text(search, 'team'),
  /** Those who were deactivated are shown too. */
  deactivated: flag(search, 'deactivated'),
})
