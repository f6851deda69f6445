import { forWholeAccount, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { emailKey, phoneKey } from '../leads/contact.ts'
import type { ImportPlan, ReadRow } from './read-row.ts'

/** By which a row's person is known again: none where the row is refused. */
export function contactsOf({ account }: ImportPlan, read: ReadRow): string[] {
  const { phone, email } = 'submission' in read ? read.submission.given : {}
  return [...(phone ? [phoneKey(phone, account.country) ?? phone] : []), ...(email ? [emailKey(email)] : [])]
}

const keysAtOnce = 5000

/** How many rows of these contacts would make a lead and how many would merge: into one that is there, or an earlier row. */
export async function foresee(database: Database, { actor }: ImportPlan, contacts: string[][]) {
  const keys = [...new Set(contacts.flat())]
  const known = new Set<string>()
  for (let at = 0; at < keys.length; at += keysAtOnce) {
    const some = keys.slice(at, at + keysAtOnce)
    const found = await readAsActor(
      database,
      forWholeAccount(actor),
      (tx) => tx<{ key: string }[]>`
        select phone_key as key from leads where account_id = ${actor.account_id} and phone_key = any (${some})
        union select email_key from leads where account_id = ${actor.account_id} and email_key = any (${some})`,
    )
    for (const { key } of found) known.add(key)
  }
  const counts = { created: 0, merged: 0 }
  for (const own of contacts) {
    if (own.some((key) => known.has(key))) counts.merged++
    else counts.created++
    for (const key of own) known.add(key)
  }
  return counts
}
