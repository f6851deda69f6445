import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { createAuthEndpoint, createAuthMiddleware, isAPIError } from 'better-auth/api'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Kysely } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import type { Sql } from 'postgres'
import type { Role } from '../account/contract.ts'
import { answer as answerProblem } from '../http/answer-problems.ts'
import { originsOf } from '../http/origins.ts'
import { invalid } from '../http/problem.ts'
import { countAttempt, type RateLimit } from '../http/rate-limit.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { changeOwnPassword } from './password-links.ts'
import { crossSiteProblem, signInProblem } from './sign-in-problems.ts'
import type { SlowGuesses } from './slow-guesses.ts'
import { fixedForTwoFactor, recordNewBackupCodes, takeCode, turnTwoFactor, twoFactorPlugin } from './two-factor.ts'
import { updateUsers } from './update-users.ts'
import { weaknessOf } from './weak-password.ts'

interface Options {
  /** Connections that may read users and write the sign-in tables. */
  directory: Sql
  /** The public URL. Pages of other origins may not sign users in or out. */
  baseUrl: string
  /** Signs the session cookies: secretOf(). */
  secret: string
  /** Logs errors that do not reach the caller. */
  report?: (message: string, details: unknown[]) => void
}

export interface SignedInUser {
  id: string
  account_id: string
  email: string
  name: string
  role: Role
  team: string | null
  two_factor: boolean
}

export type SignIn = ReturnType<typeof buildSignIn>

export function buildSignIn({ directory, baseUrl, secret, report = console.error }: Options) {
  return betterAuth({
    appName: 'Lead Engine',
    baseURL: new URL(baseUrl).origin,
    basePath: '/auth',
    secret,
    database: {
      db: new Kysely({
        dialect: new PostgresJSDialect({ postgres: unreserved(directory) }),
        plugins: [updateUsers],
      }),
      type: 'postgres',
    },
    plugins: [signedInUser(directory), twoFactorPlugin()],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 10,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(password, hash) },
    },
    user: {
      modelName: 'active_users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        account_id: { type: 'string', input: false },
        role: { type: 'string', input: false },
        team: { type: 'string', input: false, required: false },
      },
    },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    account: {
      modelName: 'credentials',
      fields: {
        userId: 'user_id',
        providerId: 'provider',
        accountId: 'subject',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }, ctx) => {
            if (ctx?.path === '/two-factor/verify-totp') await takeCode(directory, userId, String(ctx.body.code).trim())
          },
          after: async ({ userId }, ctx) => {
            await directory`delete from sessions where user_id = ${userId} and expires_at < now()`
            // A user with a second factor is not signed in by the password: better-auth ends this session again.
            const byPassword = ctx?.path === '/sign-in/email'
            await directory`insert into sign_ins (user_id, at)
              select id, now() from users where id = ${userId} and not (${byPassword} and two_factor_enabled)
              on conflict (user_id) do update set at = excluded.at`
          },
        },
      },
      account: {
        update: {
          // Saves the hash and its side effects in one transaction. better-auth then writes the same hash again.
          before: async ({ password }, ctx) => {
            if (ctx?.path !== '/change-password' || typeof password !== 'string') return
            await changeOwnPassword(directory, ctx.context.session!.user.id, password)
          },
        },
      },
      user: {
        update: {
          before: async ({ twoFactorEnabled }, ctx) => {
            if (typeof twoFactorEnabled !== 'boolean') return
            await turnTwoFactor(directory, ctx!.context.session!.user.id, twoFactorEnabled)
          },
        },
      },
    },
    hooks: {
      before: createAuthMiddleware(async ({ path, body }) => {
        const fixed = fixedByUs[path]
        if (fixed && body !== null && typeof body === 'object') return { context: { body: { ...body, ...fixed } } }
      }),
      after: createAuthMiddleware(async ({ path, context: { returned, session } }) => {
        if (path !== '/two-factor/generate-backup-codes' || isAPIError(returned)) return
        await recordNewBackupCodes(directory, session!.user.id)
      }),
    },
    // signInRoutes counts the attempts, for all processes together.
    rateLimit: { enabled: false },
    trustedOrigins: originsOf(baseUrl),
    advanced: {
      cookiePrefix: 'lead-engine',
      useSecureCookies: baseUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      // Otherwise better-auth disables both checks when NODE_ENV is "test".
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [ipHeader] },
      // The migrations define the schema; a test compares it with what better-auth expects.
      database: { generateId: () => randomUUID(), validateSchema: false },
    },
    // Unexpected errors go to the error handler of all routes.
    onAPIError: {
      onError: (error) => {
        const asked = underWay.getStore()
        if (asked && !isAPIError(error)) asked.failure = error
      },
    },
    logger: { level: 'error', log: oncePerMinute((_level, message, ...details) => report(message, details)) },
    telemetry: { enabled: false },
  })
}

