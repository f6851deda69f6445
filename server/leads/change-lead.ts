import type { TransactionSql } from 'postgres'
import { accountOf } from '../account/users.ts'
import { type Actor, actAs, asActor, forWholeAccount, maySee } from '../database/actor.ts'
import { type Database, isConflict } from '../database/connect.ts'
import { wholeSecond } from '../http/date-window.ts'
import { type HttpProblem, invalid, notFound } from '../http/problem.ts'
import { changedSummary } from '../timeline/summaries.ts'
import { emailKey, phoneKey } from './contact.ts'
import type { LeadFields, LeadRow, LockedLead } from './lead.ts'
import { changesBetween } from './merge-lead.ts'
import { lockLead, lockMatches } from './store.ts'
import { withOwnerEmails, writeChange } from './write-change.ts'

export interface HandChange {
  /** The lead as it is to be, decided while it is locked. An `assigned_to` is the id of an active person whom the actor may name. */
  fields(lead: LeadFields): LeadFields
  /** As a timeline names it: the web app by Asha. */
  sender: string
  at: Date
}

/** Changes a lead that the actor sees, as a person asked for it. What is the same already leaves no trace. */
export async function changeLead(database: Database, actor: Actor, id: string, change: HandChange): Promise<LeadRow> {
  const account = await accountOf(database, actor.account_id)
  return asActor(database, actor, async (tx) => {
    const lead = await lockLead(tx, actor.account_id, id)
    if (!lead) throw notFound('There is no such lead.')
    const fields = change.fields(fieldsOf(lead))
    checkReachable(actor, fields)
    const changes = withOwnerEmails(account, changesBetween(fieldsOf(lead), fields))
    if (changes.length === 0) return lead
    const keys = {
      phone_key:
        fields.phone === lead.phone ? lead.phone_key : keyOf(fields.phone, (text) => phoneKey(text, account.country)),
      email_key: fields.email === lead.email ? lead.email_key : keyOf(fields.email, emailKey),
    }
    const after: LeadRow = { ...fields, id, created_at: lead.created_at, updated_at: wholeSecond(change.at) }
    const summary = changedSummary(change.sender, changes)
    const told = { at: change.at, kind: 'changed', summary, details: { changes } } as const
    try {
      await tx.savepoint((part) => writeChange(part, actor, lead, after, keys, told))
    } catch (error) {
      throw isConflict(error) ? await takenElsewhere(tx, actor, id, keys) : error
    }
    return after
  })
}

function fieldsOf({ id, phone_key, email_key, created_at, updated_at, ...fields }: LockedLead): LeadFields {
  return fields
}

const keyOf = (text: string | null, key: (text: string) => string | null) => (text === null ? null : key(text))

function checkReachable(actor: Actor, { phone, email, assigned_to }: LeadFields) {
  if (phone === null && email === null) throw invalid('A lead needs a phone or an email.', 'phone')
  if (!maySee(actor, assigned_to)) {
    throw invalid('Only Admins may leave a lead with nobody.', 'assigned_to')
  }
}

/** Names the lead that holds the phone or the email, where the actor may see it. */
async function takenElsewhere(
  tx: TransactionSql,
  actor: Actor,
  id: string,
  { phone_key, email_key }: { phone_key: string | null; email_key: string | null },
): Promise<HttpProblem> {
  await actAs(tx, forWholeAccount(actor))
  const others = (await lockMatches(tx, actor.account_id, phone_key, email_key)).filter((lead) => lead.id !== id)
  const byPhone = others.find((lead) => phone_key !== null && lead.phone_key === phone_key)
  const holder = byPhone ?? others[0]
  const field = byPhone ? 'phone' : 'email'
  // Let go in the meantime: saving again will do.
  if (!holder) return invalid('Another lead had this phone or email just now. Save again.', 'phone')
  const whose = maySee(actor, holder.assigned_to) ? `the lead “${holder.name}”` : 'a lead you cannot see'
  return invalid(`This ${field} belongs to ${whose}. One person is one lead.`, field)
}
