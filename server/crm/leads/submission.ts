import { msg } from '@lingui/core/runtime-macro'
import { activeUserByEmail, findAccount } from '../../access/account/users.ts'
import { type Actor, maySee } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { instantText } from '../../platform/http/instants.ts'
import { invalid } from '../../platform/http/problem.ts'
import type { NewLead, SavedLead } from './contract.ts'
import { readGivenContacts } from './given-contacts.ts'
import type { GivenFields, Saved, Submission } from './lead.ts'
import { withSourceName } from './source-names.ts'

/** Turns a request of the API or the web app into a submission. */
export async function toSubmission(
  database: Database,
  actor: Actor & { user_id: string },
  body: NewLead,
  from: { sender: string; source: string; received_at: Date },
): Promise<Submission> {
  if (body.phone === undefined && body.email === undefined)
    throw invalid(msg`${{ field: 'phone' }} or email is required.`, 'phone')
  const { country } = await findAccount(database, actor.account_id)
  const { given, contacts, beside } = readGivenContacts(body, country)
  const { assigned_to, deal_value, ...fields } = given
  return withSourceName(database, actor, {
    given: {
      ...fields,
      ...(deal_value === undefined ? {} : { deal_value: inPaise(deal_value) }),
      ...(assigned_to === undefined ? {} : { assigned_to: await assigneeId(database, actor, assigned_to) }),
    },
    contacts,
    ...(beside === null ? {} : { remark: beside }),
    defaults: { source: from.source, status: 'New', priority: 'Medium' },
    onMatch: 'replace',
    assignment: { byRules: actor.sees === 'all', otherwise: actor.user_id, webhook_id: null },
    sender: from.sender,
    received_at: from.received_at,
  })
}

/** Returns the id of an active user that the actor may see. */
export async function assigneeId(
  database: Database,
  actor: Actor,
  email: string,
  field = 'assigned_to',
): Promise<string> {
  const user = activeUserByEmail(await findAccount(database, actor.account_id), email)
  if (!user || !maySee(actor, user.id)) {
    throw invalid(msg`${{ field }} must be the email of an active user that you may see.`, field)
  }
  return user.id
}

/** Rounds half up by the decimal digits as sent: 1.005 becomes 1.01, which it would not in binary. */
export function inPaise(rupees: number): number {
  return rupees < 0.005 ? 0 : Number(`${Math.round(Number(`${rupees}e2`))}e-2`)
}

/** `body`: what the caller sent, and `given` what was read of it. */
export async function buildAnswer(
  database: Database,
  actor: Actor,
  saved: Saved,
  { body, given: { phone, email } }: { body: NewLead; given: GivenFields },
): Promise<SavedLead> {
  const { assigned_to, created_at, updated_at, ...lead } = saved.lead
  const times = { created_at: instantText(created_at), updated_at: instantText(updated_at) }
  // The caller may not see the lead: the answer contains what they sent.
  if (saved.hidden) {
    const contacts = { phone: phone ?? null, ...(email === undefined ? {} : { email }) }
    return { ...body, ...contacts, id: lead.id, status: lead.status, ...times }
  }
  const { users } = await findAccount(database, actor.account_id)
  return { ...lead, assigned_to: users.find((user) => user.id === assigned_to)?.email ?? null, ...times }
}
