import type { Account } from '../../access/account/users.ts'
import { type Actor, forWholeAccount, readAsActor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Language } from '../../platform/languages/contract.ts'
import { ownNumbersAmong } from '../../telephony/phone-lines/own-numbers.ts'
import type { ImportColumn } from './contract.ts'
import type { ChosenValues } from './unknown-values.ts'

export interface ImportPlan {
  columns: ImportColumn[]
  /** Numbers of the business, in E.164. */
  own: string[]
  /** What the user chose for values that are not known. */
  chosen: ChosenValues
  account: Account
  actor: Actor
  /** The owner of leads whose row names none: by the account's rules if they apply, else `otherwise`. */
  assignment: { byRules: boolean; otherwise: string | null }
  sender: string
  source: string
  /** For every lead. */
  tags: string[]
  now: Date
  /** The language of warnings. */
  language?: Language
}

/** Returns the numbers that are no customer's in a list of calls. */
export const ownNumbersOf = (database: Database, actor: Actor): Promise<string[]> =>
  readAsActor(database, forWholeAccount(actor), (tx) => ownNumbersAmong(tx, actor.account_id))

export const defaultSource = (format: 'csv' | 'xlsx') => (format === 'csv' ? 'CSV import' : 'Excel import')
