import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { version } from '../../server/platform/program-version.ts'
import { AcmeError, errorOf } from './acme-error.ts'

interface Options {
  directoryUrl: string
  ca: Buffer | null
  accountKey: KeyObject
  signal: AbortSignal
}

export interface Answer {
  status: number
  location: string | null
  /** When the authority wants to be asked again. */
  retryAt: Date | null
  text: string
  /** Null if it is no JSON. */
  body: Record<string, unknown> | null
}

const requestTimeoutMs = 30_000
const maxBytes = 256 * 1024
const maxNonces = 10

export type AcmeSession = Awaited<ReturnType<typeof openAcmeSession>>

/** Sends signed requests to an authority (RFC 8555). */
export async function openAcmeSession({ directoryUrl, ca, accountKey, signal }: Options) {
  const { kty, crv, x, y } = createPublicKey(accountKey).export({ format: 'jwk' })
  const jwk = { crv, kty, x, y }
  let nonce: string | null = null
  let account: string | null = null

  async function send(url: string, method: 'GET' | 'HEAD' | 'POST', body = ''): Promise<Answer> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'user-agent': `lead-engine/${version}`, 'content-type': 'application/jose+json' }
      request(url, {
        method,
        headers: { ...headers, ...(body ? { 'content-length': Buffer.byteLength(body) } : {}) },
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
        ...(ca ? { ca } : {}),
      })
        .once('response', resolve)
        .once('error', reject)
        .end(body)
    })
    const text = await textOf(answer)
    nonce = single(answer, 'replay-nonce') ?? nonce
    return {
      status: answer.statusCode ?? 0,
      location: single(answer, 'location'),
      retryAt: retryTime(single(answer, 'retry-after'), new Date()),
      text,
      body: parsed(text),
    }
  }

  async function takeNonce(): Promise<string> {
    if (nonce === null) await send(urlIn(directory, 'newNonce'), 'HEAD')
    if (nonce === null) throw new AcmeError('', 'it gave no nonce')
    const taken = nonce
    nonce = null
    return taken
  }

  /** Without a payload it reads (POST-as-GET). */
  async function post(url: string, payload?: object): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const header = { alg: 'ES256', ...(account ? { kid: account } : { jwk }), nonce: await takeNonce(), url }
      const answer = await send(url, 'POST', signed(header, payload, accountKey))
      if (answer.status < 400) return answer
      const error = errorOf(answer.body, answer.status, answer.retryAt)
      // The authority forgets nonces, and the answer has another one.
      if (error.type !== 'badNonce' || tries === maxNonces) throw error
    }
  }

  const read = await send(directoryUrl, 'GET')
  if (read.status !== 200 || read.body === null)
    throw new AcmeError('', `${directoryUrl} is no directory of ACME (status ${read.status})`, read.retryAt)
  const directory = read.body
  return {
    post,
    /** Posts to a URL of the directory. */
    postTo: (name: string, payload: object) => post(urlIn(directory, name), payload),
    meta: (directory.meta ?? {}) as { externalAccountRequired?: boolean },
    /** Requests are signed for this account from now on. */
    signAs(url: string) {
      account = url
    },
    /** Returns what proves that this account answers a challenge. */
    keyAuthorization: (token: string) =>
      `${token}.${base64(createHash('sha256').update(JSON.stringify(jwk)).digest())}`,
  }
}

function urlIn(directory: Record<string, unknown>, name: string): string {
  const url = directory[name]
  if (typeof url !== 'string') throw new AcmeError('', `its directory has no ${name}`)
  return url
}

const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64url')

function signed(header: object, payload: object | undefined, key: KeyObject): string {
  const [head, body] = [base64(JSON.stringify(header)), payload ? base64(JSON.stringify(payload)) : '']
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' })
  return JSON.stringify({ protected: head, payload: body, signature: base64(signature) })
}

/** `Retry-After` has seconds or a date. */
export function retryTime(value: string | null, now: Date): Date | null {
  if (value === null) return null
  const at = /^\d{1,9}$/.test(value) ? now.getTime() + Number(value) * 1000 : Date.parse(value)
  return Number.isNaN(at) ? null : new Date(at)
}

function single({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk
    if (text.length > maxBytes) throw new AcmeError('', 'its answer is too long')
  }
  return text
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const body = JSON.parse(text)
    return typeof body === 'object' ? body : null
  } catch {
    return null
  }
}
