import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readDatabaseSettings } from './database-settings.ts'
import { readDatabaseUrl, writeDatabaseUrl } from './database-url.ts'

const pem = (name: string) => join(import.meta.dirname, '../../../test/tls', name)
const certificate = pem('certificate.pem')
const read = (url: string) => readDatabaseUrl(url, 'DATABASE_URL')

for (const [url, ...expected] of [
  ['postgres://a:b@db/leads', 'db', 5432, 'a', 'b', 'leads'],
  ['postgresql://a@db:6000', 'db', 6000, 'a', '', 'postgres'],
  ['postgres://a:b@[::1]/leads', '::1', 5432, 'a', 'b', 'leads'],
  ['postgres://a:b@[2001:db8::5]:6000/leads', '2001:db8::5', 6000, 'a', 'b', 'leads'],
  ['postgres:///leads?host=::1&port=6000&user=a&password=p%25%40', '::1', 6000, 'a', 'p%@', 'leads'],
  ['postgres://a%40x:b%2Fc%3A@db/my%20leads', 'db', 5432, 'a@x', 'b/c:', 'my leads'],
  ['postgres://a@localhost/leads?host=/var/run/postgresql', '/var/run/postgresql', 5432, 'a', '', 'leads'],
  ['postgres://a@%2Fvar%2Frun%2Fpostgresql/leads', '/var/run/postgresql', 5432, 'a', '', 'leads'],
  ['postgres://a:p@ss @db/leads', 'db', 5432, 'a', 'p@ss ', 'leads'],
  ['postgres://db:6000/leads?user=a@x', 'db', 6000, 'a@x', '', 'leads'],
  ['postgres:///?user=a@x', 'localhost', 5432, 'a@x', '', 'postgres'],
  ['postgres:///?dbname=leads', 'localhost', 5432, 'postgres', '', 'leads'],
  ['postgres://a@db/leads?sslmode=disable&channel_binding=prefer', 'db', 5432, 'a', '', 'leads'],
] as const) {
  test(`${url} is read as libpq reads it`, () => {
    const { host, port, username, password, database, ...rest } = read(url)
    assert.deepEqual([host, port, username, password, database], expected)
    assert.deepEqual(rest, {})
  })
}

for (const [name, connection] of Object.entries({
  'a host': { host: 'db', port: 6000, username: 'a', password: 'b', database: 'leads' },
  'an IP address': { host: '2001:db8::5', port: 5432, username: 'a', password: 'b', database: 'leads' },
  'a socket': {
    host: '/srv/lead engine/data',
    port: 5432,
    username: 'a@x',
    password: 'p%25 +&/:?#',
    database: 'my leads',
  },
})) {
  test(`the URL of ${name} is read as it was written`, () => {
    for (const like of [
      'postgres://owner:secret@db.example.com/other',
      'postgres:///?user=owner&password=secret&port=1',
    ]) {
      const url = writeDatabaseUrl(connection, like)
      assert.deepEqual(read(url), connection)
      assert.ok(!url.includes('owner') && !url.includes('secret'), url)
    }
  })
}

test('a written URL has the TLS parameters of the other one', () => {
  const like = `postgres://owner:secret@db/leads?sslmode=verify-ca&sslrootcert=${certificate}`
  const signIn = { host: 'db', port: 5432, username: 'a', password: 'b', database: 'leads' }
  const { ssl, ...rest } = read(writeDatabaseUrl(signIn, like))
  assert.deepEqual(rest, signIn)
  assert.equal((ssl as Tls).rejectUnauthorized, true)
  assert.notEqual((ssl as Tls).ca, undefined)
})

type Tls = {
  ca?: unknown
  cert?: unknown
  rejectUnauthorized: boolean
  checkServerIdentity(n: string, c: object): unknown
}
const other = { subject: { CN: 'other' }, subjectaltname: 'DNS:other' }

for (const [query, isVerified, namesAreChecked, hasRoot] of [
  ['sslmode=require', false, false, false],
  [`sslmode=require&sslrootcert=${certificate}`, true, false, true],
  [`sslmode=verify-ca&sslrootcert=${certificate}`, true, false, true],
  ['sslmode=verify-full', true, true, false],
  [`sslmode=verify-full&sslrootcert=${certificate}`, true, true, true],
  ['sslmode=verify-full&sslrootcert=system', true, true, true],
  ['sslrootcert=system', true, true, true],
] as const) {
  test(`${query.replace(certificate, 'a file')} checks what libpq checks`, () => {
    const ssl = read(`postgres://a:b@db/leads?${query}`).ssl as Tls
    assert.equal(ssl.rejectUnauthorized, isVerified)
    assert.equal(ssl.checkServerIdentity('localhost', other) instanceof Error, namesAreChecked)
    assert.equal(ssl.checkServerIdentity('localhost', { ...other, subjectaltname: 'DNS:db' }), undefined)
    assert.equal(ssl.ca !== undefined, hasRoot)
  })
}

