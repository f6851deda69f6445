import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pages } from '../server/platform/web-app/contract.ts'
import { freePort } from './app.ts'
import { root } from './service.ts'
import { until } from './until.ts'

/** The proxies of deploy/, in front of a service that is stopped: no token may be in their logs, and no query. */

const nginx = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
const caddy = readFileSync(join(root, 'deploy/Caddyfile'), 'utf8')
const token = 'Jv3kQ8xT1mZr5nWc7yBd2gHs4pLf6aKe'
const phone = '9820011223'
const paths = [`/webhook/${token}`, `/webhook/${token}?phone=${phone}`, `//webhook/${token}`, `/join/${token}`]

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-proxy-'))
const started: ChildProcess[] = []
after(async () => {
  for (const child of started.filter(({ exitCode }) => exitCode === null)) {
    child.kill()
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true })
})

const isInstalled = (program: string, option: string) => spawnSync(program, [option]).status === 0

test('both hide the tokens of all pages and webhooks', () => {
  const secret = [...Object.values(pages), '/webhook/$token'].filter((path) => path.endsWith('/$token'))
  assert.ok(secret.length > 1)
  for (const text of [nginx, caddy]) {
    const [, names] = /\((?:\?:|\?<secret>)([\w|]+)\)\//.exec(text)!
    for (const path of secret) assert.ok(names!.split('|').includes(path.split('/')[1]!), path)
  }
})

test('nginx logs no URL that is not hidden, in each of its servers', () => {
  const servers = nginx.split(/^server \{/m).slice(1)
  assert.equal(servers.length, 2)
  for (const server of servers) {
    assert.match(server, /^ {2}error_log \/dev\/null emerg;$/m)
    assert.match(server, /^ {2}access_log \S+ lead_engine;$/m)
  }
  assert.equal(nginx.match(/\b(error|access)_log /g)!.length, 4)
  const [format] = /^log_format lead_engine [^;]+;/m.exec(nginx)!
  assert.doesNotMatch(format, /\$(request\b|request_uri|uri|args|query_string|http_|arg_|document_uri)/)
})

test('Caddy logs errors and requests without secrets', () => {
  assert.equal(caddy.match(/^\t*log \{\n\t+import without_secrets\n\t*\}$/gm)!.length, 2)
  assert.equal(caddy.match(/\blog\b.*\{/g)!.length, 2)
})

test('nginx in front of a stopped service logs neither tokens nor queries', {
  skip: !isInstalled('nginx', '-v'),
}, async () => {
  const [plain, secure, stopped] = [await freePort(), await freePort(), await freePort()]
  const logs = join(folder, 'nginx')
  mkdirSync(logs)
  const shipped = nginx
    .replace('127.0.0.1:8080', `127.0.0.1:${stopped}`)
    .replaceAll('/var/log/nginx', logs)
    .replace(/listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443', `listen 127.0.0.1:${secure}`)
    .replace(/\/etc\/letsencrypt\S+fullchain.pem/, join(root, 'test/tls/certificate.pem'))
    .replace(/\/etc\/letsencrypt\S+privkey.pem/, join(root, 'test/tls/key.pem'))
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${logs}/${name};`)
  const main = `pid ${logs}/pid; error_log ${logs}/error.log; events {} http { access_log ${logs}/other.log; ${kept.join(' ')}\n${shipped}}`
  writeFileSync(join(folder, 'nginx.conf'), main)
  const child = spawn('nginx', [
    '-p',
    folder,
    '-e',
    join(logs, 'error.log'),
    '-c',
    join(folder, 'nginx.conf'),
    '-g',
    'daemon off;',
  ])
  started.push(child)
  await until(() => answers(`http://127.0.0.1:${plain}/`))
  for (const path of paths) {
    assert.equal(await post(secure, path), 503)
    await fetch(`http://127.0.0.1:${plain}${path}`, { redirect: 'manual' })
  }
  assert.equal(await post(secure, paths[0]!, { 'content-length': String(33 * 1024 * 1024) }), 413)
  await assertHidden(logs, 'POST /webhook/-" 503')
})

test('Caddy in front of a stopped service logs neither tokens nor queries', {
  skip: !isInstalled('caddy', 'version'),
}, async () => {
  const [port, admin, stopped] = [await freePort(), await freePort(), await freePort()]
  const logs = join(folder, 'caddy')
  mkdirSync(logs)
  const shipped = caddy
    .replace(/^leads.example.com \{/m, `http://127.0.0.1:${port} {`)
    .replace('127.0.0.1:8080', `127.0.0.1:${stopped}`)
    .replace(/^\{$/m, `{\n\tadmin 127.0.0.1:${admin}`)
  writeFileSync(join(folder, 'Caddyfile'), shipped)
  const env = { ...process.env, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], { env })
  started.push(child)
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
    writeFileSync(join(logs, 'stderr'), said)
  })
  await until(() => answers(`http://127.0.0.1:${port}/`))
  for (const path of paths)
    assert.equal((await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST' })).status, 503)
  await assertHidden(logs, '"uri":"/join/"')
})

const answers = (url: string) =>
  fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  )

/** Its certificate is of the tests. */
async function post(port: number, path: string, headers: Record<string, string> = {}): Promise<number> {
  const sent = request({ port, path, method: 'POST', headers, rejectUnauthorized: false })
  sent.on('error', () => {}).flushHeaders()
  if (!headers['content-length']) sent.end()
  const [answer] = await once(sent, 'response')
  sent.destroy()
  return answer.statusCode
}

/** Once `last` is logged, all are. */
async function assertHidden(logs: string, last: string) {
  const text = () =>
    readdirSync(logs, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFileSync(join(logs, name), 'utf8'))
      .join('\n')
  await until(() => text().includes(last))
  assert.ok(!text().includes(token))
  assert.ok(!text().includes(phone))
}
