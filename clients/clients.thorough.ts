import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { ask } from '../test/people.ts'
import type { Connect } from './client.ts'
import { postmanCollection } from './postman.ts'
import { isRejected, openServices, worksWith } from './scenario.ts'

const root = join(import.meta.dirname, '..')
const services = await openServices()
const folder = await mkdtemp(join(tmpdir(), 'lead-engine-clients-'))
after(async () => {
  await services.close()
  await rm(folder, { recursive: true })
})
const { body: description } = await ask(services.url, null, 'GET', '/api/v1/openapi.json')

test('Redocly finds nothing wrong with the description', () => {
  const file = join(folder, 'openapi.json')
  // The rule against localhost is for published descriptions.
  writeFileSync(file, JSON.stringify({ ...description, servers: [{ url: 'https://crm.example.in' }] }))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  const said = execFileSync(process.execPath, [cli, 'lint', file, '--extends', 'recommended', '--format', 'json'], {
    env,
    stdio: 'pipe',
  })
  assert.deepEqual(JSON.parse(said.toString()).problems, [])
})

test('openapi-typescript generates types that TypeScript accepts', async () => {
  writeFileSync(join(import.meta.dirname, 'openapi-fetch/schema.ts'), astToString(await openapiTS(description)))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', join(import.meta.dirname, 'openapi-fetch')], { stdio: 'pipe' })
})

test('openapi-fetch creates, merges, pages, calls and deletes', async () => worksWith(await client(), services))

test('openapi-fetch receives each rejection', async () => isRejected(await client(), services))

test('the Postman collection of the documentation is current, and its requests are those of the description', () => {
  const file = join(root, 'docs/rest/lead-engine.postman_collection.json')
  const current = { ...description, info: { ...description.info } }
  current.info.description = current.info.description.replace('1000000 requests', '100 requests')
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), postmanCollection(current), 'run `npm run postman`')
})

/** Its types do not exist before they are generated. */
async function client(): Promise<Connect> {
  const { connect } = await import(join(import.meta.dirname, 'openapi-fetch/client.ts'))
  return connect
}
