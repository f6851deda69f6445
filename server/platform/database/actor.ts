import { setTimeout } from 'node:timers/promises'
import type { Database, Requester } from './connect.ts'
import { isDeadlock, isLockTimeout, TooLong, Unavailable } from './errors.ts'
import type { Sql, TransactionSql } from './sql.ts'

/** The user or account behind a statement: decides what row-level security shows, and is named in the audit log. */
export interface Actor extends Requester {
  user_id: string | null
  /** The users whose leads are visible; 'all' for Admins and for the account itself. */
  sees: 'all' | readonly string[]
  via_id: string | null
}

/** A lock timeout is retried until then, in milliseconds: before, the transaction may have waited for a connection. */
const retryWithin = 5000

/**
 * A transaction that takes longer, in milliseconds, is rolled back: programs that keep in step read what changed in the last five minutes
 * again, so a change must be committed well within these (`server/platform/http/change-cursor.ts`).
 */
const maxTransactionMs = 120_000

/**
 * Runs a transaction as `actor`. The setting ends with the transaction, so it never stays on a pooled connection. A
 * deadlock starts it again, so `work` must have no effects outside of the database. `before` may make the transaction unnecessary: if
 * it returns null, the transaction follows on the same connection, without waiting for one again.
 */
export async function asActor<T>(
  database: Database,
  actor: Actor,
  work: (tx: TransactionSql) => Promise<T>,
  before: (sql: Sql) => Promise<T | null> = async () => null,
): Promise<T> {
  const started = performance.now()
  const inTime = async (tx: TransactionSql) => {
    const done = await work(tx)
    if (performance.now() - started > maxTransactionMs) throw new TooLong()
    return done
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.write(actor, async (sql) => {
        const done = attempt === 1 ? await before(sql) : null
        return done ?? acting(actor, inTime)(sql)
      })
    } catch (error) {
      // Retries a lock timeout once: many clients never repeat a request.
      const isEarly = attempt < 2 && performance.now() - started < retryWithin
      const again = isDeadlock(error) ? attempt < 5 : isLockTimeout(error) && isEarly
      if (!again) throw error
      await setTimeout(attempt * 20 * Math.random())
    }
  }
}

/** Runs a read-only transaction as `actor`, on the connections for reading. */
export function readAsActor<T>(
  database: Database,
  actor: Actor,
  work: (tx: TransactionSql) => PromiseLike<T>,
): Promise<T> {
  return database.read(actor, acting(actor, work, 'read only'))
}

/**
 * Runs a read-only transaction as `actor` where it may read what is some seconds old, perhaps on a replica. Lists and leads
 * are not read so: they would show leads that were deleted or reassigned.
 */
export function readReplicaAsActor<T>(
  database: Database,
  actor: Actor,
  work: (tx: TransactionSql) => PromiseLike<T>,
): Promise<T> {
  return database.readReplica(actor, acting(actor, work, 'read only'))
}

const acting =
  <T>(actor: Actor, work: (tx: TransactionSql) => PromiseLike<T>, mode = '') =>
  (sql: Sql) =>
    sql.begin(mode, (tx) => workAs(tx, actor, work))

/** The first statement of `work` is sent after the actor without waiting for the answer. If setting the actor fails, so does the rest. */
async function workAs<T>(tx: TransactionSql, actor: Actor, work: (tx: TransactionSql) => PromiseLike<T>): Promise<T> {
  const [, done] = await Promise.all([actAs(tx, actor), work(tx)])
  return done
}

/**
 * Runs a transaction that changes keys, users, webhooks or rules. This process invalidates its cache before the answer;
 * the stores notify other processes. It fails at once while the directory is read-only.
 */
export async function changeAsActor<T>(
  database: Database,
  actor: Actor,
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> {
  if (database.isDirectoryReadOnly) throw new Unavailable()
  const done = await asActor(database, actor, work)
  database.cache.invalidate(actor.account_id)
  return done
}

/**
 * Sets the actor until the end of the transaction. Never call it inside a savepoint, whose end would undo it. `then` sends it at once, before
 * a savepoint with which the work may begin.
 */
export function actAs(tx: TransactionSql, actor: Actor): Promise<void> {
  return tx`select act_as(${actor.account_id}, ${actor.user_id}, ${seesText(actor)})`.then(() => {})
}

/**
 * Sets the actor within one statement, for frequent lists: `with ${actorIn(sql, actor)}, … select … from actor, lateral (…)`.
 * Queries read from `actor` through LATERAL, so that the settings are made before the first row is read. They also name the account
 * as a parameter (docs/reference/sql.md).
 */
export function actorIn(sql: Sql | TransactionSql, actor: Actor) {
  return sql`actor as materialized (
    select ${actor.account_id}::uuid as account_id,
      set_config('lead_engine.account', ${actor.account_id}, true),
      set_config('lead_engine.person', ${actor.user_id ?? ''}, true),
      set_config('lead_engine.sees', ${seesText(actor)}, true)
  )`
}

/** Returns the account itself as actor, for commands and background jobs. */
export function accountActor(accountId: string): Actor {
  return { account_id: accountId, user_id: null, sees: 'all', via: 'command', via_id: null }
}

/** Returns a user as actor who changes their own sign-in. */
export function selfActor(account_id: string, user_id: string): Actor {
  return { account_id, user_id, sees: [], via: 'web', via_id: null }
}

/** Returns the actor with the whole account visible, for rules that must see more than the user does. */
export function forWholeAccount(actor: Actor): Actor {
  return { ...actor, sees: 'all' }
}

export function seesText(actor: Actor): string {
  return actor.sees === 'all' ? 'all' : `{${actor.sees.join(',')}}`
}

export function maySee(actor: Actor, userId: string | null): boolean {
  return actor.sees === 'all' || (userId !== null && actor.sees.includes(userId))
}
