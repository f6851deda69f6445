import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountOf, visibleAssignees } from '../account/users.ts'
import type { Actor } from '../database/actor.ts'
import type { Database } from '../database/connect.ts'
import { forbidden, unauthorized } from '../http/problem.ts'
import { originsOf, type SignedInUser, type SignIn, sessionOf } from './sign-in.ts'
import type { WebLimits } from './web-limits.ts'

/** Who is signed in to the web app. */
export interface WebCaller extends Actor {
  user_id: string
  via: 'web'
  via_id: null
  person: SignedInUser
}

declare module 'fastify' {
  interface FastifyRequest {
    webCaller: WebCaller
  }
}

/** Guards the web app's own routes: a session, and for what changes anything a page of our own that asks. */
export function requireSession(
  app: FastifyInstance,
  database: Database,
  signIn: SignIn,
  limits: WebLimits,
  baseUrl: string,
) {
  app.decorateRequest('webCaller')
  requireOwnPage(app, baseUrl)

  app.addHook('onRequest', async (request) => {
    const session = await sessionOf(signIn, request.headers)
    if (!session) throw unauthorized('Sign in first.')
    const person = session.user
    await limits(request, session.id, person.id, person.account_id)
    const { users } = await accountOf(database, person.account_id)
    request.webCaller = {
      account_id: person.account_id,
      user_id: person.id,
      sees: visibleAssignees(person, users),
      via: 'web',
      via_id: null,
      person,
    }
  })
}

/** What changes anything must be asked by a page of our own. */
export function requireOwnPage(app: FastifyInstance, baseUrl: string) {
  const origins = originsOf(baseUrl)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (changesSomething(request) && !origins.includes(request.headers.origin ?? '')) {
      throw forbidden('PERMISSION_DENIED', 'This was asked by a page of another site.')
    }
  })
}

/** Guards what only Admins may manage. */
export function requireAdmin(app: FastifyInstance) {
  app.addHook('onRequest', async ({ webCaller }) => {
    if (webCaller.person.role !== 'Admin')
      throw forbidden('PERMISSION_DENIED', 'Only Admins of the account may do this.')
  })
}

const changesSomething = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD'
