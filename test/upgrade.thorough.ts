import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { stage } from '../release/stage.ts'
import { freePort } from './app.ts'
import { databaseUrl } from './command-line.ts'
import { testDatabase } from './database.ts'
import { ask } from './people.ts'
import { onOlderNode, plainEnv, root } from './service.ts'
import { until } from './until.ts'

/** Releases are unpacked folders with the packages of this checkout; a program in the place of systemctl starts real services. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lead-engine-upgrade-')))
after(() => rmSync(folder, { recursive: true, force: true }))
const first = join(folder, 'first')
mkdirSync(first)
stage(first)
mkdirSync(join(first, 'node_modules'))
// With the program that builds the web app, it would be built.
for (const name of readdirSync(join(root, 'node_modules')).filter((name) => name !== 'vite'))
  symlinkSync(join(root, 'node_modules', name), join(first, 'node_modules', name))
setCommit(first, 'a')

function setCommit(release: string, digit: string) {
  const file = join(release, 'package.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), gitHead: digit.repeat(40) }))
}

/** A later release, with more migrations and other files. */
function release(digit: string, files: Record<string, string>): string {
  const path = join(folder, `release-${digit}`)
  cpSync(first, path, { recursive: true, verbatimSymlinks: true })
  setCommit(path, digit)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
  return path
}
const migration = (name: string) => `server/platform/database/migrations/${name}.sql`
const fine = { [migration('9996_score')]: '-- compatible: yes\nalter table leads add column score integer;\n' }
const breaking = {
  ...fine,
  [migration('9997_town')]: '-- compatible: no\nalter table webhooks add column town text not null default $$x$$;\n',
}
const failsToServe = {
  'operations/commands/run-service.js': 'export const runService = async () => process.exit(1)\n',
}
const nameOf = (digit: string) => new RegExp(`^\\d+\\.\\d+\\.\\d+\\+${digit.repeat(8)}$`)

/** A server with the first release, whose service runs, in a root folder of its own. */
async function server(settings: Record<string, string> = {}) {
  const at = mkdtempSync(join(folder, 'server-'))
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const put = (file: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(at, file)), { recursive: true })
    writeFileSync(join(at, file), text)
    chmodSync(join(at, file), mode)
  }
  put('etc/passwd', `lead-engine:x:${process.getuid?.()}:${process.getgid?.()}::/:/bin/false\n`)
  mkdirSync(join(at, 'run/systemd/system'), { recursive: true })
  const serviceSettings = { PORT: port, BASE_URL: url, RATE_LIMIT_PER_MINUTE: '100000', ...settings }
  const inService = Object.entries({ ...serviceSettings, DATA_DIR: join(at, 'var/lib/lead-engine') })
  put(
    'bin/systemctl',
    `#!/bin/sh
cd ${at}
alive() { [ -s pid ] && ps -o stat= -p "$(cat pid)" | grep -qv Z; }
case $1 in
  show) if alive; then echo active; elif [ -s pid ]; then echo failed; else echo inactive; fi ;;
  start)
    env -i PATH="$PATH" ${inService.map(([name, value]) => `${name}='${value}'`).join(' ')} \\
      setsid opt/lead-engine/current/bin/lead-engine.js serve < /dev/null >> log 2>&1 &
    echo $! > pid ;;
  stop) alive && kill "$(cat pid)"; while alive; do sleep 0.05; done; rm -f pid ;;
esac
`,
    0o755,
  )
  const env = plainEnv({ PATH: `${join(at, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}` })
  const program = join(at, 'opt/lead-engine/current/bin/lead-engine.js')
  const start = (command: string, ...args: string[]) => {
    const child = spawn(command, args, { env, detached: true })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    return { child, ended: ended.then((status) => ({ status, said })) }
  }
  const upgrade = (...args: string[]) => start(program, 'upgrade', '--root', at, ...args).ended
  const systemctl = (word: string) => start(join(at, 'bin/systemctl'), word).ended
  after(() => systemctl('stop'))

  const installed = await start(join(first, 'bin/lead-engine.js'), 'install', '--root', at).ended
  assert.equal(installed.status, 0, installed.said)
  put(
    'etc/lead-engine/environment',
    Object.entries(serviceSettings)
      .map((pair) => pair.join('='))
      .join('\n'),
    0o600,
  )
  const account = ['--account', 'Acme', '--email', 'a@x.example', '--name', 'A', '--json']
  const made = await start('env', ...inService.map((pair) => pair.join('=')), program, 'setup', ...account).ended
  const key: string = JSON.parse(made.said.trim().split('\n').at(-1)!).api_key
  await systemctl('start')
  const answers = async () => ask(url, null, 'GET', '/readyz').catch(() => null)
  const isReady = async () => (await answers())?.status === 200
  await until(isReady)
  return {
    at,
    startUpgrade: (path: string) => start(program, 'upgrade', '--root', at, path),
    startUpgradeOnOlderNode: (path: string) =>
      start(process.execPath, ...onOlderNode, program, 'upgrade', '--root', at, path),
    upgrade,
    systemctl,
    isReady,
    version: async () => {
      const { version, commit } = (await answers())?.body ?? {}
      return `${version}+${commit}`
    },
    add: async (name: string) => {
      const added = await ask(url, key, 'POST', '/api/v1/leads', { name, email: `${crypto.randomUUID()}@example.com` })
      assert.equal(added.status, 201)
    },
    leads: async () => {
      const { body } = await ask(url, key, 'GET', '/api/v1/leads?limit=100')
      return body.data.map(({ name }: { name: string }) => name).sort()
    },
    releases: () => readdirSync(join(at, 'opt/lead-engine/releases')).sort(),
    record: join(at, 'opt/lead-engine/upgrade.json'),
  }
}

