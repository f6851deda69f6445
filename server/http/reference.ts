import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { compressedAnswer } from './compressed-answer.ts'

/** Adds the OpenAPI description of the routes registered after it. */
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
        { name: 'Webhooks', description: 'Leads from any platform, each to a URL of its own.' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key from the web settings: le_live_…' },
        },
      },
    },
  })

  // All routes are known at the first request, and the description stays the same.
  const description = compressedAnswer('application/json; charset=utf-8', () => JSON.stringify(app.swagger()))
  app.get('/api/v1/openapi.json', { schema: { hide: true } }, description)
}
