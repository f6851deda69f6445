import { createHash, createPublicKey, randomBytes, verify, type webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from './app.ts'
import { certificateAuthority, readRequest } from './certificate-authority.ts'

const tls = (name: string) => join(import.meta.dirname, 'tls', name)

/** The certificates of the server's own HTTPS. */
export const acmeCaFile = tls('certificate.pem')

interface Options {
  /** Where the authority reads the answers of challenges, instead of port 80. */
  httpPort: number
  clock?: () => Date
  /** How long certificates are valid. */
  lifeMs?: number
}

/** How the authority answers the next orders. */
interface Behavior {
  /** Orders are rejected with this problem. */
  problem: { type: string; detail: string; status: number; retryAfter?: string } | null
  /** It cannot look up the host names. */
  hasDns: boolean
}

interface Order {
  status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid'
  domain: string
  account: string
  token: string
  authorization: 'pending' | 'valid' | 'invalid'
  error?: object
  certificate?: string
}

class Problem extends Error {
  readonly type: string
  readonly status: number
  readonly headers: Record<string, string>

  constructor(type: string, detail: string, status = 400, headers: Record<string, string> = {}) {
    super(detail)
    this.type = type
    this.status = status
    this.headers = headers
  }
}

const day = 86_400_000

/**
 * A strict authority of RFC 8555. Nonces are used once, and one of them is rejected; each signature, URL and key is checked; challenges are
 * read over HTTP from this machine, whatever the host name; orders and authorizations take their time.
 */
export async function acmeServer({ httpPort, clock = () => new Date(), lifeMs = 90 * day }: Options) {
  const port = await freePort()
  const origin = `https://127.0.0.1:${port}`
  const authority = certificateAuthority()
  const nonces = new Set<string>()
  const accounts = new Map<string, webcrypto.JsonWebKey>()
  const orders = new Map<string, Order>()
  const behavior: Behavior = { problem: null, hasDns: true }
  /** What was asked for. */
  const counts = { accounts: 0, orders: 0, badNonces: 0 }

  const makeNonce = () => {
    const nonce = randomBytes(12).toString('base64url')
    nonces.add(nonce)
    return nonce
  }
  const idIn = (url: string) => url.split('/').at(-1)!

  async function readSigned(request: IncomingMessage, url: string) {
    if (request.headers['content-type'] !== 'application/jose+json') throw new Problem('malformed', 'content type', 415)
    if (!request.headers['user-agent']) throw new Problem('malformed', 'no user agent')
    const body = JSON.parse(await text(request))
    if (Object.keys(body).sort().join() !== 'payload,protected,signature') throw new Problem('malformed', 'no flat JWS')
    const header = JSON.parse(String(Buffer.from(body.protected, 'base64url')))
    if (header.alg !== 'ES256') throw new Problem('badSignatureAlgorithm', `the algorithm ${header.alg}`)
    if (header.url !== url) throw new Problem('unauthorized', `signed for ${header.url}`, 403)
    if ('jwk' in header === 'kid' in header) throw new Problem('malformed', 'either jwk or kid')
    if ('jwk' in header !== url.endsWith('/new-account')) throw new Problem('malformed', 'jwk makes accounts only')
    const jwk = header.jwk ?? accounts.get(header.kid)
    if (!jwk) throw new Problem('accountDoesNotExist', 'no such account')
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const isSigned = verify(
      'sha256',
      Buffer.from(`${body.protected}.${body.payload}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(body.signature, 'base64url'),
    )
    if (!isSigned) throw new Problem('malformed', 'wrong signature', 403)
    if (!nonces.delete(header.nonce)) throw new Problem('badNonce', 'the nonce was not given, or was used')
    // Each client must be able to send a request again.
    if (counts.badNonces === 0) {
      counts.badNonces++
      throw new Problem('badNonce', 'the nonce is too old')
    }
    const payload = body.payload === '' ? null : JSON.parse(String(Buffer.from(body.payload, 'base64url')))
    return { jwk: jwk as webcrypto.JsonWebKey, account: (header.kid as string | undefined) ?? null, payload }
  }

  const shown = (id: string) => {
    const { status, domain, error, certificate } = orders.get(id)!
    return {
      status,
      identifiers: [{ type: 'dns', value: domain }],
      authorizations: [`${origin}/authorization/${id}`],
      finalize: `${origin}/finalize/${id}`,
      ...(error ? { error } : {}),
      ...(certificate ? { certificate: `${origin}/certificate/${id}` } : {}),
    }
  }

  /** Reads the answer of the challenge as a browser would, over HTTP. */
  async function validate(order: Order) {
    const { crv, kty, x, y } = accounts.get(order.account)!
    const expected = `${order.token}.${createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')}`
    const path = `/.well-known/acme-challenge/${order.token}`
    const failure = behavior.hasDns
      ? await new Promise<object | null>((resolve) => {
          get(
            { host: '127.0.0.1', port: httpPort, path, headers: { host: order.domain }, agent: false },
            async (answer) => {
              const said = await text(answer)
              const detail = `status ${answer.statusCode} and "${said.slice(0, 40)}"`
              resolve(answer.statusCode === 200 && said === expected ? null : problemOf('unauthorized', detail))
            },
          ).once('error', (error) =>
            resolve(problemOf('connection', `Fetching http://${order.domain}${path}: ${error.message}`)),
          )
        })
      : problemOf('dns', `DNS problem: NXDOMAIN looking up A for ${order.domain}`)
    order.authorization = failure ? 'invalid' : 'valid'
    order.status = failure ? 'invalid' : 'ready'
    if (failure) order.error = failure
  }

  async function answerSigned(request: IncomingMessage, response: ServerResponse, url: string) {
    const { jwk, account, payload } = await readSigned(request, url)
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      const isText = typeof body === 'string'
      response.writeHead(status, {
        'content-type': isText ? 'application/pem-certificate-chain' : 'application/json',
        ...headers,
      })
      response.end(isText ? body : JSON.stringify(body))
    }
    const [, resource = ''] = new URL(url).pathname.split('/')
    if (resource === 'new-account') {
      if (payload?.termsOfServiceAgreed !== true) throw new Problem('userActionRequired', 'the terms', 403)
      const location = `${origin}/account/${createHash('sha256').update(`${jwk.x}${jwk.y}`).digest('hex').slice(0, 16)}`
      const isNew = !accounts.has(location)
      if (isNew) counts.accounts++
      accounts.set(location, jwk)
      return send(isNew ? 201 : 200, { status: 'valid', contact: payload.contact ?? [] }, { location })
    }
    if (resource === 'new-order') {
      counts.orders++
      const { problem } = behavior
      if (problem)
        throw new Problem(
          problem.type,
          problem.detail,
          problem.status,
          problem.retryAfter ? { 'retry-after': problem.retryAfter } : {},
        )
      const [{ type, value }] = payload.identifiers
      if (type !== 'dns' || payload.identifiers.length !== 1)
        throw new Problem('unsupportedIdentifier', 'one host name')
      const id = randomBytes(6).toString('hex')
      const token = randomBytes(24).toString('base64url')
      orders.set(id, { status: 'pending', domain: value, account: account!, token, authorization: 'pending' })
      return send(201, shown(id), { location: `${origin}/order/${id}` })
    }
    const id = idIn(url)
    const order = orders.get(id)
    if (!order || order.account !== account) throw new Problem('unauthorized', 'not of this account', 403)
    const challenge = {
      type: 'http-01',
      url: `${origin}/challenge/${id}`,
      token: order.token,
      status: order.authorization,
    }
    switch (resource) {
      case 'authorization': {
        const others = [{ type: 'dns-01', url: `${origin}/unused/${id}`, token: 'unused', status: order.authorization }]
        const failed = order.error ? { ...challenge, error: order.error } : challenge
        const body = {
          identifier: { type: 'dns', value: order.domain },
          status: order.authorization,
          challenges: [...others, failed],
        }
        return send(200, body, { 'retry-after': '0' })
      }
      case 'challenge':
        if (JSON.stringify(payload) !== '{}') throw new Problem('malformed', 'a challenge is answered with {}')
        setTimeout(() => validate(order), 20)
        return send(200, { ...challenge, status: 'processing' })
      case 'finalize': {
        if (order.status !== 'ready') throw new Problem('orderNotReady', `the order is ${order.status}`, 403)
        const asked = readRequest(Buffer.from(payload.csr, 'base64url'))
        if (asked.names.join() !== order.domain) throw new Problem('badCSR', `the names ${asked.names}`)
        order.status = 'processing'
        setTimeout(() => {
          const now = clock()
          order.certificate = authority.issueFor(asked, now, new Date(now.getTime() + lifeMs))
          order.status = 'valid'
        }, 20)
        return send(200, shown(id))
      }
      case 'order':
        if (payload !== null) throw new Problem('malformed', 'POST-as-GET has no payload')
        return send(200, shown(id))
      case 'certificate':
        return send(200, `${order.certificate}${authority.certificate}`)
    }
    throw new Problem('malformed', 'no such resource', 404)
  }

  const server = createServer(
    { cert: readFileSync(tls('certificate.pem')), key: readFileSync(tls('key.pem')) },
    async (request, response) => {
      const url = `${origin}${request.url}`
      response.setHeader('cache-control', 'no-store')
      if (request.url === '/directory') {
        const [newNonce, newAccount, newOrder] = ['nonce', 'new-account', 'new-order'].map(
          (name) => `${origin}/${name}`,
        )
        return void response.end(
          JSON.stringify({ newNonce, newAccount, newOrder, meta: { termsOfService: `${origin}/terms` } }),
        )
      }
      response.setHeader('replay-nonce', makeNonce())
      if (request.url === '/nonce') return void response.end()
      try {
        if (request.method !== 'POST') throw new Problem('malformed', 'only POST reads', 405)
        await answerSigned(request, response, url)
      } catch (error) {
        const { type = 'serverInternal', status = 500, headers = {}, message } = error as Problem
        response.writeHead(status, { 'content-type': 'application/problem+json', ...headers })
        response.end(JSON.stringify(problemOf(type, message)))
      }
    },
  )
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    directoryUrl: `${origin}/directory`,
    /** By which clients check the certificates that it issues. */
    certificate: authority.certificate,
    behavior,
    counts,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const problemOf = (type: string, detail: string) => ({ type: `urn:ietf:params:acme:error:${type}`, detail })