test('an upgrade with data, one that fails at each step, and back', { timeout: 600_000 }, async (t) => {
  const { upgrade, version, add, leads, releases, record } = await server()
  assert.match(await version(), nameOf('a'))
  await add('Before')

  await t.test('upgrade', async () => {
    const { status, said } = await upgrade(release('b', breaking))
    assert.equal(status, 0, said)
    assert.match(await version(), nameOf('b'))
    assert.deepEqual(await leads(), ['Before'])
    assert.equal(releases().length, 2)
    assert.match(said, /Migrating the database: 2 migrations\nThe data from before is saved in \S+before-migration/)
    const again = await upgrade(join(folder, 'release-b'))
    assert.match(again.said, /is the current one already: nothing was changed\.$/m)
    await add('After')
  })

  await t.test('back', async () => {
    const rejected = await upgrade('--back')
    assert.equal(rejected.status, 1)
    assert.match(
      rejected.said,
      /cannot use the database as it is\. To lose everything since the upgrade, .*add --yes\./,
    )
    assert.match(await version(), nameOf('b'))
    const { status, said } = await upgrade('--back', '--yes')
    assert.equal(status, 0, said)
    assert.match(await version(), nameOf('a'))
    assert.deepEqual([await leads(), releases().length], [['Before'], 1])
    assert.match((await upgrade('--back')).said, /No earlier version is kept here/)
  })

  const wrong = { [migration('9998_wrong')]: '-- compatible: no\nselect wrong;\n' }
  const endsAtOnce = { 'operations/commands/serve.js': 'export const serveCommand = () => process.exit(1)\n' }
  const checks = [{ name: 'schema', ok: false, checked: true, message: 'It is broken.', fix: null }]
  // Not before the upgrade, which would change nothing.
  const failsItsCheck = {
    'operations/doctor/diagnose.js': `import { existsSync } from 'node:fs'
export const diagnose = async () => (existsSync(${JSON.stringify(record)}) ? ${JSON.stringify(checks)} : [])\n`,
  }
  const failing: [digit: string, files: Record<string, string>, reason: RegExp, restores: boolean][] = [
    ['c', { ...breaking, ...wrong }, /Migration 9998_wrong\.sql failed/, true],
    // What was applied before it is compatible.
    ['d', { ...fine, ...wrong }, /Migration 9998_wrong\.sql failed/, false],
    ['e', { ...breaking, ...endsAtOnce }, /doctor of version \S+: it ended with status 1/, false],
    ['f', { ...breaking, ...failsItsCheck }, /doctor of version \S+: It is broken/, true],
    ['9', { ...breaking, ...failsToServe }, /is not ready: the service ended/, true],
  ]
  for (const [digit, files, reason, restores] of failing) {
    await t.test(`fails: ${reason.source}`, async () => {
      const { status, said } = await upgrade(release(digit, files))
      assert.equal(status, 1, said)
      assert.match(said, reason)
      assert.equal(/Restoring the data/.test(said), restores, said)
      assert.match(await version(), nameOf('a'))
      assert.deepEqual([await leads(), releases().length], [['Before'], 1])
      assert.ok(!existsSync(record))
    })
  }
})

