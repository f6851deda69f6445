import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { rootCertificates, TLSSocket } from 'node:tls'
import { freePort } from '#test/app.ts'
import { runCommand } from '#test/command-line.ts'
import { testDatabase } from '#test/database.ts'
import { type Connection, openAsOwner } from './connect.ts'
import { readDatabaseUrl } from './database-url.ts'

const store = await testDatabase()
after(store.close)
const pem = (name: string) => join(import.meta.dirname, '../../../test/tls', name)
const [cert, key] = [readFileSync(pem('certificate.pem')), readFileSync(pem('key.pem'))]

const placeOf = ({ host, port }: Connection) =>
  host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }

/** The database behind TLS, as PostgreSQL speaks it, with a certificate for localhost and 127.0.0.1. */
async function behindTls({ offersTls = true } = {}): Promise<number> {
  const port = await freePort()
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    near.once('data', () => {
      near.write(offersTls ? 'S' : 'N')
      if (!offersTls) return near.destroySoon()
      const far = createConnection(placeOf(store.connection))
      const inside = new TLSSocket(near, { isServer: true, cert, key })
      for (const socket of [near, inside, far]) {
        sockets.add(socket)
        socket.on('error', () => {}).on('close', () => [inside, far].map((one) => one.destroy()))
      }
      inside.pipe(far).pipe(inside)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '0.0.0.0', resolve))
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return port
}

const port = await behindTls()
const plain = await behindTls({ offersTls: false })
const folder = mkdtempSync(join(tmpdir(), 'lead-engine-tls-'))
after(() => rmSync(folder, { recursive: true }))
const other = join(folder, 'other.pem')
writeFileSync(other, rootCertificates[0]!)
const root = pem('certificate.pem')

const { username, password, database } = store.connection
const urlOf = (host: string, at: number, query: string) =>
  `postgres://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${host}:${at}/${database}?${query}`

for (const [what, host, at, query, rejection] of [
  ['require, with any certificate', 'localhost', port, 'sslmode=require', null],
  ['require, with its authority', 'localhost', port, `sslmode=require&sslrootcert=${root}`, null],
  ['require, with another authority', 'localhost', port, `sslmode=require&sslrootcert=${other}`, /self-signed/],
  ['verify-ca, for another host', '0.0.0.0', port, `sslmode=verify-ca&sslrootcert=${root}`, null],
  ['verify-full', 'localhost', port, `sslmode=verify-full&sslrootcert=${root}`, null],
  ['verify-full, for an IP address', '127.0.0.1', port, `sslmode=verify-full&sslrootcert=${root}`, null],
  ['verify-full, for another host', '0.0.0.0', port, `sslmode=verify-full&sslrootcert=${root}`, /0\.0\.0\.0 is not in/],
  ['verify-full, with another authority', 'localhost', port, `sslmode=verify-full&sslrootcert=${other}`, /self-signed/],
  ['verify-full, with the authorities of Node', 'localhost', port, 'sslmode=verify-full', /self-signed/],
  ['require, where the server has no TLS', 'localhost', plain, 'sslmode=require', { code: 'SERVER_WITHOUT_TLS' }],
] as const) {
  test(`sslmode=${what} is ${rejection ? 'rejected' : 'let in'}`, async (t) => {
    const sql = openAsOwner(readDatabaseUrl(urlOf(host, at, query), 'DATABASE_URL'), { max: 1 })
    t.after(() => sql.end({ timeout: 0 }))
    const asked = sql`select current_database() as name`
    if (rejection) await assert.rejects(asked, rejection)
    else assert.equal((await asked)[0]!.name, database)
  })
}

test('a command works over TLS, and says what is wrong with it', async () => {
  const list = (at: number, rootCert: string) =>
    runCommand(['user', 'list'], {
      DATABASE_URL: urlOf('localhost', at, `sslmode=verify-full&sslrootcert=${rootCert}`),
    })
  const ended = await Promise.all([list(port, root), list(port, other), list(plain, root)])
  assert.deepEqual(
    ended.map(({ status, err }) => [status, err]),
    [
      [0, ''],
      [1, 'DATABASE_URL: the certificate of the server is not trusted: set sslrootcert to its authority.\n'],
      [1, 'DATABASE_URL: the server offers no TLS, which sslmode requires.\n'],
    ],
  )
})
