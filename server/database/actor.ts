import { setTimeout } from 'node:timers/promises'
import type { Sql, TransactionSql } from 'postgres'
import { type Asker, type Database, isDeadlock, isLockTimeout } from './connect.ts'

/** Who is asking: what row-level security lets them see, and what the audit log and timelines say of them. */
export interface Actor extends Asker {
  user_id: string | null
  /** The people whose leads are seen; 'all' for Admins and for what acts for the whole account. */
  sees: 'all' | readonly string[]
  via_id: string | null
}

/**
 * A transaction as `actor`. The actor lives and ends with it, so no pooled connection carries yesterday's. One that
 * ends in a deadlock is begun anew, so `work` must touch nothing but the database.
 */
export async function asActor<T>(
  database: Database,
  actor: Actor,
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.write(actor, async (sql) => {
        const done = await sql.begin(async (tx) => {
          await actAs(tx, actor)
          return work(tx)
        })
        return done as T
      })
    } catch (error) {
      // A lock that took too long is waited for a second time: many clients never repeat a request.
      const again = isDeadlock(error) ? attempt < 5 : isLockTimeout(error) && attempt < 2
      if (!again) throw error
      await setTimeout(attempt * 20 * Math.random())
    }
  }
}

/** The same for what only reads, on the connections that are kept for it. */
export function readAsActor<T>(
  database: Database,
  actor: Actor,
  work: (tx: TransactionSql) => PromiseLike<T>,
): Promise<T> {
  const reading = (sql: Sql) =>
    sql.begin('read only', async (tx) => {
      await actAs(tx, actor)
      return work(tx)
    })
  return database.read(actor, reading) as Promise<T>
}

/**
 * The same for what changes keys, people, webhooks or rules. Other processes are told by the stores and hear of it within
 * a moment; this one has forgotten what it remembered when the change is answered.
 */
export async function changeAsActor<T>(
  database: Database,
  actor: Actor,
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  const done = await asActor(database, actor, work)
  database.cache.invalidate(actor.account_id)
  return done
}

/** From here to the end of the transaction, as `actor`. Never inside a savepoint. */
export async function actAs(tx: TransactionSql, actor: Actor): Promise<void> {
  await tx`select act_as(${actor.account_id}, ${actor.user_id}, ${seesText(actor)})`
}

/**
 * The actor within a statement of its own, for the hot lists: `with ${actorIn(sql, actor)}, … select … from actor, lateral (…)`.
 * Whatever must see rows reads from `actor` through LATERAL, so that the settings are made before the first row is asked for.
 */
export function actorIn(sql: Sql | TransactionSql, actor: Actor) {
  return sql`actor as materialized (
    select ${actor.account_id}::uuid as account_id,
      set_config('lead_engine.account', ${actor.account_id}, true),
      set_config('lead_engine.person', ${actor.user_id ?? ''}, true),
      set_config('lead_engine.sees', ${seesText(actor)}, true)
  )`
}

/** The account itself, where nobody is asking: the command line, what the service does by itself. */
export function accountActor(accountId: string): Actor {
  return { account_id: accountId, user_id: null, sees: 'all', via: 'command', via_id: null }
}

/** A user who changes their own sign-in, where there is no session yet or it is being changed. */
export function selfActor(account_id: string, user_id: string): Actor {
  return { account_id, user_id, sees: [], via: 'web', via_id: null }
}

/** The same actor with the whole account in view: for the rules that reach past what one person sees. */
export function forWholeAccount(actor: Actor): Actor {
  return { ...actor, sees: 'all' }
}

export function seesText(actor: Actor): string {
  return actor.sees === 'all' ? 'all' : `{${actor.sees.join(',')}}`
}

export function maySee(actor: Actor, userId: string | null): boolean {
  return actor.sees === 'all' || (userId !== null && actor.sees.includes(userId))
}
