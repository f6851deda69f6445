import { days, readChoice, text } from '../search.ts'
import type { Days } from '../ui/days.ts'

/** The report's part of the URL. */
export interface ReportSearch extends Days {
  /** By user, if it is not by source. */
  by?: 'source' | undefined
  team?: string | undefined
  source?: string | undefined
}

export const reportSearch = (search: Record<string, unknown>): ReportSearch => ({
  by: readChoice(search, 'by', ['source']),
  team: text(search, 'team'),
  source: text(search, 'source'),
  ...days(search),
})
