import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { programVersion } from '../server/platform/program-version.ts'
import { databaseUrl, runCommand } from './command-line.ts'
import { testDatabase } from './database.ts'
import { ask } from './people.ts'
import { startService } from './service.ts'
import { until } from './until.ts'

const store = await testDatabase()
after(() => store.close())
const env = { DATABASE_URL: databaseUrl(store.connection) }
type Service = Awaited<ReturnType<typeof startService>>

/** The token of the printed set-up link. */
async function setUpToken({ url, said }: Service): Promise<string> {
  const printed = () => new RegExp(`^  Set up     ${url}/join/(\\S{32})$`, 'm').exec(said())?.[1]
  await until(() => printed() !== undefined, 'the set-up link')
  return printed()!
}

const send = ({ url }: Service, path: string, body: object) => ask(url, null, 'POST', path, body, { origin: url })

test('nothing is made or migrated while the port is taken', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const fails = async (given: Record<string, string>) => {
    const failed = await runCommand(['serve'], { ...given, PORT: String(port) })
    assert.equal(failed.status, 1)
    assert.match(failed.err, /Port \d+ on 127\.0\.0\.1 is in use\. Set PORT to another one\./)
  }
  await fails(env)
  assert.equal((await store.owner`select from accounts`).length, 0)

  const [last] = await store.owner`delete from migrations where file = (select max(file) from migrations) returning *`
  await fails(env)
  assert.equal((await store.owner`select from migrations where file = ${last!.file}`).length, 0)
  await store.owner`insert into migrations ${store.owner(last!)}`

  const folder = join(mkdtempSync(join(tmpdir(), 'lead-engine-taken-')), 'data')
  t.after(() => rmSync(join(folder, '..'), { recursive: true }))
  await fails({ DATA_DIR: folder })
  assert.equal(existsSync(join(folder, 'postgres')), false)
})

test('each start prints another set-up link until one is used', async (t) => {
  const start = async (given: Record<string, string> = {}) => {
    const service = await startService({ ...env, ...given })
    t.after(() => service.end())
    return service
  }
  const first = await start()
  const replaced = await setUpToken(first)
  assert.doesNotMatch(first.said(), /assword +\S{10,}/)
  const [curl] = /^curl -sS .*$/m.exec(first.said())!
  const [, key] = /Bearer (\S+)'/.exec(curl)!
  // A start that fails leaves the link alone.
  assert.equal((await runCommand(['serve'], { ...env, PORT: first.port })).status, 1)
  assert.equal((await send(first, '/web-public/link', { token: replaced })).status, 200)
  await first.end()

  const second = await start()
  const token = await setUpToken(second)
  assert.doesNotMatch(second.said(), /le_live_/)
  assert.equal(JSON.stringify(await store.owner`select * from password_links`).includes(token), false)
  assert.equal((await send(second, '/web-public/link', { token: replaced })).status, 404)
  assert.equal((await send(second, '/web-public/link', { token })).body.data.kind, 'setup')
  const options = async (url: string) => (await ask(url, null, 'GET', '/web-public/sign-in-options')).body.data
  assert.equal((await options(second.url)).is_set_up, false)

  const whole = { company: 'Sharma Homes', name: 'Ravi', email: 'ravi@sharma.example', password: 'seven green parrots' }
  const names = () =>
    store.owner`select accounts.name, email, users.name as user from accounts join users on account_id = accounts.id`
  const before = await names()
  for (const [path, body, status, field] of [
    ['/web-public/set-up', { ...whole, token: replaced }, 404, 'token'],
    ['/web-public/set-up', { ...whole, token, password: 'Sharma Homes' }, 400, 'password'],
    ['/web-public/set-up', { ...whole, token, company: '\u200b' }, 400, 'company'],
    ['/web-public/set-up', { ...whole, token, email: 'ravi' }, 400, 'email'],
    // It would leave the account without a name.
    ['/web-public/join', { token, password: whole.password }, 404, 'token'],
  ] as const) {
    const rejected = await send(second, path, body)
    assert.deepEqual([rejected.status, rejected.body.error.field], [status, field])
    assert.deepEqual(await names(), before)
    assert.equal((await store.owner`select from credentials`).length, 0)
  }
  const both = await Promise.all([1, 2].map(() => send(second, '/web-public/set-up', { ...whole, token })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404])
  assert.deepEqual([...(await names())], [{ name: whole.company, email: whole.email, user: whole.name }])
  const { email, password } = whole
  assert.equal((await send(second, '/auth/sign-in/email', { email, password })).status, 200)
  assert.equal((await send(second, '/web-public/link', { token })).status, 404)
  assert.equal((await options(second.url)).is_set_up, true)
  const saved = await ask(second.url, key!, 'POST', '/api/v1/leads', { name: 'Asha', phone: '9820011223' })
  assert.equal(saved.status, 201)
  await second.end()

  const third = await start({ LOG_LEVEL: 'error' })
  await third.end()
  const lines = third.said().trim().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    [`Lead Engine runs at ${third.url} (version ${programVersion})`, 'Stopped.'],
  )
  assert.match(JSON.parse(lines[0]!).time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

  const asText = await start({ LOG_FORMAT: 'text' })
  await ask(asText.url, key!, 'GET', '/api/v1/leads')
  await asText.end()
  const said = asText.said()
  assert.match(said, new RegExp(`^Lead Engine runs at ${asText.url} \\(version `, 'm'))
  assert.match(said, /^\d{4}-\d\d-\d\dT\S+Z INFO {2}GET \/api\/v1\/leads 200 [\d.]+ ms 127\.0\.0\.1 /m)
  assert.match(said, /^Stopped\.\n$/m)
  assert.doesNotMatch(said, /^\{/m)
})
