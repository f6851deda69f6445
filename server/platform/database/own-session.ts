import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openAsOwner } from './connect.ts'

/** A notification takes milliseconds. So many statements on a busy server take longer, as the notification does. */
const statements = 30
const pause = 100

/**
 * Returns whether the connection is a session of its own, with its notifications, locks and prepared statements. A pooler in
 * transaction or statement mode gives each transaction another session: who only listens gets no notification.
 */
export async function isOwnSession(connection: Connection): Promise<boolean> {
  const channel = `lead_engine_${randomUUID().replaceAll('-', '')}`
  const arrived = Promise.withResolvers<boolean>()
  // As the owner: these pools forget the password when they end.
  const listener = openAsOwner(connection, { max: 1, onnotify: () => arrived.resolve(true) })
  const notifier = openAsOwner(connection, { max: 1 })
  try {
    await listener.unsafe(`listen ${channel}`)
    await notifier.unsafe(`notify ${channel}`)
    for (let sent = 0; sent < statements; sent++) {
      await listener.unsafe('select 1')
      if (await Promise.race([arrived.promise, sleep(pause, false)])) return true
    }
    return false
  } finally {
    await Promise.all([listener.end({ timeout: 1 }), notifier.end({ timeout: 1 })])
  }
}

export const sharedSession = {
  message: (variable: string) =>
    `${variable} leads through a connection pooler in transaction or statement mode, in which the service would not notice that an API key was revoked`,
  fix: 'Use the pooler in session mode, or connect to PostgreSQL directly.',
}
