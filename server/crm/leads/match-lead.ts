import { msg } from '@lingui/core/runtime-macro'
import { findAccount, nameOfHiddenOwner } from '../../access/account/users.ts'
import { recordAudit } from '../../access/audit/record.ts'
import { type Actor, asActor, forWholeAccount, maySee, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { translate } from '../../platform/languages/translate.ts'
import { contactKey } from '../contacts/contact.ts'
import type { LeadMatch, MatchAnswer } from './contract.ts'
import { readGivenContacts } from './given-contacts.ts'

interface Holder {
  id: string
  name: string
  phone: string | null
  email: string | null
  status: LeadMatch['status']
  assigned_to: string | null
  is_phones: boolean
}

const hiddenMatch = {
  owned: msg`This customer belongs to a colleague. Send adds your note to their lead.`,
  unassigned: msg`This customer’s lead is unassigned. Send adds your note to it, and an Admin assigns it.`,
}

const seenMatch = (by: LeadMatch['by'], name: string) =>
  by === 'phone'
    ? msg`This phone belongs to ${{ name }}. Saving merges into that lead.`
    : msg`This email belongs to ${{ name }}. Saving merges into that lead.`

/** Returns the lead that a submission with this phone and email would be merged into, as far as the actor may see it. */
export async function matchLead(
  database: Database,
  actor: Actor,
  typed: { phone?: string; email?: string },
  language: Language,
): Promise<MatchAnswer> {
  const account = await findAccount(database, actor.account_id)
  const { given, contacts } = readGivenContacts(typed, account.country)
  const keysOf = (kind: 'phone' | 'email') => {
    const others = contacts.flatMap((contact) => (contact.kind === kind ? contact.value : []))
    return [given[kind] ?? [], others].flat().flatMap((value) => contactKey({ kind, value }, account.country) ?? [])
  }
  const phones = keysOf('phone')
  const keys = [...phones, ...keysOf('email')]
  const holders = await readAsActor(
    database,
    forWholeAccount(actor),
    (tx) => tx<Holder[]>`
    select id, name, phone, email, status, assigned_to, coalesce(phone_key = any (${phones}), false) or exists (
        select from lead_contacts where account_id = ${actor.account_id} and lead_id = leads.id and key = any (${phones})
      ) as is_phones
    from leads where account_id = ${actor.account_id}
      and id = any ((select holders_of(${actor.account_id}, ${keys}))::uuid[])`,
  )
  const holder = holders.find(({ is_phones }) => is_phones) ?? holders[0]
  if (!holder) return { match: null, hidden: false, owner: null, message: null }
  const by = holder.is_phones ? 'phone' : 'email'
  if (!maySee(actor, holder.assigned_to)) {
    // Leaves a trace of users who try one phone after the other.
    await asActor(database, { ...actor, silent: true }, (tx) =>
      recordAudit(tx, actor, { action: 'lead.match_hidden', subject_id: holder.id, details: { by } }),
    )
    return {
      match: null,
      hidden: true,
      owner: nameOfHiddenOwner(account, holder.assigned_to),
      message: translate(holder.assigned_to === null ? hiddenMatch.unassigned : hiddenMatch.owned, language),
    }
  }
  const { id, name, status } = holder
  const match = { id, name, status, phone: holder.phone, email: holder.email, by } as const
  return { match, hidden: false, owner: null, message: translate(seenMatch(by, name), language) }
}
