import { forWholeAccount, maySee, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { wholeSecond } from '../../platform/http/instants.ts'
import { type CallIdentity, callsAt } from '../../telephony/calls/store.ts'
import type { ImportPlan } from './import-plan.ts'
import type { RowDraft } from './row-draft.ts'
import { callIdentity } from './save-calls.ts'

/** What is counted of a row: many rows are kept at once. */
type Contacted = Pick<RowDraft, 'contacts' | 'call'>

/** A lead that exists, or that an earlier row would create. */
interface Holder {
  id: string
  isVisible: boolean
}

/**
 * Counts how many rows would create a lead, how many would merge into an existing lead or an earlier row, and how many calls
 * they would add: by the rules of a merge, without writing anything. `add` takes the next rows that are not rejected.
 */
export function outcomeCounter(database: Database, { actor }: ImportPlan) {
  const counts = { created: 0, merged: 0, calls: 0 }
  const holders = new Map<string, Holder>()
  const knownCalls = new Set<string>()
  const { account_id } = actor
  const whole = forWholeAccount(actor)

  async function add(drafts: Contacted[]): Promise<void> {
    await readHolders(drafts)
    const calls: CallIdentity[] = []
    for (const draft of drafts) {
      const { id } = save(draft.contacts)
      if (draft.call) calls.push({ ...draft.call, lead_id: id, called_at: wholeSecond(draft.call.called_at) })
    }
    await countCalls(calls)
  }

  function save(contacts: string[]): Holder {
    // As in a merge: the lead with the phone, else the lead with the email, else with another contact.
    const known = contacts.map((key) => holders.get(key)).find((holder) => holder !== undefined)
    if (known) counts.merged++
    else counts.created++
    const lead = known ?? { id: `new ${counts.created}`, isVisible: true }
    for (const key of lead.isVisible ? contacts : []) if (!holders.has(key)) holders.set(key, lead)
    return lead
  }

  async function readHolders(drafts: Contacted[]): Promise<void> {
    const keys = [...new Set(drafts.flatMap(({ contacts }) => contacts))].filter((key) => !holders.has(key))
    const found = await readAsActor(
      database,
      whole,
      (tx) => tx<{ id: string; assigned_to: string | null; key: string }[]>`
        select id, assigned_to, phone_key as key from leads where account_id = ${account_id} and phone_key = any (${keys})
        union all select id, assigned_to, email_key from leads where account_id = ${account_id} and email_key = any (${keys})
        union all select lead_id, assigned_to, key from lead_contacts where account_id = ${account_id} and key = any (${keys})`,
    )
    const byId = new Map(found.map(({ id, assigned_to }) => [id, { id, isVisible: maySee(actor, assigned_to) }]))
    for (const { id, key } of found) holders.set(key, byId.get(id)!)
  }

  async function countCalls(calls: CallIdentity[]): Promise<void> {
    const ofLeads = calls.filter(({ lead_id }) => !lead_id.startsWith('new '))
    if (ofLeads.length > 0) {
      for (const one of await readAsActor(database, whole, (tx) => callsAt(tx, account_id, ofLeads)))
        knownCalls.add(callIdentity(one))
    }
    for (const call of calls) {
      const identity = callIdentity(call)
      if (!knownCalls.has(identity)) counts.calls++
      knownCalls.add(identity)
    }
  }

  return { counts, add }
}
