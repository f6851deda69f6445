import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'

/** Writes the page of the API reference, and the script of Scalar that draws it. The server replaces NONCE by a nonce. */
export async function buildReference(folder: string): Promise<void> {
  const app = fastify()
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/api/v1/openapi.json' } })
  const { statusCode, body } = await app.inject('/docs/js/scalar.js')
  if (statusCode !== 200) throw new Error(`The script of the API reference could not be read: ${statusCode}.`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'scalar.js'), body)
  copyFileSync(join(import.meta.dirname, 'reference.html'), join(folder, 'index.html'))
  await app.close()
}
