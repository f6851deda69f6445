import { msg } from '@lingui/core/runtime-macro'
import type { FastifyRequest } from 'fastify'
import { rateLimited } from '../../platform/http/problem.ts'
import type { RateLimit, RateLimits } from '../../platform/http/rate-limit.ts'
import type { Text } from '../../platform/languages/translate.ts'

/** Requests per minute and user on routes that are expensive, or could be used to test many phone numbers. */
export const heavyRoutes: Record<string, number> = {
  'GET /web/leads.csv': 10,
  'GET /web/leads.xlsx': 10,
  'POST /web/leads.csv': 10,
  'POST /web/leads.xlsx': 10,
  'GET /web/audit.csv': 10,
  'GET /web/audit.xlsx': 10,
  'POST /web/bulk-changes': 60,
  'POST /web/bulk-changes/count': 60,
  'GET /web/calls.csv': 10,
  'GET /web/calls.xlsx': 10,
  'GET /web/calls/totals': 240,
  'POST /web/leads/import': 60,
  'POST /web/me/email': 20,
  'POST /web/users/:id/email': 20,
  'POST /web/leads/match': 60,
  'POST /web/notifications/test': 20,
  'POST /web/samples': 10,
  'DELETE /web/samples': 10,
  'POST /web/webhooks/:id/replay': 60,
  'POST /web/webhooks/:id/dry-run': 120,
  'GET /web/requests': 240,
  'GET /web/deliveries/:id': 240,
  'GET /web/deliveries/:id/preview': 240,
  'POST /web/deliveries/:id/preview': 240,
  'POST /web/deliveries/:id/replay': 240,
}

/** Searches per user. The window is short, so that a user who keeps typing waits only seconds. */
const searches = { max: 30, seconds: 10 }
const searched = ['GET /web/leads', 'GET /web/calls', 'GET /web/webhooks/:id/deliveries']

/**
 * Limits requests of the web app per minute: `perSession` per session, and 20 times as many per account, whose open pages
 * refresh when leads come. The limits of expensive routes and searches scale with it.
 */
export function webLimits(limits: RateLimits, perSession: number) {
  const ofSession = limits.limit('web-session', perSession)
  const ofAccount = limits.limit('web-account', 20 * perSession)
  const scaled = (max: number) => Math.max(1, Math.round((max * perSession) / 600))
  const ofRoute = new Map<string, RateLimit>()
  for (const [route, max] of Object.entries(heavyRoutes)) {
    ofRoute.set(route, limits.limit(`web ${route}`, scaled(max)))
  }
  const ofSearch = limits.limit('web search', scaled(searches.max), searches.seconds)

  return async (request: FastifyRequest, sessionId: string, userId: string, accountId: string) => {
    await take(ofSession, sessionId, msg`Too many requests came from this session`)
    await take(ofAccount, accountId, msg`Too many requests came from your account`)
    const route = routeOf(request)
    const heavy = ofRoute.get(route)
    if (heavy) await take(heavy, userId, msg`You did this too often`)
    if (searched.includes(route) && isSearch(request)) await take(ofSearch, userId, msg`You searched too often`)
  }
}

export type WebLimits = ReturnType<typeof webLimits>

/** HEAD counts as GET: it runs the same code. */
const routeOf = ({ method, routeOptions }: FastifyRequest) =>
  `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`

const isSearch = ({ query }: FastifyRequest) => 'search' in (query as object)

async function take(limit: RateLimit, key: string, what: Text) {
  const { allowed, wait } = await limit.count(key)
  if (!allowed) throw rateLimited(what, wait)
}
