import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { APIError, createAuthEndpoint, createAuthMiddleware, isAPIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { updateUsers } from '../../platform/database/cluster/update-users.ts'
import type { Sql } from '../../platform/database/sql.ts'
import { allowedOrigins } from '../../platform/http/origins.ts'
import type { Role } from '../account/contract.ts'
import { openProvider } from './oidc-provider.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { changeOwnPassword } from './password-links.ts'
import { readClaims, rejectIdToken } from './read-claims.ts'
import { admit, mustUseProvider, Rejection, subjectOf } from './single-sign-on.ts'
import type { SingleSignOn } from './single-sign-on-settings.ts'
import { recordNewBackupCodes, takeCode, turnTwoFactor } from './two-factor.ts'

export interface SignInOptions {
  /** Connections that may read users and write the sign-in tables. */
  directory: Sql
  /** The public URL. Pages of other origins may not sign users in or out. */
  baseUrl: string
  /** Signs the session cookies: readSecret(). */
  secret: string
  singleSignOn?: SingleSignOn | null
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

export type OpenBetterAuth = ReturnType<typeof openBetterAuth>

export function openBetterAuth(options: SignInOptions) {
  const auth = configured(options)
  return {
    auth,
    /** Returns null without a valid session. */
    signedInUser: (cookie: string) => auth.api.signedInUser({ headers: { cookie } }),
    /** Throws what failed, unless better-auth answers it. `ip`: the IP address of the caller. The signal ends the wait. */
    async handle(request: Request, ip: string): Promise<Response> {
      request.headers.set(ipHeader, ip)
      const handled: Handled = { signal: request.signal }
      const response = await currentRequest.run(handled, () =>
        Promise.race([auth.handler(request), aborted(request.signal)]),
      )
      if (handled.failure) throw handled.failure
      if (response.status >= 500) throw handled.failedQuery ?? new Error(`better-auth answered ${response.status}.`)
      return response
    },
  }
}

/** `handle` always overwrites it. */
const ipHeader = 'x-lead-engine-ip'

interface Handled {
  signal: AbortSignal
  failure?: unknown
  /** Some routes of better-auth answer 500 in place of what a query threw. */
  failedQuery?: unknown
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )

/** better-auth hides unexpected errors: this passes them to `handle`. */
const currentRequest = new AsyncLocalStorage<Handled>()

function configured({ directory, baseUrl, secret, singleSignOn = null, report = console.error }: SignInOptions) {
  return betterAuth({
    appName: 'Lead Engine',
    baseURL: new URL(baseUrl).origin,
    basePath: '/auth',
    secret,
    database: {
      db: new Kysely({
        dialect: new PostgresDialect({ pool: poolOf(directory) }),
        plugins: [updateUsers],
      }),
      type: 'postgres',
    },
    plugins: [
      signedInUser(directory),
      twoFactorPlugin(),
      ...(singleSignOn ? [openProvider(singleSignOn, (claims) => admitted(directory, singleSignOn, claims))] : []),
    ],
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
      // `admit` decides about links, and the tokens have no use afterwards.
      accountLinking: { enabled: false },
      updateAccountOnSignIn: false,
      // What strangers begin and do not finish leaves nothing in the database.
      storeStateStrategy: 'cookie',
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
            if (ctx?.path === passwordPath && (await mustUseProvider(directory, singleSignOn, userId))) {
              throw new APIError('FORBIDDEN', { code: 'SINGLE_SIGN_ON_ONLY' })
            }
          },
          after: async ({ userId }, ctx) => {
            await directory`delete from sessions where user_id = ${userId} and expires_at < now()`
            // A user with a second factor is not signed in by the first one: better-auth ends this session again.
            const isFirstFactor = ctx?.path === passwordPath || ctx?.path === callbackPath
            await directory`insert into sign_ins (user_id, at)
              select id, now() from users where id = ${userId} and not (${isFirstFactor} and two_factor_enabled)
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
    trustedOrigins: allowedOrigins(baseUrl),
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
      errorURL: `${new URL(baseUrl).origin}/sign-in`,
      onError: (error) => {
        const handled = currentRequest.getStore()
        if (handled && !isAPIError(error)) handled.failure = error
      },
    },
    logger: {
      level: 'error',
      log: unlessThrown(oncePerMinute(report)),
    },
    telemetry: { enabled: false },
  })
}

/**
 * Logs each message once a minute, and 20 at most: errors that anyone can cause must not fill the log, nor keep others out of it. What a
 * request sent is left out.
 */
function oncePerMinute(log: (message: string, details: unknown[]) => void) {
  let minute = Number.NaN
  const logged = new Set<string>()
  return (_level: string, sent: unknown, ...details: unknown[]) => {
    const current = Math.floor(performance.now() / 60_000)
    if (current !== minute) logged.clear()
    minute = current
    const message = String(sent).replace(/^(Invalid \w+): .*/s, '$1')
    if (logged.has(message) || logged.size >= 20) return
    logged.add(message)
    log(message, details.map(readable).filter(Boolean))
  }
}

/** An error has no properties that a log would show. Of the answer of a provider, the code is enough. */
function readable(detail: unknown): string | undefined {
  if (detail instanceof Error) return `${detail} ${detail.cause ?? ''}`.trim()
  const { error } = (detail ?? {}) as { error?: unknown }
  if (error instanceof Error) return readable(error)
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined
}

/** What `handle` throws is logged by the routes, without personal data. */
function unlessThrown<T extends unknown[]>(log: (...args: T) => void): (...args: T) => void {
  return (...args) => {
    if (!currentRequest.getStore()?.failure) log(...args)
  }
}

/** better-auth replaces the errors of this step. */
async function admitted(directory: Sql, settings: SingleSignOn, claims: Parameters<typeof readClaims>[0]) {
  const handled = currentRequest.getStore()!
  try {
    // The answer was that the provider took too long.
    handled.signal.throwIfAborted()
    const wrong = rejectIdToken(claims.idToken, settings.clientId, Date.now())
    if (wrong) throw new Rejection('invalid-answer', wrong)
    const identity = readClaims(claims, settings)
    if (!identity) throw new Rejection('invalid-answer', 'The provider sent no ID token with a subject.')
    await admit(directory, settings, identity)
    return subjectOf(settings, identity)
  } catch (error) {
    handled.failure = error
    throw error
  }
}

const passwordPath = '/sign-in/email'

/** The path of better-auth to which the provider returns users. */
const callbackPath = '/callback/:id'

/** Parameters that override what a browser sends. */
const fixedByUs: Record<string, object> = {
  // A new password ends the other sessions of the user.
  '/change-password': { revokeOtherSessions: true },
  // No other methods, no trusted devices, no code used without a session.
  '/two-factor/enable': { method: 'totp', issuer: 'Lead Engine' },
  '/two-factor/verify-totp': { trustDevice: false },
  '/two-factor/verify-backup-code': { trustDevice: false, disableSession: false },
}

/**
 * Codes of an authenticator app (TOTP). Five wrong codes end an attempt to sign in. Ten in a row lock the codes of the
 * user for 15 minutes.
 */
function twoFactorPlugin() {
  const plugin = twoFactor({
    issuer: 'Lead Engine',
    accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: 900 },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'two_factors',
        fields: {
          userId: 'user_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  })
  const [afterPassword] = plugin.hooks.after
  // The plugin asks for the code after a password only. Who controls a user's email at the provider has no code of theirs.
  const matcher = ({ path }: { path?: string }) => path === passwordPath || path === callbackPath
  return { ...plugin, hooks: { after: [{ ...afterPassword!, matcher }] } }
}

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

/** Nothing here needs two statements on one connection. */
function poolOf(sql: Sql): PostgresPool {
  const query = async (text: string, values: unknown[]) => {
    const rows = await sql.unsafe(text, values).catch((error) => {
      const handled = currentRequest.getStore()
      if (handled) handled.failedQuery = error
      throw error
    })
    return { command: 'UPDATE' as const, rowCount: rows.count, rows }
  }
  return { connect: async () => ({ query, release: () => {} }) as unknown as PostgresPoolClient, end: async () => {} }
}
