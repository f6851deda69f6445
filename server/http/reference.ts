import { randomBytes } from 'node:crypto'
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { invalid } from './problem.ts'

/** The OpenAPI description of what is registered after it, and the reference that people read. */
export async function describeApi(app: FastifyInstance, { baseUrl, version }: { baseUrl: string; version: string }) {
  await app.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lead Engine',
        version,
        description:
          'Leads and call logs. One person stays one lead: creating a lead whose phone or email is known merges into it. ' +
          'Every error has the shape `{"error": {"code", "message", "field"?}}`. 100 requests a minute for each API key.',
      },
      servers: [{ url: baseUrl }],
      tags: [
        { name: 'Leads' },
        { name: 'Call logs' },
        { name: 'Webhooks', description: 'Leads from any platform, to an address of their own.' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key from the web settings: le_live_…' },
        },
      },
    },
  })

  app.get('/api/v1/openapi.json', { schema: { hide: true } }, async () => app.swagger())

  const nonce = randomBytes(16).toString('base64url')
  // The page has no text of anybody's in it, so one nonce for the life of the process is as good as one a request.
  const policy = [
    "default-src 'self'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
  await app.register(scalar, {
    routePrefix: '/docs',
    hooks: {
      onRequest: (request, reply, done) => {
        reply.header('content-security-policy', policy)
        done(URL.canParse(`http://${request.host}`) ? undefined : invalid('The Host header is not a host.', 'Host'))
      },
    },
    configuration: {
      url: '/api/v1/openapi.json',
      pageTitle: 'Lead Engine API',
      nonce,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      authentication: { preferredSecurityScheme: 'apiKey' },
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
}
