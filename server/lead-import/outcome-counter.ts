import { type CallIdentity, callsAt } from '../calls/store.ts'
import { forWholeAccount, maySee, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { wholeSecond } from '../http/instants.ts'
import type { ImportPlan } from './read-row.ts'
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
 * they would add: by the rules of a merge, without writing anything.
 */
export class OutcomeCounter {
  created = 0
  merged = 0
  calls = 0
  readonly #holders = new Map<string, Holder>()
  readonly #calls = new Set<string>()
  readonly #database: Database
  readonly #actor: ImportPlan['actor']

  constructor(database: Database, { actor }: ImportPlan) {
    this.#database = database
    this.#actor = actor
  }

  /** Adds the next rows that are not rejected. */
  async add(drafts: Contacted[]): Promise<void> {
    await this.#readHolders(drafts)
    const calls: CallIdentity[] = []
    for (const draft of drafts) {
      const { id } = this.#save(draft.contacts)
      if (draft.call) calls.push({ ...draft.call, lead_id: id, called_at: wholeSecond(draft.call.called_at) })
    }
    await this.#countCalls(calls)
  }

  #save(contacts: string[]): Holder {
    // As in a merge: the lead with the phone, else the lead with the email, else with another contact.
    const known = contacts.map((key) => this.#holders.get(key)).find((holder) => holder !== undefined)
    if (known) this.merged++
    else this.created++
    const lead = known ?? { id: `new ${this.created}`, isVisible: true }
    for (const key of lead.isVisible ? contacts : []) if (!this.#holders.has(key)) this.#holders.set(key, lead)
    return lead
  }

  async #readHolders(drafts: Contacted[]): Promise<void> {
    const keys = [...new Set(drafts.flatMap(({ contacts }) => contacts))].filter((key) => !this.#holders.has(key))
    const { account_id } = this.#actor
    const found = await readAsActor(
      this.#database,
      forWholeAccount(this.#actor),
      (tx) => tx<{ id: string; assigned_to: string | null; key: string }[]>`
        select id, assigned_to, phone_key as key from leads where account_id = ${account_id} and phone_key = any (${keys})
        union all select id, assigned_to, email_key from leads where account_id = ${account_id} and email_key = any (${keys})
        union all select lead_id, assigned_to, key from lead_contacts where account_id = ${account_id} and key = any (${keys})`,
    )
    const holders = new Map<string, Holder>()
    for (const { id, assigned_to, key } of found) {
      const holder = holders.get(id) ?? { id, isVisible: maySee(this.#actor, assigned_to) }
      holders.set(id, holder)
      this.#holders.set(key, holder)
    }
  }

  async #countCalls(calls: CallIdentity[]): Promise<void> {
    const ofLeads = calls.filter(({ lead_id }) => !lead_id.startsWith('new '))
    if (ofLeads.length > 0) {
      const { account_id } = this.#actor
      const whole = forWholeAccount(this.#actor)
      for (const one of await readAsActor(this.#database, whole, (tx) => callsAt(tx, account_id, ofLeads)))
        this.#calls.add(callIdentity(one))
    }
    for (const call of calls) {
      const identity = callIdentity(call)
      if (!this.#calls.has(identity)) this.calls++
      this.#calls.add(identity)
    }
  }
}
