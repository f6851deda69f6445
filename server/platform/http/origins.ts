import { msg } from '@lingui/core/runtime-macro'
import type { FastifyRequest } from 'fastify'
import { forbidden, type HttpProblem } from './problem.ts'

/** Returns the origins that the pages of the web app may have. Locally, localhost and 127.0.0.1 are the same. */
export function allowedOrigins(baseUrl: string): string[] {
  const { origin, protocol, hostname, port } = new URL(baseUrl)
  const own = ['localhost', '127.0.0.1']
  return own.includes(hostname) ? own.map((name) => `${protocol}//${name}${port && `:${port}`}`) : [origin]
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Returns whether this service served the page itself, with its host in Origin and Host, under another URL than BASE_URL. */
export function isOwnElsewhere(baseUrl: string, origin: string | undefined, host: string): origin is string {
  if (origin === undefined || origin.length > 300 || allowedOrigins(baseUrl).includes(origin)) return false
  return URL.canParse(origin) && new URL(origin).host === host
}

/** For a change that no page at BASE_URL requests. */
export function foreignOrigin(baseUrl: string, { headers: { origin }, host }: FastifyRequest): HttpProblem {
  const message = isOwnElsewhere(baseUrl, origin, host)
    ? msg`Lead Engine was opened at ${{ origin }}, and BASE_URL is ${{ baseUrl }}. Set BASE_URL to ${{ origin }} and restart the service, or open it at BASE_URL.`
    : msg`This request came from a page of another site.`
  return forbidden('PERMISSION_DENIED', message)
}
