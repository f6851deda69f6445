import { request } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Sql } from '../database/sql.ts'
import type { PushMessage } from './contract.ts'
import { isPublicUrl, lookupPublic } from './public-ip.ts'

export interface Subscription {
  id: string
  user_id: string
  endpoint: string
  p256dh: string
  auth: string
}

/** `gone`: the browser has ended the subscription. `failed`: another attempt may succeed. */
export type PushOutcome = 'sent' | 'gone' | 'rejected' | 'failed'

export interface PushService {
  /** The public key of this installation, with which browsers subscribe. */
  publicKey: string
  accepts(endpoint: string): boolean
  send(subscription: Subscription, message: PushMessage): Promise<PushOutcome>
}

/** How a push service is reached. Tests reach one of their own. */
export interface PushWays {
  accepts?: (endpoint: string) => boolean
  lookup?: LookupFunction
  ca?: string
}

/** Loaded when it is needed: it takes 50 ms and 12 MB. */
const webPush = async () => (await import('web-push')).default

const timeLimit = 10_000
/** In seconds: how long a push service keeps a message for a browser that is away. */
const keptFor = 3600

export async function openPushService(
  directory: Sql,
  baseUrl: string,
  { accepts = isPublicUrl, lookup = lookupPublic, ca }: PushWays = {},
): Promise<PushService> {
  const keys = await vapidKeys(directory)
  // A push service may ask whose messages these are.
  const subject = baseUrl.startsWith('https:') ? baseUrl : 'mailto:admin@localhost.localdomain'
  return {
    publicKey: keys.publicKey,
    accepts,
    async send({ endpoint, p256dh, auth }, message) {
      const { generateRequestDetails } = await webPush()
      const details = generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(message), {
        vapidDetails: { subject, ...keys },
        TTL: keptFor,
        urgency: 'high',
      })
      const status = await post(endpoint, { ...details, lookup, ca })
      if (status >= 200 && status < 300) return 'sent'
      if (status === 404 || status === 410) return 'gone'
      return status === 0 || status === 429 || status >= 500 ? 'failed' : 'rejected'
    },
  }
}

interface Details {
  headers: object
  body: Buffer | null
  lookup: LookupFunction
  ca: string | undefined
}

/** Returns the status, or 0 if there is none. Redirects are not followed, and the answer's body is not read. */
function post(endpoint: string, { headers, body, lookup, ca }: Details): Promise<number> {
  return new Promise((resolve) => {
    const asked = request(
      endpoint,
      { method: 'POST', headers: headers as Record<string, string>, lookup, agent: false, timeout: timeLimit, ca },
      (response) => {
        resolve(response.statusCode ?? 0)
        response.destroy()
      },
    )
    const end = () => {
      resolve(0)
      asked.destroy()
    }
    asked.on('timeout', end).on('error', end)
    setTimeout(end, timeLimit).unref()
    asked.end(body ?? undefined)
  })
}

/** The keys of this installation. The first process creates them. */
async function vapidKeys(directory: Sql): Promise<{ publicKey: string; privateKey: string }> {
  const read = async () => {
    const [secret] = await directory<{ value: string }[]>`
      select value from installation_secrets where name = 'web_push'`
    return secret && JSON.parse(secret.value)
  }
  const keys = await read()
  if (keys) return keys
  const { generateVAPIDKeys } = await webPush()
  await directory`insert into installation_secrets (name, value)
    values ('web_push', ${JSON.stringify(generateVAPIDKeys())}) on conflict (name) do nothing`
  return read()
}
