import type { Actor } from '../server/platform/database/actor.ts'
import type { Database } from '../server/platform/database/connect.ts'
import { until } from './until.ts'

/** Fills the places and the queue of the account, so that what writes next is rejected at once. Returns a function that frees them. */
async function fillQueue(database: Database, { account_id }: Actor) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { write } = database.shares
  const tasks: Promise<unknown>[] = []
  for (const { rejected } = write.figures; write.figures.rejected === rejected; ) {
    tasks.push(database.write({ account_id, via: 'command', silent: true }, () => promise).catch(() => {}))
    await Promise.resolve()
    await Promise.resolve()
  }
  return async () => {
    resolve()
    await Promise.all(tasks)
  }
}

/** Sends while the account has no place and no room in its queue, which are free when the request has been rejected. */
export async function sendWhenBusy<T>(database: Database, actor: Actor, send: () => Promise<T>): Promise<T> {
  const release = await fillQueue(database, actor)
  const { rejected } = database.shares.write.figures
  const sent = send()
  await until(() => database.shares.write.figures.rejected > rejected)
  await release()
  return sent
}
