import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

/**
 * Sends the headers that protect a browser, with the answer to every request that is valid HTTP and has a valid URL. `encrypted`:
 * people open the service over HTTPS.
 */
export function sendSecurityHeaders(app: FastifyInstance, encrypted: boolean): void {
  const headers = headersOf(
    helmet({
      hsts: encrypted,
      contentSecurityPolicy: {
        directives: {
          'style-src': ["'self'"],
          'font-src': ["'self'"],
          // Recordings play from their telephone system.
          'media-src': ["'self'", 'https:', 'http:'],
          'upgrade-insecure-requests': encrypted ? [] : null,
        },
      },
    }),
  )
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

const ofDocuments = [
  ...['content-security-policy', 'cross-origin-opener-policy', 'origin-agent-cluster'],
  ...['x-dns-prefetch-control', 'x-download-options', 'x-permitted-cross-domain-policies'],
]

/** Leaves out what protects documents: half a kilobyte of headers with each answer of this part, whose answers are JSON or files. */
export function sendNoDocuments(part: FastifyInstance): void {
  part.addHook('onSend', async (_request, reply) => {
    for (const name of ofDocuments) reply.removeHeader(name)
  })
}

/** They are the same for every request, so they are computed once. */
function headersOf(middleware: ReturnType<typeof helmet>): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  }
  middleware({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error
  })
  return headers
}
