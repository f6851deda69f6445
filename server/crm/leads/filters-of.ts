import { msg } from '@lingui/core/runtime-macro'
import { findAccount, findOwners } from '../../access/account/users.ts'
import type { Actor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { allDays, dateWindow, daysBeforeToday } from '../../platform/http/date-window.ts'
import { istDay } from '../../platform/http/instants.ts'
import { invalid } from '../../platform/http/problem.ts'
import { areAllClosed, isOfAllDays, type LastCall, type LeadSearch } from './contract.ts'
import { coldBefore } from './follow-up.ts'
import type { LeadFilters } from './lead-filters.ts'
import { searchTerms } from './search-terms.ts'
import { findSources } from './source-names.ts'

/** Reads the filters of the web app's list. `me` among the owners is the user who asks. */
export async function filtersOf(database: Database, actor: Actor, query: LeadSearch, now: Date): Promise<LeadFilters> {
  const { status, source, priority, assigned_to, tag, city, last_call, follow_up, search, from_date, to_date } = query
  const { closed_from, closed_to, closed_by, first_owner } = query
  const { product, campaign, ad, form, lost_reason: lostReason, min_value: minValue, max_value: maxValue } = query
  if (minValue !== undefined && maxValue !== undefined && minValue > maxValue) {
    throw invalid(msg`${{ field: 'min_value' }} must not be more than max_value.`, 'min_value')
  }
  if (query.sort === 'closed' && !areAllClosed(query)) {
    throw invalid(msg`Only leads in Won or Lost can be sorted by closing. Choose this status first.`, 'sort')
  }
  const account = await findAccount(database, actor.account_id)
  const me = account.users.find(({ id }) => id === actor.user_id)
  const emailOf = (owner: string) => (owner === 'me' && me ? me.email : owner)
  const ownersOf = (owners: string[] | undefined) =>
    owners?.length ? findOwners(account, owners.map(emailOf)) : undefined
  const isWithoutDates = from_date === undefined && to_date === undefined
  return {
    status,
    source: source && (await findSources(database, actor, source)),
    priority,
    tag,
    city,
    origin: { product, campaign, ad, form },
    lastCall: last_call && lastCallOf(last_call, now),
    followUp: follow_up && { kind: follow_up, now, coldBefore: coldBefore(account, now) },
    lostReason,
    minValue,
    maxValue,
    closed: closedDays(closed_from, closed_to, now),
    closedBy: ownersOf(closed_by),
    firstOwners: ownersOf(first_owner),
    importId: query.import,
    window: dateWindow(isWithoutDates && isOfAllDays(query) ? allDays : query, now, daysBeforeToday.web),
    owners: ownersOf(assigned_to),
    search: search === undefined ? null : searchTerms(search, account.country),
  }
}

function closedDays(from: string | undefined, to: string | undefined, now: Date): LeadFilters['closed'] {
  if (from === undefined && to === undefined) return undefined
  if (from !== undefined && to !== undefined && from > to)
    throw invalid(msg`${{ field: 'closed_from' }} must not be after closed_to.`, 'closed_from')
  return dateWindow({ from_date: from ?? allDays.from_date, to_date: to ?? allDays.to_date }, now)
}

function lastCallOf(lastCall: LastCall, now: Date): LeadFilters['lastCall'] {
  if (lastCall === 'never') return null
  const { from } = dateWindow({ from_date: istDay(now) }, now)
  if (lastCall === 'today') return { from }
  return { until: new Date(now.getTime() - Number.parseInt(lastCall, 10) * 86_400_000) }
}
