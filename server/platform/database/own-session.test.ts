import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { databaseUrl, runCommand } from '#test/command-line.ts'
import { testDatabase } from '#test/database.ts'
import { isOwnSession } from './own-session.ts'

const store = await testDatabase()
after(store.close)
const { connection } = store

/** Keeps notifications from clients, as a pooler in transaction mode does from those that are in no transaction. */
const pooler = createServer((near) => {
  const { host, port } = connection
  const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  near.pipe(far)
  const withoutNotifications = messageFilter((type) => type !== 'A')
  far.on('data', (data: Buffer) => near.write(withoutNotifications(data)))
  const end = (one: Socket) => one.on('error', () => {}).on('close', () => [near, far].map((each) => each.destroy()))
  end(near)
  end(far)
})
await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
after(() => pooler.close())
const pooled = { ...connection, host: '127.0.0.1', port: (pooler.address() as { port: number }).port }

function messageFilter(passes: (type: string) => boolean) {
  let rest = Buffer.alloc(0)
  return (data: Buffer): Buffer => {
    rest = Buffer.concat([rest, data])
    const passed: Buffer[] = []
    for (;;) {
      const length = rest.length < 5 ? Number.POSITIVE_INFINITY : 1 + rest.readInt32BE(1)
      if (rest.length < length) return Buffer.concat(passed)
      if (passes(String.fromCharCode(rest[0]!))) passed.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}

test('a connection of PostgreSQL is a session of its own; one that a pooler shares is not', async () => {
  assert.equal(await isOwnSession(connection), true)
  assert.equal(await isOwnSession(store.signIns.directory), true)
  assert.equal(await isOwnSession(pooled), false)
})

const says = (variable: string) =>
  new RegExp(
    `${variable} leads through a connection pooler in transaction or statement mode, in which .*\\.[\\s\\S]* Use the pooler in session mode, or connect to PostgreSQL directly\\.`,
  )

test('the service does not start behind such a pooler, and says what to do', async () => {
  const { status, out, err } = await runCommand(['serve'], { DATABASE_URL: databaseUrl(pooled) })
  assert.deepEqual([status, out], [1, ''])
  assert.match(err, says('DATABASE_URL'))
  const { app, directory } = store.signIns
  const roles = {
    DATABASE_URL: databaseUrl(connection),
    DATABASE_APP_URL: databaseUrl(app),
    DATABASE_DIRECTORY_URL: databaseUrl({ ...directory, host: pooled.host, port: pooled.port }),
  }
  assert.match((await runCommand(['serve'], roles)).err, says('DATABASE_DIRECTORY_URL'))
})

test('doctor finds it', async () => {
  const { status, out } = await runCommand(['doctor'], { DATABASE_URL: databaseUrl(pooled) })
  assert.equal(status, 1)
  assert.match(out, says('DATABASE_URL'))
})
