import { randomUUID } from 'node:crypto'
import { createWebhook, type NewWebhook } from '../server/intake/webhooks/store.ts'
import type { Actor } from '../server/platform/database/actor.ts'
import { asActor } from '../server/platform/database/actor.ts'
import type { Database } from '../server/platform/database/connect.ts'
import { type Answer, ask } from './people.ts'

/** A webhook of the account, and a function that sends to its URL as a platform does. */
export async function webhookOf(
  { database, url }: { database: Database; url: string },
  actor: Actor,
  given: Partial<NewWebhook> = {},
) {
  const webhook: NewWebhook = {
    name: `Webhook ${randomUUID().slice(0, 8)}`,
    source_label: 'Portal',
    ...given,
  }
  const { id, token } = await asActor(database, actor, (tx) => createWebhook(tx, actor, webhook))
  const path = `/webhook/${token}`
  return {
    id,
    token,
    name: webhook.name,
    path,
    send: (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      ask(url, null, 'POST', path, body, headers),
  }
}
