import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'

/** Writes the page and script of the API reference with Scalar. The server replaces NONCE by a nonce. */
export async function buildReference(folder: string): Promise<void> {
  const app = fastify()
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/api/v1/openapi.json',
      cdn: '/docs/js/scalar.js',
      pageTitle: 'Lead Engine API',
      nonce: 'NONCE',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      authentication: { preferredSecurityScheme: 'apiKey' },
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  mkdirSync(folder)
  for (const [url, file] of [
    ['/docs/', 'index.html'],
    ['/docs/js/scalar.js', 'scalar.js'],
  ] as const) {
    const { statusCode, body } = await app.inject(url)
    if (statusCode !== 200) throw new Error(`The API reference could not be built: ${url} answers ${statusCode}.`)
    writeFileSync(join(folder, file), body)
  }
  await app.close()
}