test('after a kill the version from before starts with all data, and the next upgrade cleans up', {
  timeout: 600_000,
}, async () => {
  const { at, startUpgrade, upgrade, systemctl, isReady, version, add, leads, releases, record } = await server()
  await add('Before')
  // Killed while doctor of the new version runs for the second time: the database is migrated.
  const hangs = {
    ...breaking,
    'operations/doctor/diagnose.js': `import { existsSync, writeFileSync } from 'node:fs'
export async function diagnose() {
  if (!existsSync(${JSON.stringify(record)})) return []
  writeFileSync(${JSON.stringify(join(at, 'in doctor'))}, '')
  await new Promise(() => setInterval(() => {}, 1000))
}\n`,
  }
  const hanging = release('1', hangs)
  const stopped = startUpgrade(hanging)
  await until(() => existsSync(join(at, 'in doctor')))
  stopped.child.kill('SIGINT')
  const interrupted = await stopped.ended
  assert.equal(interrupted.status, 1)
  assert.match(interrupted.said, /failed: it was stopped\. Version \S+\+aaaaaaaa is the current one, as before\.$/m)
  assert.match(await version(), nameOf('a'))
  assert.deepEqual([await leads(), existsSync(record)], [['Before'], false])

  rmSync(join(at, 'in doctor'))
  const { child, ended } = startUpgrade(hanging)
  await until(async () => existsSync(join(at, 'in doctor')))
  const second = await upgrade(release('2', fine))
  assert.match(second.said, /lead-engine upgrade is running: wait until it has ended/)
  child.kill('SIGKILL')
  await ended
  assert.ok(existsSync(record))
  await systemctl('start')
  await until(isReady)
  assert.match(await version(), nameOf('a'))
  assert.deepEqual(await leads(), ['Before'])
  await add('Since')
  await systemctl('stop')
  await systemctl('start')
  await until(isReady)
  assert.deepEqual(await leads(), ['Before', 'Since'])

  const { status, said } = await upgrade(join(folder, 'release-2'))
  assert.equal(status, 0, said)
  assert.match(said, /The upgrade to version \S+\+11111111 was interrupted/)
  assert.match(await version(), nameOf('2'))
  assert.deepEqual([await leads(), releases().length, existsSync(record)], [['Before', 'Since'], 2, false])
  // Nothing is lost on the way back from compatible migrations.
  const back = await upgrade('--back')
  assert.equal(back.status, 0, back.said)
  assert.deepEqual([await leads(), nameOf('a').test(await version())], [['Before', 'Since'], true])
})

