import { isOfAllDays } from '#contract/crm/leads'
import { allTime, type Days } from '#contract/platform/periods'
import { daysIn, hasDays, noDays, usualDays } from '../../platform/ui/days.ts'
import type { LeadListSearch } from './lead-search.ts'

/** The days on which the listed leads were created: the chosen ones, else those of the filters. */
export function daysOf(search: LeadListSearch): Days {
  return hasDays(search) ? daysIn(search) : { days: isOfAllDays(search) ? allTime : usualDays }
}

/** Removes the limit to some days. */
export const ofAllTime: Days = { ...noDays, days: allTime }
