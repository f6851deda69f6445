import { t } from '@lingui/core/macro'
import type { UserAvailability } from '#contract/crm/availability'
import { formatIsoDate, istDay } from '../../platform/ui/time.ts'
import { timeOfDay, weekdays } from '../../platform/ui/time-of-day.ts'

const dayInWords = (day: string) => (day === istDay() ? t`today` : formatIsoDate(day))

/** "Invited", "Available", "Away today", "Away until 5 Dec", "Outside working hours". */
export function stateInWords({ state, away_until }: Pick<UserAvailability, 'state' | 'away_until'>): string {
  if (state === 'invited') return t`Invited`
  if (state === 'available') return t`Available`
  if (state === 'outside_hours' || away_until === null) return t`Outside working hours`
  return away_until === istDay() ? t`Away today` : t`Away until ${{ day: formatIsoDate(away_until) }}`
}

/** "25 Nov", "25 Nov to 5 Dec", "today". */
export const absenceInWords = ({ from, until }: { from: string; until: string }) =>
  from === until ? dayInWords(from) : t`${{ from: dayInWords(from) }} to ${{ until: dayInWords(until) }}`

interface Times {
  work_days: number[]
  work_from: number
  work_until: number
}

/** "Mon, Tue, Wed, 09:00 to 19:00", "Fri, 21:00 to 02:00 (next day)". */
export function hoursInWords({ work_days, work_from, work_until }: Times): string {
  const days = work_days.map((day) => weekdays[day - 1]).join(', ')
  const times = { days, from: timeOfDay(work_from), until: timeOfDay(work_until) }
  return work_until > work_from
    ? t`${{ days }}, ${{ from: times.from }} to ${{ until: times.until }}`
    : t`${{ days }}, ${{ from: times.from }} to ${{ until: times.until }} (next day)`
}
