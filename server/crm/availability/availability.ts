import { msg } from '@lingui/core/runtime-macro'
import type { Absence, Account, User, WorkingHours } from '../../access/account/users.ts'
import { istDay } from '../../platform/http/instants.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { translate, withValues } from '../../platform/languages/translate.ts'
import { isWithin, nextWorkingMoment } from './hours.ts'

/** Whether a user gets new leads by rules, and until when they do not. */
export type Availability = { state: 'available' } | { state: 'away' | 'outside_hours'; until: Date }

type Hours = Pick<Account, 'workingHours'>
type Person = Pick<User, 'workingHours' | 'absences'>

/** Returns the user's own working hours, or those of the account. */
export const hoursOf = (account: Hours, user: Pick<User, 'workingHours'>): WorkingHours =>
  user.workingHours ?? account.workingHours

export function availabilityAt(account: Hours, user: Person, at: Date): Availability {
  const away = absenceAt(user, at)
  if (away) return { state: 'away', until: away }
  const hours = hoursOf(account, user)
  return isWithin(hours, at) ? { state: 'available' } : { state: 'outside_hours', until: nextWorkingMoment(at, hours) }
}

/** Returns when the user is back. Absences that follow one another are one. */
export function absenceAt({ absences }: Pick<User, 'absences'>, at: Date): Date | null {
  let back: Date | null = null
  for (const { from, until } of absences.toSorted(byStart)) {
    const moment = back ?? at
    if (from <= moment && until > moment) back = until
  }
  return back
}

const byStart = (one: Absence, other: Absence) => one.from.getTime() - other.from.getTime()

/** Returns the first time from `at` on at which the user is available. Far ahead it may be a time at which they are away again. */
export function availableFrom(account: Hours, user: Person, at: Date): Date {
  let moment = at
  for (let tries = 0; tries <= user.absences.length * 2; tries++) {
    const now = availabilityAt(account, user, moment)
    if (now.state === 'available') return moment
    moment = now.until
  }
  return moment
}

/** Returns the last day of an absence, which ends at midnight. */
export const lastDay = (until: Date) => istDay(new Date(until.getTime() - 1000))

export const awayTexts = {
  today: msg`${{ name: '' }} is away today.`,
  until: msg`${{ name: '' }} is away until ${{ date: '' }}.`,
}

/** "Asha is away until 5 Dec.", with the last day of the absence; "Asha is away today." */
export function awaySentence(name: string, until: Date, now: Date, language?: Language): string {
  const last = lastDay(until)
  if (last === istDay(now)) return translate(withValues(awayTexts.today, { name }), language)
  const ofThisYear = last.slice(0, 4) === istDay(now).slice(0, 4)
  const date = dayInWords(last, { ofThisYear, language })
  return translate(withValues(awayTexts.until, { name, date }), language)
}

function dayInWords(day: string, { ofThisYear, language }: { ofThisYear: boolean; language: Language | undefined }) {
  const locale = language === undefined || language === 'en' ? 'en-GB' : `${language}-IN`
  const parts = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  const written = new Intl.DateTimeFormat(locale, ofThisYear ? parts : { ...parts, year: 'numeric' })
  return written.format(new Date(day))
}
