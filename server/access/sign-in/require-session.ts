import { msg } from '@lingui/core/runtime-macro'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor } from '../../platform/database/actor.ts'
import type { Database } from '../../platform/database/connect.ts'
import { allowedOrigins, foreignOrigin } from '../../platform/http/origins.ts'
import { forbidden, unauthorized } from '../../platform/http/problem.ts'
import type { Language } from '../../platform/languages/contract.ts'
import type { Text } from '../../platform/languages/translate.ts'
import { isAtLeast } from '../account/contract.ts'
import { requireOpen } from '../account/suspension.ts'
import { findAccount, type Permission, visibleAssignees } from '../account/users.ts'
import type { SignedInUser } from './better-auth.ts'
import { findSession, type SignIn } from './sign-in.ts'
import type { WebLimits } from './web-limits.ts'

/** The signed-in user of the web app. */
export interface WebCaller extends Actor {
  user_id: string
  via: 'web'
  via_id: null
  session_id: string
  user: SignedInUser
  /** The language of emails and notifications; null is English. */
  language: Language | null
  may: Record<Permission, boolean>
}

declare module 'fastify' {
  interface FastifyRequest {
    webCaller: WebCaller
  }
}

interface Options {
  database: Database
  signIn: SignIn
  limits: WebLimits
  baseUrl: string
}

/** Requires a session on the routes of the web app and, for changes, a request from a page of this site. */
export function requireSession(app: FastifyInstance, { database, signIn, limits, baseUrl }: Options) {
  app.decorateRequest('webCaller')
  requireOwnPage(app, baseUrl)

  app.addHook('onRequest', async (request) => {
    const session = await findSession(signIn, request.headers)
    if (!session) throw unauthorized(msg`Sign in first.`)
    const user = session.user
    await limits(request, session.id, user.id, user.account_id)
    const account = await findAccount(database, user.account_id)
    requireOpen(account)
    const { users, lowest_role_to } = account
    request.webCaller = {
      account_id: user.account_id,
      user_id: user.id,
      sees: visibleAssignees(user, users),
      via: 'web',
      via_id: null,
      session_id: session.id,
      page_id: pageIdIn(request),
      user,
      language: users.find(({ id }) => id === user.id)?.language ?? null,
      may: {
        delete: isAtLeast(user.role, lowest_role_to.delete),
        export: isAtLeast(user.role, lowest_role_to.export),
      },
    }
  })
}

/** A page names itself in the changes that it sends. */
function pageIdIn({ headers }: FastifyRequest): string | undefined {
  const id = headers['x-page']
  return typeof id === 'string' && /^\w{1,40}$/.test(id) ? id : undefined
}

/** Rejects changes that a page of another site requests. */
export function requireOwnPage(app: FastifyInstance, baseUrl: string) {
  const origins = allowedOrigins(baseUrl)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (changesSomething(request) && !origins.includes(request.headers.origin ?? '')) {
      throw foreignOrigin(baseUrl, request)
    }
  })
}

/** Rejects users who are not Admins. */
export function requireAdmin(app: FastifyInstance) {
  app.addHook('onRequest', async ({ webCaller }) => {
    if (webCaller.user.role !== 'Admin')
      throw forbidden('PERMISSION_DENIED', msg`Only Admins of the account may do this.`)
  })
}

const permissionText = {
  delete: msg`Your role may not delete leads and calls. An Admin can allow it under Account.`,
  export: msg`Your role may not export leads and calls. An Admin can allow it under Account.`,
} satisfies Record<Permission, Text>

export function requirePermission({ may }: WebCaller, permission: Permission) {
  if (!may[permission]) {
    throw forbidden('PERMISSION_DENIED', permissionText[permission])
  }
}

const changesSomething = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD'
