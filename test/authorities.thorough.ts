/** The real service with DOMAIN: from an empty folder to a certificate, with an authority of the tests and with Pebble, if it is installed. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, type TestContext, test } from 'node:test'
import { acmeCaFile, acmeServer } from './acme-server.ts'
import { freePort } from './app.ts'
import { plainEnv, root } from './service.ts'
import { until } from './until.ts'

const domain = 'leads.example.in'
const folder = mkdtempSync(join(tmpdir(), 'lead-engine-authorities-'))
after(() => rmSync(folder, { recursive: true, force: true }))

// The host name has no DNS record: the service finds this machine there, and so do the authorities.
const dns = join(folder, 'dns.mjs')
writeFileSync(
  dns,
  `import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
const { lookup } = dns
dns.lookup = (name, ...more) => lookup(name === '${domain}' ? '127.0.0.1' : name, ...more)
syncBuiltinESMExports()
`,
)

interface Authority {
  directoryUrl: string
  /** Returns the certificate by which clients check those of the authority. */
  ca(): Promise<string>
  orders(): number
}

async function ask(port: number, path: string, options: object): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
  get({ host: '127.0.0.1', port, path, agent: false, ...options }, resolve).on('error', reject)
  return text(await promise)
}

function start(t: TestContext, program: string, args: string[], env: Record<string, string>) {
  const child = spawn(program, args, { cwd: root, env: plainEnv(env), stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (line) => said.push(line))
  t.after(() => end(child))
  return { child, said: () => said.join('') }
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

async function ours(t: TestContext, httpPort: number): Promise<Authority> {
  const acme = await acmeServer({ httpPort })
  t.after(acme.close)
  return { directoryUrl: acme.directoryUrl, ca: async () => acme.certificate, orders: () => acme.counts.orders }
}

/** Rejects a part of the nonces, waits before it validates, and forgets all when it ends. */
async function pebble(t: TestContext, httpPort: number): Promise<Authority> {
  const [port, management, names, namesManagement] = await Promise.all([1, 2, 3, 4].map(() => freePort()))
  const [certificate, privateKey] = [acmeCaFile, acmeCaFile.replace('certificate', 'key')]
  const config = {
    ...{ listenAddress: `127.0.0.1:${port}`, managementListenAddress: `127.0.0.1:${management}` },
    ...{ certificate, privateKey, httpPort, tlsPort: 1, ocspResponderURL: '', externalAccountBindingRequired: false },
  }
  writeFileSync(join(folder, 'pebble.json'), JSON.stringify({ pebble: config }))
  const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '', '-defaultIPv4', '127.0.0.1']
  start(t, 'pebble-challtestsrv', [...none, '-dns01', `:${names}`, '-management', `127.0.0.1:${namesManagement}`], {})
  const options = ['-strict', '-config', join(folder, 'pebble.json'), '-dnsserver', `127.0.0.1:${names}`]
  const { said } = start(t, 'pebble', options, { PEBBLE_WFE_NONCEREJECT: '20' })
  await until(() => said().includes('Listening on'), 'the start of Pebble')
  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    ca: () => ask(management!, '/roots/0', { ca: readFileSync(acmeCaFile) }),
    orders: () => said().split('Added order').length - 1,
  }
}

const hasPebble = ['pebble', 'pebble-challtestsrv'].every((name) => spawnSync(name, ['-h']).error === undefined)
for (const [name, open, skip] of [
  ['an authority of the tests', ours, false],
  ['Pebble', pebble, !hasPebble && 'pebble is not installed'],
] as const) {
  test(`with ${name}, an empty folder becomes a service with HTTPS, which keeps its certificate`, {
    skip,
  }, async (t) => {
    const [port, httpPort] = [await freePort(), await freePort()]
    const authority = await open(t, httpPort)
    const dataDir = mkdtempSync(join(folder, 'data-'))
    const env = {
      ...{ DOMAIN: domain, BASE_URL: `https://${domain}`, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir },
      ...{ ACME_HTTP_PORT: String(httpPort), ACME_DIRECTORY_URL: authority.directoryUrl, ACME_CA_FILE: acmeCaFile },
      ...{ WORKERS: '2', LOG_FORMAT: 'json', NODE_OPTIONS: `--import ${dns}` },
    }
    const serve = () => start(t, process.execPath, ['operations/main.ts', 'serve'], env)
    const isServed = async () => {
      const ca = await authority.ca()
      const answer = await ask(port, '/healthz', { ca, servername: domain }).catch(() => '')
      return answer.includes('alive')
    }

    const first = serve()
    await until(isServed, `HTTPS (${name})`)
    assert.equal(authority.orders(), 1)
    assert.match(first.said(), /has a certificate of 127\.0\.0\.1:/)

    const second = start(t, process.execPath, ['operations/main.ts', 'serve'], {
      ...env,
      DATA_DIR: join(folder, 'other'),
    })
    await once(second.child, 'exit')
    assert.match(second.said(), /Port \d+ on 127\.0\.0\.1 is in use, and DOMAIN needs it: stop the program/)

    await end(first.child, 'SIGKILL')
    const again = serve()
    await until(() => /runs at https:\/\/leads\.example\.in/.test(again.said()), 'the second start')
    await until(isServed, `HTTPS after a restart (${name})`)
    assert.equal(authority.orders(), 1)
    const all = first.said() + again.said()
    assert.doesNotMatch(all, /PRIVATE KEY/)
    await end(again.child)
  })
}
