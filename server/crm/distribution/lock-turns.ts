import type { TransactionSql } from '../../platform/database/sql.ts'
import { type LostLead, noTurns, returnTurn, type Turns, takeFrom } from './take-turn.ts'

/**
 * Locks the turns of rules until the transaction of a lead ends, so that a lead that is not saved takes none. Lock them last and all at
 * once: a transaction locks contacts, then leads, then turns in the order of the rules' ids, and so two never wait for each other. Other
 * leads of the rules wait, so nothing slow may follow.
 */
export async function lockTurns(tx: TransactionSql, accountId: string, ruleIds: string[]) {
  const turnsOf = ruleIds.length === 0 ? new Map() : turnsById(await lock(tx, accountId, ruleIds, []))
  return lockedTurns(tx, accountId, turnsOf)
}

/** Locks the contacts of new leads, then the turns. Returns null, without locking turns, if a lead has one of the contacts. */
export async function lockTurnsOfNew(tx: TransactionSql, accountId: string, ruleIds: string[], contacts: string[]) {
  const rows = await lock(tx, accountId, ruleIds, contacts)
  return rows.length === 0 ? null : lockedTurns(tx, accountId, turnsById(rows))
}

/** Returns the turns as they are, for what takes none. */
export async function readTurns(tx: TransactionSql, accountId: string, ruleIds: string[]): Promise<Map<string, Turns>> {
  return turnsById(
    await tx`select rule_id, credits, taken from distribution_turns
      where account_id = ${accountId} and rule_id = any (${ruleIds}::uuid[])`,
  )
}

type StoredTurns = Turns & { rule_id: string }

const lock = (tx: TransactionSql, accountId: string, ruleIds: string[], contacts: string[]) =>
  tx<StoredTurns[]>`select rule_id, credits, taken from lock_turns(${accountId}, ${ruleIds}, ${contacts})`

const turnsById = (rows: StoredTurns[]) => new Map<string, Turns>(rows.map(({ rule_id, ...turns }) => [rule_id, turns]))

function lockedTurns(tx: TransactionSql, accountId: string, locked: ReadonlyMap<string, Turns>) {
  const turnsOf = new Map(locked)
  return {
    take: takeFrom(turnsOf),
    giveBack(ruleId: string, lost: LostLead): void {
      turnsOf.set(ruleId, returnTurn(turnsOf.get(ruleId) ?? noTurns, lost))
    },
    /** Writes what was taken. A rule that was removed just now keeps none. */
    save: () => write([...turnsOf].filter(([ruleId, turns]) => turns !== locked.get(ruleId))),
    /** Writes the turns as they were locked, if those that took them are not saved. */
    restore: () => write([...locked]),
  }

  async function write(written: [ruleId: string, turns: Turns][]): Promise<void> {
    await Promise.all(
      written.map(
        ([ruleId, { credits, taken }]) => tx`update distribution_turns
          set credits = ${tx.json(credits)}, taken = ${tx.json(taken)}
          where account_id = ${accountId} and rule_id = ${ruleId}`,
      ),
    )
  }
}
