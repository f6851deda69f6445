import { mailboxIn, phoneIn } from '../../contacts/written-contact.ts'
import type { Evidence } from './evidence.ts'
import { meaningOf } from './label.ts'
import { lastDigits } from './values.ts'

/**
 * A record that repeats the lead's email or phone is the lead's too: the `assignee` of a ticket, the stop of a delivery. Its company
 * and city count, whatever the names around it say.
 */

/** Returns the values that repeat a contact of the lead in another record. */
export function repetitionsOf(contacts: readonly Evidence[], all: readonly Evidence[]): Evidence[] {
  if (contacts.length === 0) return []
  const emails = new Set(contacts.flatMap(({ value }) => mailboxIn(value)?.email ?? []))
  const phones = new Set(contacts.flatMap(({ value }) => (mailboxIn(value) ? [] : lastDigits(value))))
  const groups = new Set(contacts.map(({ group }) => group))
  return all.filter(({ group, value }) => {
    if (groups.has(group) || value.length > maxLong) return false
    const email = mailboxIn(value)?.email
    if (email !== undefined) return emails.has(email)
    const phone = phoneIn(value)
    return phone !== undefined && phones.has(lastDigits(phone))
  })
}

const maxLong = 200

/** Returns the values with those of such records as the lead's, unless their own name says otherwise. */
export function asLeads(values: Evidence[], repetitions: readonly Evidence[]): Evidence[] {
  if (repetitions.length === 0) return values
  const groups = new Set(repetitions.map(({ group }) => group))
  return values.map((one) => {
    const { staff, thing } = meaningOf(one.labels[0] ?? '')
    return groups.has(one.group) && !staff && !thing ? { ...one, staff: false, thing: false, person: true } : one
  })
}

/** Whether the record of a message repeats the email of the lead. */
export function repeatsEmail({ group }: Evidence, repetitions: readonly Evidence[]): boolean {
  return repetitions.some((one) => one.group === group && mailboxIn(one.value))
}
