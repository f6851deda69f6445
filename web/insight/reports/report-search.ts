import { type OriginGroup, originGroups } from '#contract/insight/reports'
import { days, readChoice, text } from '../../platform/api/search.ts'
import type { Days } from '../../platform/ui/days.ts'

/** The report's part of the URL. */
export interface ReportSearch extends Days {
  /** By user, if it is not by where leads came from. */
  by?: OriginGroup | undefined
  team?: string | undefined
  source?: string | undefined
  /** The group of columns that a narrow screen shows, if it is not the first. */
  figures?: string | undefined
}

export const reportSearch = (search: Record<string, unknown>): ReportSearch => ({
  by: readChoice(search, 'by', originGroups),
  team: text(search, 'team'),
  source: text(search, 'source'),
  figures: text(search, 'figures'),
  ...days(search),
})
