import { setTimeout as pause } from 'node:timers/promises'
import { type Actor, accountActor, asActor } from '../../database/actor.ts'
import type { Database } from '../../database/connect.ts'
import { Busy, isAway } from '../../database/errors.ts'
import { HttpProblem, internalError, tryLater } from '../../http/problem.ts'
import { isTemporary } from './keep-delivery.ts'
import { finishDelivery } from './process-delivery.ts'
import { findForReplay } from './replay.ts'
import { recordWithoutLead } from './save-delivery.ts'
import { AlreadyFinished, claimWaiting, recordFinish, rejectErased } from './store.ts'

const every = 2000

/** Of an account: claimed together, and processed at the same time. */
const claimed = 100
export const atOnce = 3

/** Then it is rejected, so that an Admin looks at it. */
const longest = 86_400_000
const tooOld = () =>
  tryLater('For a day, its lead was locked or the account had too many requests. Replay this delivery.')

/** Finishes the deliveries that wait, of all accounts at the same time, in this process and perhaps in others. */
export function finishContinuously(database: Database, onError: (error: unknown) => void) {
  const stopping = new AbortController()
  const { signal } = stopping
  /** The accounts of which this process finishes deliveries. */
  const underWay = new Map<string, Promise<void>>()
  async function run() {
    while (!signal.aborted) {
      await pause(every, undefined, { ref: false, signal }).catch(() => {})
      if (signal.aborted || database.watch?.away) continue
      try {
        const accounts = await database.directory<{ account_id: string }[]>`
          select distinct account_id from deliveries where outcome = 'waiting' and finish_at <= ${new Date()}`
        for (const { account_id } of accounts) {
          if (underWay.has(account_id)) continue
          const finishing = finishDue(database, account_id, { signal, onError }).catch(
            // A busy account is tried again.
            (error) => void (isTemporary(error) || onError(error)),
          )
          underWay.set(account_id, finishing)
          void finishing.then(() => underWay.delete(account_id))
        }
      } catch (error) {
        onError(error)
      }
    }
    await Promise.all(underWay.values())
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
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
  for (let due = claimed; due === claimed && !signal?.aborted; ) {
    const ids = (
      await asActor(database, { ...actor, silent: true }, (tx) => claimWaiting(tx, accountId, now(), claimed))
    ).map(({ id }) => id)
    due = ids.length
    let isOver = false
    const finishSome = async () => {
      for (let id = ids.shift(); id && !isOver && !signal?.aborted; id = ids.shift()) {
        isOver ||= !(await finishOne(database, actor, id, { now: now(), onError }))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, finishSome))
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
  const found = await findForReplay(database, actor, id)
  if (found?.delivery.outcome !== 'waiting') return true
  const { delivery, webhook } = found
  if (delivery.body === null) {
    await asActor(database, actor, (tx) => rejectErased(tx, delivery))
    return true
  }
  const context = { database, webhook, delivery }
  try {
    await finishDelivery(context)
  } catch (error) {
    if (isAway(error)) throw error
    const isOld = now.getTime() - delivery.received_at.getTime() > longest
    // It is tried again when the claim ends.
    if (isTemporary(error) && !isOld) return !(error instanceof Busy)
    // Recorded before: it is rejected, or its records are.
    if (error instanceof AlreadyFinished || (error instanceof HttpProblem && !isTemporary(error))) return true
    if (!isTemporary(error)) onError(error)
    await recordWithoutLead(context, isTemporary(error) ? tooOld() : internalError(), { record: recordFinish })
  }
  return true
}
