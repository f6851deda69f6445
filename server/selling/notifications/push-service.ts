import { request } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Sql } from '../../platform/database/sql.ts'
import type { PushMessage } from './contract.ts'
import type { Outcome } from './outbox.ts'
import { isPublicUrl, lookupPublic } from './public-ip.ts'
import { isPushKey, isPushSecret } from './push-keys.ts'

export interface Subscription {
  id: string
  user_id: string
  session_id: string | null
  endpoint: string
  p256dh: string
  auth: string
}

export interface PushService {
  /** The public key of this installation, with which browsers subscribe. */
  publicKey: string
  accepts(endpoint: string): boolean
  /** `gone`: the browser has ended the subscription, or its keys are of no use. */
  send(subscription: Pick<Subscription, 'endpoint' | 'p256dh' | 'auth'>, message: PushMessage): Promise<Outcome>
}

/** How a push service is reached. Tests reach one of their own. */
export interface PushOptions {
  accepts?: (endpoint: string) => boolean
  lookup?: LookupFunction
  ca?: string
}

/** Loaded when it is needed: it takes 50 ms and 12 MB. */
const webPush = async () => (await import('web-push')).default

/** In milliseconds. */
const timeLimit = 3000
/** Messages in a row without an answer within a minute, after which a host is skipped until the minute is over. */
const maxUnanswered = 3
const skippedFor = 60_000
/** In seconds: how long a push service keeps a message for a browser that is away. */
const keptFor = 3600

export async function openPushService(
  directory: Sql,
  baseUrl: string,
  { accepts = isPublicUrl, lookup = lookupPublic, ca }: PushOptions = {},
): Promise<PushService> {
  const keys = await vapidKeys(directory)
  // A push service may ask whose messages these are.
  const subject = baseUrl.startsWith('https:') ? baseUrl : 'mailto:admin@localhost.localdomain'
  const unanswered = new Map<string, number>()

  function noteAnswer(host: string, answered: boolean) {
    if (answered) return void unanswered.delete(host)
    const before = unanswered.get(host) ?? 0
    unanswered.set(host, before + 1)
    if (before === 0) setTimeout(() => unanswered.delete(host), skippedFor).unref()
  }

  return {
    publicKey: keys.publicKey,
    accepts,
    async send({ endpoint, p256dh, auth }, message) {
      // Versions before 0.3 accepted any.
      if (!isPushKey(p256dh) || !isPushSecret(auth)) return 'gone'
      const { host } = new URL(endpoint)
      if ((unanswered.get(host) ?? 0) >= maxUnanswered) return 'failed'
      const { generateRequestDetails } = await webPush()
      const details = generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(message), {
        vapidDetails: { subject, ...keys },
        TTL: keptFor,
        urgency: 'high',
      })
      const status = await post(endpoint, { ...details, lookup, ca })
      noteAnswer(host, status !== 0 && status < 500)
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
