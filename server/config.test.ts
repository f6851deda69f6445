import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settings } from '../operations/embedded/settings.ts'
import { countConnections, readConfig } from './config.ts'
import { misspelt, variables } from './variables.ts'

const file = (name: string) => join(import.meta.dirname, '../test/tls', name)
const tls = { TLS_CERT_FILE: file('certificate.pem'), TLS_KEY_FILE: file('key.pem') }

test('without any variable, the service listens on this machine and has its own database', () => {
  const config = readConfig({})
  const { trustProxy, metricsFrom, ...plain } = config
  assert.deepEqual(plain, {
    port: 8080,
    host: '127.0.0.1',
    baseUrl: 'http://127.0.0.1:8080',
    workers: 1,
    databasePoolSize: 10,
    redisUrl: null,
    rateLimitPerMinute: 100,
    webhookLimitPerMinute: 6000,
    webhookStorageMbPerDay: 256,
    webLimitPerMinute: 600,
    deliveryRetentionDays: 30,
    tls: null,
    automaticHttps: null,
    mail: null,
    singleSignOn: null,
    backupDir: null,
    backupKeep: 14,
    hasContinuousBackup: false,
    logLevel: 'info',
    logFormat: null,
  })
  assert.equal(trustProxy, null)
  assert.deepEqual(['127.0.0.1', '::1', '10.0.0.1'].map(metricsFrom!.includes), [true, true, false])
})

for (const [env, connections, allowed] of [
  [{}, 17, 100],
  [{ WORKERS: '4' }, 85, 105],
  [{ WORKERS: '4', DATABASE_POOL_SIZE: '20' }, 135, 155],
  [{ DATABASE_POOL_SIZE: '200' }, 207, 227],
] as const) {
  test(`${JSON.stringify(env)} opens up to ${connections} connections, and the embedded PostgreSQL allows ${allowed}`, () => {
    assert.equal(countConnections(readConfig(env)), connections)
    assert.ok(settings('/tmp', { durable: true, connections }).includes(`max_connections=${allowed}`))
  })
}

test('blank variables count as not given', () => {
  assert.equal(readConfig({ PORT: '', HOST: ' ', RATE_LIMIT_PER_MINUTE: '  ' }).port, 8080)
})

for (const [env, key, value] of [
  [{ PORT: '80' }, 'port', 80],
  [{ PORT: ' 9000 ' }, 'port', 9000],
  [{ PORT: '9000' }, 'baseUrl', 'http://127.0.0.1:9000'],
  [{ HOST: '::' }, 'baseUrl', 'http://[::]:8080'],
  [{ BASE_URL: 'https://leads.example.com/' }, 'baseUrl', 'https://leads.example.com'],
  [{ REDIS_URL: 'rediss://cache:6380/1' }, 'redisUrl', 'rediss://cache:6380/1'],
  [{ RATE_LIMIT_PER_MINUTE: '1' }, 'rateLimitPerMinute', 1],
  [{ DATABASE_POOL_SIZE: '24' }, 'databasePoolSize', 24],
  [{ WORKERS: '4' }, 'workers', 4],
  [{ LOG_LEVEL: 'debug' }, 'logLevel', 'debug'],
  [{ LOG_FORMAT: 'text' }, 'logFormat', 'text'],
  [tls, 'baseUrl', 'https://127.0.0.1:8080'],
  [{ DOMAIN: 'Leads.Example.in' }, 'baseUrl', 'https://leads.example.in'],
  [{ DOMAIN: 'leads.example.in' }, 'port', 443],
  [{ DOMAIN: 'leads.example.in', HOST: '203.0.113.5' }, 'host', '203.0.113.5'],
  [{ DOMAIN: 'leads.example.in', PORT: '8443', BASE_URL: 'https://leads.example.in:8443' }, 'port', 8443],
] as const) {
  test(`${JSON.stringify(env).slice(0, 60)} makes ${key} ${value}`, () => assert.equal(readConfig(env)[key], value))
}

for (const [url, isOpen] of [
  ['http://localhost:8080', true],
  ['http://127.8.0.1', true],
  ['http://[::1]:8080', true],
  ['https://leads.example.com', false],
  ['http://10.0.0.1:8080', false],
  ['http://127.0.0.1.example.com', false],
  ['http://0.0.0.0:8080', false],
] as const) {
  test(`with the BASE_URL ${url}, ${isOpen ? 'this machine' : 'no machine'} may read the metrics unless METRICS_FROM says so`, () => {
    const { metricsFrom } = readConfig({ BASE_URL: url })
    assert.equal(metricsFrom?.includes('127.0.0.1') ?? false, isOpen)
    assert.equal(readConfig({ BASE_URL: url, METRICS_FROM: '10.0.0.0/8' }).metricsFrom!.includes('10.1.1.1'), true)
  })
}

