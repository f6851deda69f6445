import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { compressedAnswer } from './compressed-answer.ts'
import { publish } from './publish.ts'

interface Service {
  baseUrl: string
  version: string
  requestsPerMinute: number
}

/** Adds the OpenAPI description of the routes registered after it. */
export async function describeApi(app: FastifyInstance, { baseUrl, version, requestsPerMinute }: Service) {
  await app.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lead Engine',
        version,
        license: { name: 'MIT', identifier: 'MIT' },
        description: [
          'Leads and call logs. One person stays one lead: creating a lead whose phone or email is known merges into it.',
          `An API key may make ${requestsPerMinute} requests a minute.`,
          'Every error has the shape `{"error": {"code", "message", "field"?}}`. Unknown fields and parameters are no error, and named in `X-Unknown-Parameters`. Those of a lead are kept with its enquiry.',
          'Text is trimmed; control characters are rejected.',
          'Times are UTC in whole seconds; days are those of India (IST). Money is in rupees (INR).',
        ].join('\n\n'),
      },
      servers: [{ url: baseUrl, description: 'This installation.' }],
      tags: [
        { name: 'Leads', description: 'List leads, create or merge one, delete one.' },
        { name: 'Call logs', description: 'List calls with leads, log one, delete one.' },
        { name: 'Webhooks', description: 'Leads from any platform, each to a URL of its own.' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key from the web settings: le_live_…' },
        },
      },
    },
    transformObject: (generated) =>
      publish('openapiObject' in generated ? generated.openapiObject : {}, requestsPerMinute),
  })

  // All routes are known at the first request, and the description stays the same.
  const description = compressedAnswer('application/json; charset=utf-8', () => JSON.stringify(app.swagger()))
  app.get('/api/v1/openapi.json', { schema: { hide: true } }, description)
}
