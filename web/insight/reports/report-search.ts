import { type OriginGroup, originGroups } from '#contract/insight/reports'
import type { Days } from '#contract/platform/periods'
import { flag, readChoice, text } from '../../platform/api/search.ts'
import { days } from '../../platform/api/search-days.ts'

/** The report's part of the URL. */
export interface ReportSearch extends Days {
  /** By user, if it is not by where leads came from. */
  by?: OriginGroup | undefined
  team?: string | undefined
  source?: string | undefined
  /** The column by which rows are sorted, the largest first; by name without it. */
  sort?: string | undefined
  reverse?: true | undefined
  /** The group of columns that a narrow screen shows, if it is not the first. */
  figures?: string | undefined
}

export const reportSearch = (search: Record<string, unknown>): ReportSearch => ({
  by: readChoice(search, 'by', originGroups),
  team: text(search, 'team'),
  source: text(search, 'source'),
  sort: text(search, 'sort'),
  reverse: flag(search, 'reverse'),
  figures: text(search, 'figures'),
  ...days(search),
})
