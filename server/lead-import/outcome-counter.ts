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
  phone: boolean
  email: boolean
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
    // As in a merge: the lead with the phone, else the lead with the email.
    const phone = contacts.find((key) => !key.includes('@'))
    const email = contacts.find((key) => key.includes('@'))
    const emailHolder = email === undefined ? undefined : this.#holders.get(email)
    const lead = (phone === undefined ? undefined : this.#holders.get(phone)) ?? emailHolder
    if (!lead) {
      this.created++
      const id = `new ${this.created}`
      const made = { id, phone: phone !== undefined, email: email !== undefined, isVisible: true }
      for (const key of contacts) this.#holders.set(key, made)
      return made
    }
    this.merged++
    if (!lead.isVisible) return lead
    if (phone !== undefined && !lead.phone) {
      this.#holders.set(phone, lead)
      lead.phone = true
    }
    if (email !== undefined && !lead.email && !emailHolder) {
      this.#holders.set(email, lead)
      lead.email = true
    }
    return lead
  }

  async #readHolders(drafts: Contacted[]): Promise<void> {
    const keys = [...new Set(drafts.flatMap(({ contacts }) => contacts))].filter((key) => !this.#holders.has(key))
    const { account_id } = this.#actor
    const found = await readAsActor(
      this.#database,
      forWholeAccount(this.#actor),
      (tx) => tx<{ id: string; phone_key: string | null; email_key: string | null; assigned_to: string | null }[]>`
        select id, phone_key, email_key, assigned_to from leads where account_id = ${account_id} and phone_key = any (${keys})
        union select id, phone_key, email_key, assigned_to from leads
        where account_id = ${account_id} and email_key = any (${keys})`,
    )
    for (const { id, phone_key, email_key, assigned_to } of found) {
      const ofLead = [phone_key, email_key].filter((key) => key !== null)
      if (ofLead.some((key) => this.#holders.has(key))) continue
      const isVisible = maySee(this.#actor, assigned_to)
      const holder = { id, phone: phone_key !== null, email: email_key !== null, isVisible }
      for (const key of ofLead) this.#holders.set(key, holder)
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
