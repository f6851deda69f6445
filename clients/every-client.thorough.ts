/** Generates a client with every generator and tries it: `npm run test:thorough`, which installs them first. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ask } from '../test/people.ts'
import type { Answered, Client, Connect } from './client.ts'
import { isRejected, openServices, worksWith } from './scenario.ts'

const all = join(import.meta.dirname, 'all')
const services = await openServices()
const folder = mkdtempSync(join(tmpdir(), 'lead-engine-clients-'))
after(async () => {
  await services.close()
  rmSync(folder, { recursive: true })
})
const { body: description } = await ask(services.url, null, 'GET', '/api/v1/openapi.json')
const file = join(folder, 'openapi.json')
writeFileSync(file, JSON.stringify(description))

/** Runs a program of the folder `all`. */
const run = (program: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(all, program), ...args], { cwd: all, encoding: 'utf8', stdio: 'pipe' })

test('Spectral finds no error in the description', () => {
  const rules = join(folder, 'spectral.json')
  // An installation has no public contact.
  writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas'], rules: { 'info-contact': 'off' } }))
  const spectral = 'node_modules/@stoplight/spectral-cli/dist/index.js'
  const said = run(spectral, 'lint', file, '--ruleset', rules, '--format', 'json', '--quiet', '--fail-severity', 'hint')
  assert.deepEqual(JSON.parse(said || '[]'), [])
})

test('hey-api and orval generate clients that TypeScript accepts', () => {
  run('generate.js', file)
  run('../../node_modules/typescript/bin/tsc', '-p', all)
})

const answers: (Answered & { operation: string })[] = []

for (const name of ['hey-api', 'orval']) {
  test(`${name} creates, merges, pages, calls and deletes`, async () => worksWith(await clientOf(name), services))
  test(`${name} receives each rejection`, async () => isRejected(await clientOf(name), services))
}

/** It does not exist before it is generated. */
async function clientOf(name: string): Promise<Connect> {
  const { connect } = (await import(join(all, name, 'client.ts'))) as { connect: Connect }
  return (baseUrl, key) => recorded(connect(baseUrl, key))
}

const operations: Record<keyof Client, string> = {
  createLead: 'createOrMergeLead',
  listLeads: 'listLeads',
  deleteLead: 'deleteLead',
  createCall: 'createCallLog',
  listCalls: 'listCallLogs',
  deleteCall: 'deleteCallLog',
  sendDelivery: 'sendDelivery',
}

/** The same client; its answers are kept. */
function recorded(client: Client): Client {
  const methods = Object.entries(operations).map(([method, operation]) => [
    method,
    async (...args: unknown[]) => {
      const send = client[method as keyof Client] as (...args: unknown[]) => Promise<Answered>
      const answer = await send(...args)
      answers.push({ ...answer, operation })
      return answer
    },
  ])
  return Object.fromEntries(methods)
}

const python = process.env.PYTHON ?? 'python3'
const lacksPython = spawnSync(python, ['-c', 'import jsonschema']).status !== 0 && 'no Python with jsonschema'

test('jsonschema of Python accepts every answer', { skip: lacksPython }, () => {
  const kept = join(folder, 'answers.json')
  writeFileSync(kept, JSON.stringify(answers))
  const said = execFileSync(python, [join(all, 'check_answers.py'), file, kept], { encoding: 'utf8' })
  assert.ok(answers.length > 40)
  assert.equal(Number(said), answers.length)
})
