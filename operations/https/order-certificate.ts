import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AcmeError, errorOf } from './acme-error.ts'
import { type AcmeSession, type Answer, openAcmeSession } from './acme-session.ts'
import { signingRequest } from './signing-request.ts'

interface Options {
  domain: string
  directoryUrl: string
  ca: Buffer | null
  email: string | null
  accountKey: KeyObject
  /** Answers of HTTP-01 challenges, by token, which the authority reads on port 80. */
  challenges: Map<string, string>
  signal: AbortSignal
}

interface Authorization {
  status?: string
  challenges?: { type?: string; url?: string; token?: string; error?: unknown }[]
}

interface Order {
  status?: string
  authorizations?: string[]
  finalize?: string
  certificate?: string
  error?: unknown
}

/** In milliseconds. */
const poll = { first: 250, max: 5000, within: 120_000 }

/** Gets a certificate from the authority. Returns it, with its chain and a new key, as PEM. */
export async function orderCertificate(options: Options): Promise<string> {
  const { domain, email, challenges, signal } = options
  const session = await openAcmeSession(options)
  if (session.meta.externalAccountRequired)
    throw new AcmeError('externalAccountRequired', 'it wants an account that was made beforehand')
  const account = await session.postTo('newAccount', {
    termsOfServiceAgreed: true,
    ...(email ? { contact: [`mailto:${email}`] } : {}),
  })
  session.signAs(locationOf(account))
  const placed = await session.postTo('newOrder', { identifiers: [{ type: 'dns', value: domain }] })
  const orderUrl = locationOf(placed)
  for (const url of (placed.body as Order | null)?.authorizations ?? [])
    await authorize(session, { url, challenges, signal })
  const ready = await until<Order>(session, orderUrl, signal, ({ status }) => status !== 'pending')
  const key = makeKey()
  if (ready.status === 'ready')
    await session.post(ready.finalize ?? '', { csr: signingRequest(domain, key).toString('base64url') })
  const issued = await until<Order>(
    session,
    orderUrl,
    signal,
    ({ status }) => status !== 'processing' && status !== 'ready',
  )
  if (issued.status !== 'valid' || !issued.certificate)
    throw errorOf(issued.error ?? { detail: `the order is ${issued.status}` }, 0, null)
  const chain = (await session.post(issued.certificate)).text
  checkCertificate(chain, { domain, key })
  return `${pemOf(key)}${chain}`
}

export const makeKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

export const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' })

/** Proves that this machine answers for the host name. The authority may know it from an order before. */
async function authorize(
  session: AcmeSession,
  { url, challenges, signal }: { url: string } & Pick<Options, 'challenges' | 'signal'>,
): Promise<void> {
  const authorization = (await session.post(url)).body as Authorization | null
  if (authorization?.status === 'valid') return
  const offered = authorization?.challenges ?? []
  const challenge = offered.find(({ type }) => type === 'http-01')
  if (!challenge?.url || !challenge.token)
    throw new AcmeError('unsupported', `it offers no HTTP-01, but ${offered.map(({ type }) => type).join(', ')}`)
  challenges.set(challenge.token, session.keyAuthorization(challenge.token))
  try {
    await session.post(challenge.url, {})
    const judged = await until<Authorization>(session, url, signal, ({ status }) => status !== 'pending')
    if (judged.status === 'valid') return
    const failed = judged.challenges?.find(({ error }) => error)
    throw errorOf(failed?.error ?? { detail: `the authorization is ${judged.status}` }, 0, null)
  } finally {
    challenges.delete(challenge.token)
  }
}

/** Reads until the authority has decided, as often as it wants to be asked. */
async function until<T>(
  session: AcmeSession,
  url: string,
  signal: AbortSignal,
  isDecided: (read: T) => boolean,
): Promise<T> {
  const end = performance.now() + poll.within
  for (let pause = poll.first; ; pause = Math.min(pause * 2, poll.max)) {
    const { body, retryAt } = await session.post(url)
    if (body && isDecided(body as T)) return body as T
    if (performance.now() > end) throw new AcmeError('', `it did not decide within ${poll.within / 1000} seconds`)
    const asked = retryAt ? Math.min(retryAt.getTime() - Date.now(), poll.max) : pause
    await sleep(Math.max(asked, pause), undefined, { signal })
  }
}

function locationOf({ location }: Answer): string {
  if (location === null) throw new AcmeError('', 'its answer names no URL')
  return location
}

/** Nothing else may replace a certificate that works. */
function checkCertificate(chain: string, { domain, key }: { domain: string; key: KeyObject }): void {
  const certificate = new X509Certificate(chain)
  if (!certificate.checkPrivateKey(key) || !certificate.checkHost(domain))
    throw new AcmeError('', 'its certificate is for another key or another host name')
}
