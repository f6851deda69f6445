import type { IncomingHttpHeaders } from 'node:http'
import { msg } from '@lingui/core/runtime-macro'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { answer as answerProblem } from '../../platform/http/answer-problems.ts'
import { isTooDeep } from '../../platform/http/json-depth.ts'
import { allowedOrigins, foreignOrigin } from '../../platform/http/origins.ts'
import { invalid, tooDeep } from '../../platform/http/problem.ts'
import { countAttempt, type RateLimit } from '../../platform/http/rate-limit.ts'
import type { OpenBetterAuth, SignedInUser, SignInOptions } from './better-auth.ts'
import { signInProblem } from './sign-in-problems.ts'
import type { SlowGuesses } from './slow-guesses.ts'
import { findWeakness } from './weak-password.ts'

export interface SignIn {
  origin: string
  secret: string
  betterAuth(): Promise<OpenBetterAuth>
}

/** better-auth is loaded for the first user who signs in or is signed in: it takes as long as a third of the start. */
export function openSignIn(options: SignInOptions): SignIn {
  let opened: Promise<OpenBetterAuth> | undefined
  return {
    origin: new URL(options.baseUrl).origin,
    secret: options.secret,
    betterAuth: () => (opened ??= import('./better-auth.ts').then(({ openBetterAuth }) => openBetterAuth(options))),
  }
}

/** The routes of better-auth that are available, and those where a password or a code can be guessed. Others answer 404. */
const authRoutes: (readonly [method: 'GET' | 'POST', path: string, guessed?: 'guessed'])[] = [
  ['POST', '/sign-in/email', 'guessed'],
  ['POST', '/sign-out'],
  ['GET', '/get-session'],
  ['POST', '/change-password', 'guessed'],
  ['GET', '/list-sessions'],
  ['POST', '/revoke-session'],
  ['POST', '/revoke-other-sessions'],
  ['POST', '/two-factor/enable', 'guessed'],
  ['POST', '/two-factor/disable', 'guessed'],
  ['POST', '/two-factor/generate-backup-codes', 'guessed'],
  ['POST', '/two-factor/verify-totp', 'guessed'],
  ['POST', '/two-factor/verify-backup-code', 'guessed'],
]

/** `attempts` counts guesses per IP address and route; `slowGuesses` slows guesses of one user's password. */
export function signInRoutes(signIn: SignIn, attempts: RateLimit, slowGuesses: SlowGuesses): FastifyPluginAsync {
  const origins = allowedOrigins(signIn.origin)
  return async (app) => {
    // better-auth parses the bodies itself. It would accept forms too, which a page of another site can send.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      isTooDeep(body as Buffer) ? done(tooDeep()) : done(null, body),
    )
    for (const [method, path, guessed] of authRoutes) {
      app.route({
        method,
        url: `/auth${path}`,
        bodyLimit: 16_384,
        onRequest: async (request) => {
          const { origin } = request.headers
          // better-auth would log each of them.
          if (method === 'POST' && origin !== undefined && !origins.includes(origin))
            throw foreignOrigin(signIn.origin, request)
          if (guessed) await countAttempt(attempts, request.ip, path)
        },
        handler: async (request, reply) => {
          const body = parseBody(request.body)
          rejectUnstorable(request.query)
          rejectUnstorable(body)
          if (path === '/sign-in/email') await slowGuesses(String(body.email ?? ''), request.ip)
          if (path === '/change-password') await rejectWeak(signIn, request, body.newPassword)
          return answer(reply, path, await ask(signIn, path, request))
        },
      })
    }
  }
}

/** Parses the body. better-auth itself rejects a body that is not an object. */
function parseBody(sent: unknown): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(String(sent ?? '{}'))
    return body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Rejects NUL and half surrogate pairs, which the database cannot store, in any key or value. */
function rejectUnstorable(values: unknown, field?: string) {
  if (typeof values === 'string') {
    if (values.includes('\0') || !values.isWellFormed())
      throw field
        ? invalid(msg`${{ field }} contains characters that are not allowed.`, field)
        : invalid(msg`A value contains characters that are not allowed.`)
  } else if (values !== null && typeof values === 'object') {
    for (const [name, value] of Object.entries(values)) {
      rejectUnstorable(name)
      rejectUnstorable(value, field ?? name)
    }
  }
}

async function rejectWeak(signIn: SignIn, { headers }: FastifyRequest, password: unknown) {
  const session = await findSession(signIn, headers)
  if (!session || typeof password !== 'string') return
  const weakness = findWeakness(password, [session.user.email, session.user.name])
  if (weakness) throw invalid(weakness, 'newPassword')
}

/** Returns the session and its user. Never cached: a new role or a deactivation takes effect at once. */
export async function findSession(
  signIn: SignIn,
  { cookie }: IncomingHttpHeaders,
): Promise<{ id: string; user: SignedInUser } | null> {
  if (!cookie) return null
  const found = await (await signIn.betterAuth()).signedInUser(cookie)
  if (!found) return null
  const { session_id, ...user } = found
  return { id: session_id, user }
}

interface Replaced {
  /** Sent with POST, as from a page of the web app. */
  body?: object
  /** Ends the wait. */
  signal?: AbortSignal
}

/** Passes a request to better-auth. */
export async function ask(signIn: SignIn, path: string, request: FastifyRequest, { body, signal }: Replaced = {}) {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, [value].flat().join(', '))
  }
  if (body) {
    headers.set('content-type', 'application/json')
    headers.set('origin', signIn.origin)
  }
  // The path as declared, in any spelling of the request.
  const { origin, search } = new URL(request.url, signIn.origin)
  const sent = new Request(`${origin}/auth${path}${search}`, {
    method: body ? 'POST' : request.method,
    headers,
    body: body ? JSON.stringify(body) : ((request.body as Buffer<ArrayBuffer> | undefined) ?? null),
    signal: signal ?? null,
  })
  return (await signIn.betterAuth()).handle(sent, request.ip)
}

async function answer(reply: FastifyReply, path: string, response: Response) {
  reply.code(response.status).header('cache-control', 'no-store')
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  if (response.status >= 400) {
    const sent = (await response.json().catch(() => ({}))) as { message?: string; code?: string }
    return answerProblem(reply, signInProblem(path, response.status, sent))
  }
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value)
  return reply.send(Buffer.from(await response.arrayBuffer()))
}