test('any process of an upgrade is killed during a migration: the next start has the version and data from before', {
  timeout: 900_000,
}, async (t) => {
  const { at, startUpgrade, startUpgradeOnOlderNode, systemctl, isReady, version, add, leads } = await server()
  await add('Before')
  const started = join(at, 'migrating')
  const slow = release('5', {
    ...fine,
    [migration('9997_slow')]: `-- compatible: no
alter table webhooks add column town text not null default $$x$$;
copy (select) to program $$touch '${started}'$$;
select pg_sleep(3600);
`,
  })
  const running = (mark: RegExp) =>
    execFileSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(at) && mark.test(line))
      .map((line) => Number.parseInt(line, 10))
  const marks = {
    step: /bin\/lead-engine\.js migrate --json/,
    postmaster: /^ *\d+ \S+bin\/postgres -D /,
    watcher: /read -r line/,
  }

  for (const name of ['upgrade', 'launcher', 'step', 'postmaster', 'watcher'] as const)
    await t.test(name, async () => {
      const { child, ended } = name === 'launcher' ? startUpgradeOnOlderNode(slow) : startUpgrade(slow)
      // An upgrade takes longer than a minute on a busy machine.
      while (!existsSync(started)) await sleep(20)
      rmSync(started)
      const victim = name === 'upgrade' || name === 'launcher' ? child.pid! : running(marks[name])[0]!
      process.kill(victim, 'SIGKILL')
      // Without it, the migration goes on.
      if (name === 'watcher') child.kill('SIGKILL')
      if (name === 'upgrade' || name === 'watcher') await systemctl('start')
      else if (name !== 'launcher') assert.match((await ended).said, /is the current one, as before\.$/m)
      while (!(await isReady())) await sleep(20)
      await ended
      assert.match(await version(), nameOf('a'))
      assert.deepEqual([await leads(), running(marks.step), running(marks.postmaster).length], [['Before'], [], 1])
    })
})

test('an upgrade without the packages for traces changes nothing, and finds those beside the releases', {
  timeout: 600_000,
}, async () => {
  const { at, upgrade, version } = await server({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  const path = release('6', fine)
  rmSync(join(path, 'node_modules/@opentelemetry'))
  const { status, said } = await upgrade(path)
  assert.equal(status, 1, said)
  assert.match(said, /before you upgrade: .* packages for traces are not installed\. Run the command under Traces/)
  assert.doesNotMatch(said, /Stopped the service/)
  assert.match(await version(), nameOf('a'))
  mkdirSync(join(at, 'opt/lead-engine/node_modules'))
  symlinkSync(join(root, 'node_modules/@opentelemetry'), join(at, 'opt/lead-engine/node_modules/@opentelemetry'))
  const done = await upgrade(path)
  assert.equal(done.status, 0, done.said)
  assert.match(await version(), nameOf('6'))
})

test('a PostgreSQL of your own is saved and restored too, and a service that is no unit is not touched', {
  timeout: 600_000,
}, async (t) => {
  const store = await testDatabase()
  t.after(store.close)
  await store.owner.unsafe('drop schema public cascade; create schema public; create table notes (note text)')
  const { at, startUpgrade, upgrade, systemctl, isReady, version, add, leads } = await server({
    DATABASE_URL: databaseUrl(store.connection),
  })
  await add('Before')
  const { status, said } = await upgrade(release('3', { ...breaking, ...failsToServe }))
  assert.equal(status, 1, said)
  assert.match(said, /Restoring the data from \S+before-upgrade/)
  assert.match(await version(), nameOf('a'))
  assert.deepEqual([await leads(), (await store.owner`select from notes`).length], [['Before'], 0])

  const slow = '-- compatible: no\nselect pg_sleep(20);\n'
  const killed = startUpgrade(release('7', { ...breaking, [migration('9998_slow')]: slow }))
  await until(async () => (await store.owner`select from migrations where file = '9997_town.sql'`).length > 0)
  killed.child.kill('SIGKILL')
  await killed.ended
  await systemctl('start')
  await until(isReady)
  assert.match(await version(), nameOf('a'))
  assert.deepEqual([await leads(), (await store.owner`select from notes`).length], [['Before'], 0])

  rmSync(join(at, 'run/systemd'), { recursive: true })
  const rejected = await upgrade(release('4', fine))
  assert.match(rejected.said, /A Lead Engine runs at \S+, and not as lead-engine\.service: stop it/)
  assert.match(await version(), nameOf('a'))
  await systemctl('stop')
  const done = await upgrade(join(folder, 'release-4'))
  assert.equal(done.status, 0, done.said)
  assert.match(done.said, /The service did not run: start it\./)
  await systemctl('start')
  await until(async () => nameOf('4').test(await version()))
  assert.deepEqual(await leads(), ['Before'])
})
