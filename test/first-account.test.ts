import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { databaseUrl, runCommand } from './command-line.ts'
import { testDatabase } from './database.ts'
import { ask } from './people.ts'
import { startService } from './service.ts'
import { until } from './until.ts'

const store = await testDatabase()
after(() => store.close())
const env = { DATABASE_URL: databaseUrl(store.connection) }

test('no account is made while the port is taken, and its password is shown until a user has signed in', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const failed = await runCommand(['serve'], { ...env, PORT: String(port) })
  other.close()
  assert.equal(failed.status, 1)
  assert.match(failed.err, /Port \d+ on 127\.0\.0\.1 is in use\. Set PORT to another one\./)
  assert.equal((await store.owner`select from accounts`).length, 0)

  const first = await startService(env)
  await until(() => /Password +\S{10,}/.test(first.said()), 'the password')
  await first.end()

  const second = await startService(env)
  await until(() => second.said().includes('No user has signed in yet.'), 'the reminder')
  assert.match(second.said(), new RegExp(`Lead Engine runs at ${second.url}`))
  const [, command] = /lead-engine (user reset-password admin@example\.com)/.exec(second.said())!
  const { out } = await runCommand(command!.split(' '), env)
  const [, password] = /New password of admin@example\.com: (\S+)/.exec(out)!
  const sent = { email: 'admin@example.com', password }
  const signedIn = await ask(second.url, null, 'POST', '/auth/sign-in/email', sent, { origin: second.url })
  assert.equal(signedIn.status, 200)
  const [, newKey] = /lead-engine (key create .+)/.exec(second.said())!
  const { key } = JSON.parse((await runCommand([...newKey!.split(' '), '--json'], env)).out)
  const lead = { name: 'Asha', phone: '9820011223' }
  const saved = await ask(second.url, key, 'POST', '/api/v1/leads', lead)
  assert.equal(saved.status, 201)
  await second.end()

  const third = await startService(env)
  await third.end()
  assert.doesNotMatch(third.said(), /has signed in yet/)
})
