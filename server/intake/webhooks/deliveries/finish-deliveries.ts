import { setTimeout as pause } from 'node:timers/promises'
import { findAccount } from '../../../access/account/users.ts'
import { type Actor, accountActor, asActor } from '../../../platform/database/actor.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { Busy, isAway } from '../../../platform/database/errors.ts'
import { HttpProblem, internalError, tryLater } from '../../../platform/http/problem.ts'
import { rejected } from './decide.ts'
import { isTemporary, nothingRead } from './delivery.ts'
import { processDelivery } from './process-delivery.ts'
import { deliveryReader } from './read-delivery.ts'
import { findWithWebhook } from './replay.ts'
import { settle } from './settle.ts'
import { AlreadyFinished, claimWaiting, rejectErased } from './store.ts'

const every = 2000

/** How many deliveries of an account are claimed together, and how many are processed at the same time. */
const maxClaimed = 100
export const maxFinishing = 3

/** After a day it is rejected, so that an Admin looks at it. The time in which its account is suspended does not count. */
const maxWait = 86_400_000
const tooOld = () =>
  tryLater('For a day, its lead was locked or the account had too many requests. Replay this delivery.')

/** Finishes the deliveries that wait, of all accounts at the same time, in this process and perhaps in others. */
export function finishContinuously(database: Database, onError: (error: unknown) => void) {
  const stopping = new AbortController()
  const { signal } = stopping
  /** What finishes the deliveries of an account now. */
  const running = new Map<string, Promise<void>>()
  async function run() {
    while (!signal.aborted) {
      await pause(every, undefined, { ref: false, signal }).catch(() => {})
      if (signal.aborted || database.watch?.away) continue
      try {
        const accounts = await database.directory<{ account_id: string }[]>`
          select distinct account_id from accounts join deliveries on account_id = accounts.id
          where suspended_at is null and closed_for is null and outcome = 'waiting' and finish_at <= ${new Date()}`
        for (const { account_id } of accounts) {
          if (running.has(account_id)) continue
          const finishing = finishDue(database, account_id, { signal, onError }).catch(
            // A busy account is tried again.
            (error) => void (isTemporary(error) || onError(error)),
          )
          running.set(account_id, finishing)
          void finishing.then(() => running.delete(account_id))
        }
      } catch (error) {
        onError(error)
      }
    }
    await Promise.all(running.values())
  }
  const done = run()
  return {
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}

interface Finishing {
  now?: () => Date
  signal?: AbortSignal
  onError: (error: unknown) => void
}

/** Finishes the deliveries of an account that are due, until none is left or the account is too busy. */
export async function finishDue(
  database: Database,
  accountId: string,
  { now = () => new Date(), signal, onError }: Finishing,
): Promise<void> {
  const actor = accountActor(accountId)
  for (let due = maxClaimed; due === maxClaimed && !signal?.aborted; ) {
    const ids = (
      await asActor(database, { ...actor, silent: true }, (tx) => claimWaiting(tx, accountId, now(), maxClaimed))
    ).map(({ id }) => id)
    due = ids.length
    let isOver = false
    const finishSome = async () => {
      for (let id = ids.shift(); id && !isOver && !signal?.aborted; id = ids.shift()) {
        isOver ||= !(await finishOne(database, actor, id, { now: now(), onError }))
      }
    }
    await Promise.all(Array.from({ length: maxFinishing }, finishSome))
    if (isOver) return
  }
}

/** Returns false if the account is too busy for any delivery. */
async function finishOne(
  database: Database,
  actor: Actor,
  id: string,
  { now, onError }: { now: Date } & Pick<Finishing, 'onError'>,
): Promise<boolean> {
  const found = await findWithWebhook(database, actor, id)
  if (found?.delivery.outcome !== 'waiting') return true
  const { delivery, webhook } = found
  if (delivery.body === null) {
    await asActor(database, actor, (tx) => rejectErased(tx, delivery))
    return true
  }
  const account = await findAccount(database, actor.account_id)
  if (account.suspendedAt) return false
  const context = { database, reader: deliveryReader, account, webhook, delivery, stage: 'waiting' } as const
  try {
    await processDelivery(context)
  } catch (error) {
    if (isAway(error)) throw error
    const waitsSince = Math.max(delivery.received_at.getTime(), account.resumedAt?.getTime() ?? 0)
    const isOld = now.getTime() - waitsSince > maxWait
    // It is tried again when the claim ends.
    if (isTemporary(error) && !isOld) return !(error instanceof Busy)
    // Somebody else finished it, or its person was deleted meanwhile.
    if (error instanceof AlreadyFinished || (error instanceof HttpProblem && !isTemporary(error))) return true
    if (!isTemporary(error)) onError(error)
    await settle(context, nothingRead, rejected(isTemporary(error) ? tooOld() : internalError()))
  }
  return true
}
