import { flag, text } from '../../platform/api/search.ts'

/** Reads the filters of the team from the URL. */
export const teamSearch = (search: Record<string, unknown>) => ({
  search: text(search, 'search'),
  team: text(search, 'team'),
  /** Shows deactivated users, too. */
  deactivated: flag(search, 'deactivated'),
})

/** `from`: the page that it leads back to. */
export const inviteSearch = ({ from }: Record<string, unknown>): { from?: 'start' | undefined } => ({
  from: from === 'start' ? from : undefined,
})
