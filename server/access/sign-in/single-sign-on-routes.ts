import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { ipNetwork, wideIpNetwork } from '../../platform/http/ip-list.ts'
import type { RateLimit } from '../../platform/http/rate-limit.ts'
import { type SingleSignOnProblem, singleSignOnUrl } from './contract.ts'
import { ask, type SignIn } from './sign-in.ts'
import { provider, Rejection } from './single-sign-on.ts'

/** In milliseconds: how long a person waits for the provider. */
const maxWaitMs = 15_000

/** Encoded. It is in a cookie, with other values: together they fit into 4 KB. */
const maxNextLength = 600

/** Errors of better-auth and of providers. Any other is an invalid answer. */
const problems = new Map<string, SingleSignOnProblem>([
  ['access_denied', 'cancelled'],
  ['consent_required', 'cancelled'],
  ['interaction_required', 'cancelled'],
  ['login_required', 'cancelled'],
  ['oauth_provider_not_found', 'unreachable'],
  ['server_error', 'unreachable'],
  ['temporarily_unavailable', 'unreachable'],
  ['state_invalid', 'expired'],
  ['state_mismatch', 'expired'],
  ['state_not_found', 'expired'],
])

/** For the log, where the code alone says too little. */
const reasons = new Map<string, string>([
  ['invalid_code', 'The provider did not take the code: run lead-engine doctor, which tries the client secret.'],
  ['unable_to_get_user_info', 'The ID token is not valid: check the clock of this server.'],
])

interface Options {
  signIn: SignIn
  /** Per IP address. A whole office may sign in from one. */
  limit: RateLimit
  timeoutMs?: number
}

/**
 * For browsers: the way to the provider and back. Answers are redirects, to the provider or to the sign-in page, which
 * shows problems and opens the next page.
 */
export function singleSignOnRoutes({ signIn, limit, timeoutMs = maxWaitMs }: Options): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { allowed } = await limit.count(ipNetwork(request.ip), wideIpNetwork(request.ip))
      if (!allowed)
        return reject(request, reply, new Rejection('too-many', 'Too many attempts came from an IP address.'))
    })
    // Errors of the service are logged as by other routes. Only the answer is for a person.
    app.addHook('onSend', async (request, reply, payload) => {
      if (reply.statusCode < 500) return payload
      reply.code(302).removeHeader('content-type').removeHeader('retry-after')
      reply.header('location', signInPage({ problem: 'service-failed', next: nextOf(request) }))
      return ''
    })
    app.setErrorHandler((error, request, reply) => {
      const late = error instanceof DOMException && error.name === 'TimeoutError'
      const rejection = late ? new Rejection('unreachable', 'The provider did not answer in time.') : error
      if (!(rejection instanceof Rejection)) throw error
      return reject(request, reply, rejection)
    })

    app.get(singleSignOnUrl, { exposeHeadRoute: false }, async (request, reply) => {
      const next = nextOf(request)
      const body = {
        provider,
        callbackURL: signInPage({ step: 'done', next }),
        errorCallbackURL: signInPage({ next }),
        disableRedirect: true,
      }
      const response = await ask(signIn, '/sign-in/social', request, { body, signal: AbortSignal.timeout(timeoutMs) })
      if (response.status === 404) throw new Rejection('unreachable', 'The discovery document could not be read.')
      const { url } = (await response.json()) as { url: string }
      return keepCookies(reply, response).redirect(url)
    })

    app.get(`/auth/callback/${provider}`, { exposeHeadRoute: false }, async (request, reply) => {
      const response = await ask(signIn, `/callback/${provider}`, request, { signal: AbortSignal.timeout(timeoutMs) })
      keepCookies(reply, response)
      const location = response.headers.get('location')
      if (location === null) throw new Rejection('invalid-answer', `better-auth answered ${response.status}.`)
      const { searchParams } = new URL(location)
      const next = searchParams.get('next')
      const error = searchParams.get('error')
      if (error !== null) return reject(request, reply, rejectionOf(error), next)
      const { twoFactorRedirect } = (await response.json().catch(() => ({}))) as { twoFactorRedirect?: true }
      return reply.redirect(signInPage({ step: twoFactorRedirect ? 'code' : 'done', next }))
    })

    function signInPage(search: {
      step?: 'done' | 'code'
      problem?: SingleSignOnProblem
      next: string | null
    }): string {
      const given = Object.entries(search).filter((pair): pair is [string, string] => Boolean(pair[1]))
      return `${signIn.origin}/sign-in?${new URLSearchParams(given)}`
    }

    function reject(
      request: FastifyRequest,
      reply: FastifyReply,
      { problem, message }: Rejection,
      next = nextOf(request),
    ) {
      request.log.warn({ problem, reason: message }, 'not signed in by single sign-on')
      return reply.redirect(signInPage({ problem, next }))
    }
  }
}

/** The page to open after signing in. The web app checks that it is one of its own. */
function nextOf({ query }: FastifyRequest): string | null {
  const { next } = query as Record<string, unknown>
  return typeof next === 'string' && encodeURIComponent(next.toWellFormed()).length <= maxNextLength ? next : null
}

function keepCookies(reply: FastifyReply, response: Response): FastifyReply {
  return reply.header('set-cookie', response.headers.getSetCookie())
}

/** The code may be any text, of a person who follows a prepared link. */
function rejectionOf(code: string): Rejection {
  const unknown = /^[a-z_]{1,40}$/.test(code) ? `The error is ${code}.` : 'The error has no known code.'
  return new Rejection(problems.get(code) ?? 'invalid-answer', reasons.get(code) ?? unknown)
}