test('an IP address is looked for in the certificate as well', () => {
  const ssl = read('postgres://a:b@[::1]/leads?sslmode=verify-full').ssl as Tls
  assert.ok(ssl.checkServerIdentity('localhost', { subject: {}, subjectaltname: 'DNS:localhost' }) instanceof Error)
  assert.equal(
    ssl.checkServerIdentity('localhost', { subject: {}, subjectaltname: 'IP Address:0:0:0:0:0:0:0:1' }),
    undefined,
  )
})

test('prefer is encrypted where the server can be, and a certificate of our own is sent', () => {
  assert.equal(read('postgres://a@db/x?sslmode=prefer').ssl, 'prefer')
  const ssl = read(`postgres://a@db/x?sslmode=require&sslcert=${certificate}&sslkey=${pem('key.pem')}`).ssl as Tls
  assert.ok(ssl.cert)
})

for (const [url, said] of [
  ['mysql://x/y', /postgres:\/\//],
  ['localhost:5432', /postgres:\/\//],
  ['secret-in-here', /postgres:\/\//],
  ['postgres://a:secret-in-here@db/x?sslmode=full', /sslmode/],
  ['postgres://a:secret-in-here@db/x?sslmode=verify-ca&sslrootcert=/no/such/file', /\/no\/such\/file as sslrootcert/],
  [`postgres://a@db/x?sslmode=verify-ca&sslrootcert=${import.meta.filename}`, /certificates/],
  [`postgres://a@db/x?sslrootcert=${certificate}`, /sslrootcert, which needs sslmode/],
  [`postgres://a@db/x?sslmode=prefer&sslrootcert=${certificate}`, /sslrootcert, which needs sslmode/],
  ['postgres://a@db/x?sslmode=require&sslrootcert=system', /verify-full/],
  [`postgres://a@db/x?sslmode=require&sslcert=${certificate}`, /both sslcert and sslkey/],
  ['postgres://a@x/x?host=/tmp&sslmode=require', /socket/],
  ['postgres://a@db/x?sslcrl=revoked.pem', /the parameter sslcrl, which is not supported/],
  ['postgres://a@db/x?channel_binding=require', /channel_binding/],
  ['postgres://a@db/x?target_session_attrs=any', /target_session_attrs/],
  ['postgres://a@one,two/x', /several hosts|postgres:\/\//],
  ['postgres://a@db/x?host=one,two', /several hosts/],
  ['postgres://a@db/x?port=0', /port/],
  ['postgres://a@db/x?port=many', /port/],
  ['postgres://a:secret-in-here%zz@db/x', /password that .* write % as %25/],
  ['postgres://a:p#secret-in-here@db/x', /as %2F, %3F, %23, %40 and %25/],
  ['postgres://a:12#secret-in-here@db/x', /as %2F/],
  ['postgres://a:12/secret-in-here@db/x', /as %2F/],
  ['postgres://a:12?secret-in-here@db/x?sslmode=require', /as %2F/],
  ['postgres://a:p@b/secret-in-here@db/x', /as %2F/],
  ['postgres://a:p/secret-in-here=@db/x', /as %2F/],
] as const) {
  test(`${url.replace(import.meta.filename, 'a file').replace(certificate, 'a file')} stops the start with one sentence`, () => {
    for (const name of ['DATABASE_URL', 'DATABASE_APP_URL']) {
      assert.throws(
        () => readDatabaseSettings({ [name]: url }),
        ({ message }: Error) => {
          assert.ok(message.startsWith(name), message)
          assert.match(message, said)
          assert.match(message, /^[^\n]{10,400}\.$/)
          assert.doesNotMatch(message, /secret-in-here/)
          return true
        },
      )
    }
  })
}

test('the password of DATABASE_URL may be in a file', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lead-engine-password-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'password')
  const url = 'postgres://a@db/leads'
  const password = (env: Record<string, string>) =>
    readDatabaseSettings({ DATABASE_PASSWORD_FILE: file, ...env }).owner?.password
  assert.throws(() => password({ DATABASE_URL: url }), /^Error: DATABASE_PASSWORD_FILE cannot be read \(ENOENT.*\)\.$/)
  writeFileSync(file, '\n')
  assert.throws(() => password({ DATABASE_URL: url }), /^Error: DATABASE_PASSWORD_FILE is .*, which is empty: .*\.$/)
  writeFileSync(file, ' p:%25 \n')
  assert.equal(password({ DATABASE_URL: url }), ' p:%25 ')
  assert.throws(() => password({}), /^Error: DATABASE_PASSWORD_FILE needs DATABASE_URL/)
  assert.throws(
    () => password({ DATABASE_URL: 'postgres://a:b@db/leads' }),
    /has a password too: remove one of them\.$/,
  )
})