for (const [name, ...values] of [
  ['PORT', 'http', '-1', '65536', '80.5', '0x50', '8080a', '１２'],
  ['HOST', 'a b', '999.1.1.1', 'leads.example.com', 'http://127.0.0.1', '127.0.0.1:8080', '[::1]', 'fe80::1%eth0'],
  ['BASE_URL', 'leads.example.com', 'ftp://x', '//x', 'http://', 'javascript:alert(1)'],
  ['BASE_URL', 'https://x.example/crm', 'https://x.example//crm/', 'https://x.example/?a=1', 'https://x.example/#a'],
  ['BASE_URL', 'https://asha:secret-in-here@x.example'],
  ['REDIS_URL', 'localhost:6379', 'http://x', 'secret-in-here'],
  ['RATE_LIMIT_PER_MINUTE', '0', '-5', 'many', '1.5', '1e3', '1000001', '99999999999'],
  ['DATABASE_POOL_SIZE', '3', '501', 'ten'],
  ['WORKERS', '0', '65', 'auto', '-1'],
  ['WEBHOOK_LIMIT_PER_MINUTE', '0', 'x', '10000001'],
  ['WEB_LIMIT_PER_MINUTE', '0', 'x', '1000001'],
  ['DELIVERY_RETENTION_DAYS', '0', '3651', 'forever'],
  ['TRUST_PROXY', 'yes', 'true', '10.0.0.0/33', '10.0.0.1, proxy.local', '*'],
  ['METRICS_FROM', 'everyone', '::/129'],
  ['LOG_FORMAT', 'pretty', 'JSON'],
  ['LOG_LEVEL', 'verbose', 'INFO', '30'],
  ['SMTP_URL', 'mail.example.com:587', 'http://x', 'smtp://', 'smtp:secret-in-here', 'smtp://user:secret-in-here@'],
  ['SMTP_URL', 'smtp://secret-in-here@mail', 'smtp://x:%zzsecret-in-here@mail', 'smtps://mail/?secret-in-here=1'],
  ['MAIL_FROM', 'leads', 'Leads <leads>', 'a@x.in, b@x.in', '<leads@x.in', 'a@x.in\nBcc: b@x.in'],
  ['TLS_CERT_FILE', '/no/such/file', import.meta.filename],
  ['TLS_KEY_FILE', '/no/such/file', import.meta.filename],
  ['DOMAIN', 'localhost', '192.0.2.7', '*.example.in', 'https://leads.example.in/x', 'a.in, b.in', '-a.in', '[::1]'],
  ['ACME_EMAIL', 'leads@example.in'],
  ['ACME_HTTP_PORT', '8080'],
] as const) {
  for (const value of values) {
    test(`${name}=${value.startsWith('/') ? 'a file' : value} is rejected in one sentence that names it`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        ({ message }: Error) => {
          assert.ok(message.includes(name), message)
          assert.match(message, /^[^\n]{10,200}\.$/)
          assert.doesNotMatch(message, /secret-in-here/)
          return true
        },
      )
    })
  }
}

for (const [env, reason] of [
  [{ ...tls }, /^DOMAIN gets its own certificate, and TLS_CERT_FILE names another: remove one of them\.$/],
  [{ TRUST_PROXY: '127.0.0.1' }, /^With DOMAIN .* TRUST_PROXY names a proxy: remove one of them\.$/],
  [{ PORT: '8080' }, /^With DOMAIN .* PORT is 8080: remove PORT, or set BASE_URL too/],
  [{ BASE_URL: 'http://leads.example.in' }, /^BASE_URL is http:\/\/leads\.example\.in, and DOMAIN makes it https:/],
  [
    { BASE_URL: 'https://crm.example.in' },
    /^BASE_URL is .*crm.* and DOMAIN makes it https:\/\/leads\.example\.in: remove one/,
  ],
  [{ ACME_HTTP_PORT: '443' }, /^ACME_HTTP_PORT and PORT are both 443/],
  [{ ACME_HTTP_PORT: '0' }, /^ACME_HTTP_PORT must be a whole number from 1 to 65535/],
  [{ ACME_DIRECTORY_URL: 'http://ca.example' }, /^ACME_DIRECTORY_URL must be a URL that starts with https:/],
  [{ ACME_CA_FILE: import.meta.filename }, /^ACME_CA_FILE cannot be used: it has no certificate/],
  [{ ACME_CA_FILE: '/no/such/file' }, /^ACME_CA_FILE cannot be used: ENOENT/],
  [{ ACME_EMAIL: 'mailto:a@b.in' }, /^ACME_EMAIL must be one email address/],
] as const) {
  test(`DOMAIN with ${JSON.stringify(env).slice(0, 60)} is rejected in one sentence`, () =>
    assert.throws(() => readConfig({ DOMAIN: 'leads.example.in', ...env }), { message: reason }))
}

test('all invalid and misspelt variables are named at once, each in a sentence', () => {
  const env = {
    HOST: 'my host',
    BASE_URL: 'leads.example.com/crm',
    BACKUPDIR: '/backups',
    WORKERS: 'many',
    SMTP_URL: 'smtp://m',
  }
  assert.throws(() => readConfig(env), {
    message: [
      'BACKUPDIR is not a variable of Lead Engine: rename it to BACKUP_DIR, or remove it.',
      'HOST must be one IP address of this machine, such as 127.0.0.1, or 0.0.0.0 for all, and is "my host".',
      'BASE_URL must be a URL that starts with https:// or http://, and is "leads.example.com/crm": set it to https://leads.example.com.',
      'WORKERS must be a whole number from 1 to 64, and is "many".',
    ].join('\n'),
  })
})

