import { forWholeAccount, readAsActor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import type { ImportPlan } from './read-row.ts'

/** Counts how many rows would create a lead, and how many would merge into an existing lead or an earlier row. */
export class OutcomeCounter {
  created = 0
  merged = 0
  readonly #known = new Set<string>()
  readonly #database: Database
  readonly #actor: ImportPlan['actor']

  constructor(database: Database, { actor }: ImportPlan) {
    this.#database = database
    this.#actor = actor
  }

  /** Adds the contacts of the next rows. */
  async add(contacts: string[][]): Promise<void> {
    const keys = [...new Set(contacts.flat())].filter((key) => !this.#known.has(key))
    const { account_id } = this.#actor
    const found = await readAsActor(
      this.#database,
      forWholeAccount(this.#actor),
      (tx) => tx<{ key: string }[]>`
        select phone_key as key from leads where account_id = ${account_id} and phone_key = any (${keys})
        union select email_key from leads where account_id = ${account_id} and email_key = any (${keys})`,
    )
    for (const { key } of found) this.#known.add(key)
    for (const own of contacts) {
      if (own.some((key) => this.#known.has(key))) this.merged++
      else this.created++
      for (const key of own) this.#known.add(key)
    }
  }
}