/** Errors that anyone can cause must not fill the log. */
function oncePerMinute<T extends unknown[]>(log: (...args: T) => void): (...args: T) => void {
  let last = Number.NEGATIVE_INFINITY
  return (...args) => {
    if (performance.now() - last < 60_000) return
    last = performance.now()
    log(...args)
  }
}

/** better-auth hides unexpected errors: this passes them to `ask`. */
const underWay = new AsyncLocalStorage<{ failure?: unknown }>()

/** Parameters that override what a browser sends. */
const fixedByUs: Record<string, object> = {
  ...fixedForTwoFactor,
  // A new password ends the other sessions of the user.
  '/change-password': { revokeOtherSessions: true },
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
  const origins = originsOf(signIn.options.baseURL)
  return async (app) => {
    // better-auth parses the bodies itself. It would accept forms too, which a page of another site can send.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const [method, path, guessed] of authRoutes) {
      app.route({
        method,
        url: `/auth${path}`,
        bodyLimit: 16_384,
        onRequest: async ({ ip, headers: { origin } }) => {
          // better-auth would log each of them.
          if (method === 'POST' && origin !== undefined && !origins.includes(origin)) throw crossSiteProblem()
          if (guessed) await countAttempt(attempts, ip, path)
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
      throw invalid(`${field ?? 'A value'} has characters that no text may have.`, field)
  } else if (values !== null && typeof values === 'object') {
    for (const [name, value] of Object.entries(values)) {
      rejectUnstorable(name)
      rejectUnstorable(value, field ?? name)
    }
  }
}

async function rejectWeak(signIn: SignIn, { headers }: FastifyRequest, password: unknown) {
  const session = await sessionOf(signIn, headers)
  if (!session || typeof password !== 'string') return
  const weakness = weaknessOf(password, [session.user.email, session.user.name])
  if (weakness) throw invalid(weakness, 'newPassword')
}

/** Returns the session and its user. Never cached: a new role or a deactivation takes effect at once. */
export async function sessionOf(
  signIn: SignIn,
  headers: IncomingHttpHeaders,
): Promise<{ id: string; user: SignedInUser } | null> {
  if (!headers.cookie) return null
  const found = await signIn.api.signedInUser({ headers: { cookie: headers.cookie } })
  if (!found) return null
  const { session_id, ...user } = found
  return { id: session_id, user }
}

/** Returns the secret with which all processes sign cookies. The first process creates it. */
export async function secretOf(directory: Sql): Promise<string> {
  const secret = await createdSecret(directory)
  if (secret !== null) return secret
  await directory`
    insert into installation_secrets (name, value) values ('sign_in', ${randomBytes(32).toString('base64url')})
    on conflict (name) do nothing`
  return (await createdSecret(directory))!
}

/** Returns the secret, or null if no service has run on this database yet. */
export async function createdSecret(directory: Sql): Promise<string | null> {
  const [secret] = await directory<{ value: string }[]>`
    select value from installation_secrets where name = 'sign_in'`
  return secret?.value ?? null
}

/** The IP address of the caller. `ask` always overwrites it. */
const ipHeader = 'x-lead-engine-ip'

/** Checks the cookie and reads its user in one statement. It has no route. */
const signedInUser = (directory: Sql) =>
  ({
    id: 'signed-in-user',
    endpoints: {
      signedInUser: createAuthEndpoint.serverOnly({ method: 'GET', requireHeaders: true }, async (ctx) => {
        const token = await ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret)
        if (!token) return null
        const [user] = await directory<(SignedInUser & { session_id: string })[]>`
          select sessions.id as session_id, active_users.id, account_id, email, name, role, team, two_factor_enabled as two_factor
          from sessions join active_users on active_users.id = sessions.user_id
          where token = ${token} and expires_at > now()`
        return user ?? null
      }),
    },
  }) satisfies BetterAuthPlugin

/**
 * The dialect reserves a connection for every statement, and a pool with reserved connections does not recover when they
 * break. Nothing here needs two statements on one connection. postgres.js rejects a bare `begin` on a pool.
 */
function unreserved(sql: Sql): Sql {
  const connection = { unsafe: sql.unsafe, release: () => {} }
  return Object.assign(() => connection, { reserve: async () => connection }) as unknown as Sql
}

async function ask(signIn: SignIn, path: string, request: FastifyRequest): Promise<Response> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, [value].flat().join(', '))
  }
  headers.set(ipHeader, request.ip)
  // The path as declared, in any spelling of the request.
  const { origin, search } = new URL(request.url, signIn.options.baseURL)
  const asked: { failure?: unknown } = {}
  const sent = new Request(`${origin}/auth${path}${search}`, {
    method: request.method,
    headers,
    body: (request.body as Buffer<ArrayBuffer> | undefined) ?? null,
  })
  const response = await underWay.run(asked, () => signIn.handler(sent))
  if (asked.failure) throw asked.failure
  if (response.status >= 500) {
    // better-auth hides what failed. If it is the database, this query fails too.
    await sessionOf(signIn, request.headers)
    throw new Error(`better-auth answered ${response.status}.`)
  }
  return response
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