for (const [name, meant] of [
  ['BACKUPDIR', 'BACKUP_DIR'],
  ['backup_dir', 'BACKUP_DIR'],
  ['BASE_URI', 'BASE_URL'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['TRUST_PROXIES_', null],
  ['TRUSTPROXYS', 'TRUST_PROXY'],
  ['SMTP_URLS', 'SMTP_URL'],
  ['METRIC_FROM', 'METRICS_FROM'],
  ['HOSTS', null],
  ['POST', null],
  ['MAILFROM', null],
  ['WORKER_DIR', null],
  ['LEAD_ENGINE_PORT', null],
  ['', null],
] as const) {
  test(`the variable ${name || 'without a name'} ${meant ? `is taken for ${meant}, unless that is set` : 'is of another program'}`, () => {
    assert.deepEqual(
      misspelt({ [name]: 'x' }),
      meant ? [`${name} is not a variable of Lead Engine: rename it to ${meant}, or remove it.`] : [],
    )
    if (meant) assert.deepEqual(misspelt({ [name]: 'x', [meant]: 'y' }), [])
  })
}

for (const [name, value, meant] of [
  ['SMTP_HOST', 'mail.example.com', 'SMTP_URL=smtp://user:password@host:port'],
  ['SMTP_SERVER', 'mail.example.com', 'SMTP_URL=smtp://user:password@host:port'],
  ['DB_URL', 'postgres://db/leads', 'DATABASE_URL'],
  ['DB_URL', 'mysql://db/shop', null],
  ['HTTP_PORT', '9000', 'PORT'],
  ['HTTP_PORT', 'tcp://10.0.0.1:80', null],
  ['DATADIR', '/mnt/leads', 'DATA_DIR'],
  ['TLS_CERT', '/etc/leads.pem', 'TLS_CERT_FILE'],
  ['TLS_KEY', '/etc/leads.key', 'TLS_KEY_FILE'],
  ['SMTP_HOST', '', null],
  ['SMTP_PORT', '25', null],
  ['DB_PORT', '5432', null],
  ['HTTPS_PORT', '443', null],
  ['SERVICE_PORT', '80', null],
  ['SSL_CERT_FILE', '/etc/ssl/cert.pem', null],
  ['XDG_DATA_DIRS', '/usr/share', null],
  ['POSTGRES_URL', 'postgres://db/shop', null],
  ['PGHOST', 'db', null],
] as const) {
  test(`the variable ${name}=${value} is ${meant ? `taken for ${meant}` : 'of another program'}`, () => {
    const sentence = `${name} is not a variable of Lead Engine: did you mean ${meant}? Rename it, or remove it.`
    assert.deepEqual(misspelt({ [name]: value }), meant ? [sentence] : [])
    const given = meant ? { [meant.split('=')[0]!]: 'y' } : {}
    assert.deepEqual(misspelt({ [name]: value, ...given }), meant === 'DATA_DIR' ? [sentence] : [])
  })
}

test('the list of variables is that of docs/configuration.md', () => {
  const rows = readFileSync(join(import.meta.dirname, '../docs/configuration.md'), 'utf8').match(/^\| `[A-Z].*$/gm)!
  assert.deepEqual(
    rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name)),
    variables,
  )
})

const mailOf = (SMTP_URL: string, others: Record<string, string> = {}) => readConfig({ SMTP_URL, ...others }).mail

test('SMTP_URL gives the mail server, and the default sender is at the domain of BASE_URL', () => {
  const server = { BASE_URL: 'https://leads.example.com:8443' }
  assert.deepEqual(mailOf('smtp://us%40er:p%2Fss@mail.example.com', server), {
    host: 'mail.example.com',
    port: 587,
    secure: false,
    auth: { user: 'us@er', pass: 'p/ss' },
    from: 'Lead Engine <no-reply@leads.example.com>',
  })
  assert.deepEqual(mailOf('smtps://[::1]', { ...server, MAIL_FROM: 'Acme Leads <leads@acme.example>' }), {
    host: '::1',
    port: 465,
    secure: true,
    auth: null,
    from: 'Acme Leads <leads@acme.example>',
  })
  assert.equal(mailOf('smtp://mail:2525/', { MAIL_FROM: 'leads@acme.example' })?.port, 2525)
  assert.throws(
    () => mailOf('smtp://mail'),
    /^Error: Set MAIL_FROM too: SMTP_URL is set, and BASE_URL has no domain name to derive the sender from\.$/,
  )
})

for (const name of ['TLS_CERT_FILE', 'TLS_KEY_FILE']) {
  test(`${name} without a file is rejected with the name of the variable`, () => {
    const env = { TLS_CERT_FILE: import.meta.filename, TLS_KEY_FILE: import.meta.filename, [name]: '/no/such/file' }
    assert.throws(() => readConfig(env), new RegExp(`^Error: ${name} names /no/such/file`))
  })
}
