import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '#test/app.ts'
import { root as checkout } from '#test/service.ts'
import { checkInstalled } from './check-installed.ts'
import { backupWarning, install, uninstall } from './install.ts'
import { placesIn } from './places.ts'
import { readSettings } from './settings-file.ts'
import { startInstalled } from './start-installed.ts'
import { environmentOf, foldersPart, writableFolders } from './unit.ts'

const folder = mkdtempSync(join(tmpdir(), 'lead-engine-install-'))
after(() => rmSync(folder, { recursive: true }))

function put(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** What a release is recognised by, with the real files for servers. */
function release(name: string, version = '1.0.0') {
  const path = join(folder, name)
  put(join(path, 'package.json'), JSON.stringify({ name: 'lead-engine', version, gitHead: '0123456789abcdef' }))
  put(join(path, 'operations/main.js'), '')
  put(join(path, 'node_modules/.package-lock.json'), '{}')
  cpSync(join(checkout, 'deploy'), join(path, 'deploy'), { recursive: true })
  return path
}
const first = release('first')

/** The root folder of another machine, where this user is the user of the service. */
function machine() {
  const places = placesIn(mkdtempSync(join(folder, 'machine-')))
  mkdirSync(places.at('/var/lib'), { recursive: true })
  put(
    places.at('/etc/passwd'),
    `lead-engine:x:${process.getuid?.()}:${process.getgid?.()}::/var/lib/lead-engine:/bin/false\n`,
  )
  return places
}

function setSettings(places: ReturnType<typeof machine>, text: string) {
  writeFileSync(places.settings, `BASE_URL=https://leads.acme.example\n${text}\n`)
}

const run = (places: ReturnType<typeof machine>, dryRun = false) => {
  const lines: string[] = []
  install(places, first, { dryRun, report: (line) => lines.push(line.replaceAll(places.root, '')) })
  return lines
}
const problems = async (places: ReturnType<typeof machine>) => {
  const checks = await checkInstalled(places, first, () => {})
  return checks.filter(({ ok }) => !ok).map(({ name, message }) => `${name}: ${message.replaceAll(places.root, '')}`)
}

const settings: [text: string, read: object | RegExp][] = [
  ['# note\n; note\n\nA=1\n B = 2 ', /^Line 5: write NAME=value/],
  ['A=1\nB=two words \nC="x y"\nD=\'#\'\nE=a#b\nF=', { A: '1', B: 'two words', C: 'x y', D: '#', E: 'a#b', F: '' }],
  ['A=x\nexport B=y\nC="a\\"b"\nD=a\\', /^Lines 2, 3, 4: write NAME=value/],
  ['URL=postgres://a:b%20@h/x?y=z', { URL: 'postgres://a:b%20@h/x?y=z' }],
]
for (const [text, read] of settings) {
  test(`settings ${JSON.stringify(text)}`, () => {
    if (read instanceof RegExp) assert.throws(() => readSettings(text), { message: read })
    else assert.deepEqual(readSettings(text), read)
  })
}

test('the part of the unit for folders quotes what systemd would read otherwise, and is read back', () => {
  const places = machine()
  const folders = ['/mnt/b', '/mnt/my disk', '/mnt/100%', '/mnt/a"b']
  put(places.unitFolders, foldersPart(folders)!)
  put(places.unit, readFileSync(join(first, 'deploy/lead-engine.service'), 'utf8'))
  assert.match(
    readFileSync(places.unitFolders, 'utf8'),
    /^ReadWritePaths=-\/mnt\/b "-\/mnt\/my disk" -\/mnt\/100%% "-\/mnt\/a\\"b"$/m,
  )
  assert.deepEqual(writableFolders(places), ['/var/lib/lead-engine', ...folders])
  put(join(dirname(places.unitFolders), 'last.conf'), '[Service]\nReadWritePaths=\nReadWritePaths=/srv\n')
  assert.deepEqual(writableFolders(places), ['/var/lib/lead-engine', '/srv'])
  assert.equal(foldersPart([]), null)
})

test('the unit of deploy/ sets the environment of the service', () => {
  const { DATA_DIR, MALLOC_ARENA_MAX, NODE_OPTIONS } = environmentOf(
    readFileSync(join(first, 'deploy/lead-engine.service'), 'utf8'),
  )
  assert.deepEqual([DATA_DIR, MALLOC_ARENA_MAX, NODE_OPTIONS], ['/var/lib/lead-engine', '1', '--max-semi-space-size=8'])
})

test('a release is installed, checked, corrected and removed, and data stays', async () => {
  const places = machine()
  const made = [
    'version 1.0.0+01234567 in /opt/lead-engine',
    '/etc/lead-engine',
    '/etc/lead-engine/environment',
    '/var/lib/lead-engine',
    'BACKUP_DIR /var/lib/lead-engine-backups',
    '/etc/systemd/system/lead-engine.service',
    '/etc/systemd/system/lead-engine.service.d/folders.conf',
    '/usr/local/bin/lead-engine',
  ]
  assert.deepEqual(
    run(places, true),
    made.map((what) => `Would make ${what}`),
  )
  assert.equal(existsSync(places.programs), false)
  assert.deepEqual(
    run(places),
    made.map((what) => `Made ${what}`),
  )
  assert.deepEqual(run(places), [])
  assert.deepEqual(await problems(places), ['settings: BASE_URL is still that of the example.'])
  assert.equal(readFileSync(places.unit, 'utf8'), readFileSync(join(checkout, 'deploy/lead-engine.service'), 'utf8'))
  assert.ok(existsSync(join(places.programs, 'current/operations/main.js')))

  setSettings(places, 'SMTP_URL=smtp://mail.example.com\nBACKUP_DIR=/var/lib/lead-engine-backups')
  chmodSync(places.settings, 0o644)
  writeFileSync(places.unit, '[Unit]\n')
  assert.deepEqual(await problems(places), [
    'settings_file: /etc/lead-engine/environment has mode 0644, not 0600.',
    'unit: /etc/systemd/system/lead-engine.service is not that of this version.',
    'writable: DATA_DIR is /var/lib/lead-engine, which the unit makes read-only: it has no ReadWritePaths for it.',
  ])
  assert.deepEqual(run(places), [
    'Corrected /etc/lead-engine/environment, which has mode 0644, not 0600',
    'Corrected /etc/systemd/system/lead-engine.service, which is not that of this version',
  ])
  assert.deepEqual(await problems(places), [])
  assert.match(readFileSync(places.settings, 'utf8'), /SMTP_URL/)

  assert.throws(
    () => install(places, release('second', '2.0.0'), { dryRun: false, report: () => {} }),
    /run lead-engine upgrade with the package of version 2\.0\.0/,
  )

  put(places.at('/var/lib/lead-engine/postgres/PG_VERSION'), '18')
  const removed: string[] = []
  const [stays, howToDelete] = uninstall(places, (line) => removed.push(line.replaceAll(places.root, '')))
  assert.deepEqual(removed, [
    '/etc/systemd/system/lead-engine.service removed',
    '/etc/systemd/system/lead-engine.service.d/folders.conf removed',
    '/usr/local/bin/lead-engine removed',
    '/opt/lead-engine removed',
  ])
  assert.match(stays!, /^Your data stays: \S+\/var\/lib\/lead-engine, \S+environment\. The user lead-engine owns it/)
  assert.match(howToDelete!, /rm -r \S+\/var\/lib\/lead-engine \S+environment && userdel/)
  assert.ok(existsSync(places.at('/var/lib/lead-engine/postgres/PG_VERSION')) && existsSync(places.settings))
})

test('the unit may write to the folders in the settings, which are made below a folder that exists', async () => {
  const places = machine()
  run(places)
  setSettings(places, 'BACKUP_DIR=/mnt/disk/leads')
  const unmounted = 'backup_dir: BACKUP_DIR /mnt/disk/leads has no folder above it.'
  assert.ok((await problems(places)).includes(unmounted))
  assert.throws(() => run(places), /mount its disk, or create \S+\/mnt\/disk/)
  assert.equal(existsSync(places.at('/mnt')), false)

  mkdirSync(places.at('/mnt/disk'), { recursive: true })
  assert.deepEqual(run(places), [
    'Made BACKUP_DIR /mnt/disk/leads',
    'Corrected /etc/systemd/system/lead-engine.service.d/folders.conf, which does not fit the settings',
  ])
  assert.equal(statSync(places.at('/mnt/disk/leads')).mode & 0o777, 0o700)
  assert.deepEqual(await problems(places), [])
  put(join(dirname(places.unitFolders), 'override.conf'), '[Service]\nReadWritePaths=/elsewhere\n')
  assert.deepEqual(await problems(places), [])

  mkdirSync(places.at('/srv'))
  put(places.at('/srv/key'), 'a'.repeat(64))
  setSettings(places, `CONTINUOUS_BACKUP=/srv/leads\nCONTINUOUS_BACKUP_KEY_FILE=${places.at('/srv/key')}`)
  assert.ok(run(places).includes('Made CONTINUOUS_BACKUP /srv/leads'))
  assert.match(readFileSync(places.unitFolders, 'utf8'), /^ReadWritePaths=.*\/srv\/leads/m)
  setSettings(places, 'CONTINUOUS_BACKUP=s3://bucket')
  assert.match((await problems(places)).join(), /settings: .*CONTINUOUS_BACKUP_KEY_FILE/)

  setSettings(places, 'BACKUP_DIR=/home/leads')
  assert.match((await problems(places)).join(), /is in \/home, which the unit hides from the service\./)
  setSettings(places, 'PORT=x\nBACKUPDIR=/mnt')
  assert.match((await problems(places)).join(), /settings: BACKUPDIR is not a variable .* PORT must be a whole number/)
  setSettings(places, 'A="')
  assert.deepEqual(await problems(places), [
    'settings: /etc/lead-engine/environment: Line 2: write NAME=value, or NAME="value", without backslashes and without quotes in the value.',
  ])
  setSettings(places, '')
  run(places)
  assert.equal(existsSync(places.unitFolders), false)
})

test('with a domain, the settings have it instead of a proxy, and the service may use ports 80 and 443', async () => {
  const places = machine()
  const options = { dryRun: false, report: () => {} }
  assert.throws(() => install(places, first, { ...options, domain: 'leads' }), /^Error: DOMAIN must be one host name/)
  assert.equal(existsSync(places.settings), false)
  install(places, first, { ...options, domain: 'leads.acme.example' })
  const { DOMAIN, BASE_URL, TRUST_PROXY } = readSettings(readFileSync(places.settings, 'utf8'))
  assert.deepEqual([DOMAIN, BASE_URL, TRUST_PROXY], ['leads.acme.example', undefined, undefined])
  assert.deepEqual(await problems(places), [])
  assert.match(
    readFileSync(places.unitPorts, 'utf8'),
    /\nAmbientCapabilities=CAP_NET_BIND_SERVICE\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\nPrivateUsers=no\n$/,
  )
  install(places, first, { ...options, domain: 'leads.acme.example' })
  assert.throws(
    () => install(places, first, { ...options, domain: 'crm.acme.example' }),
    /exists: write DOMAIN=crm\.acme/,
  )
  setSettings(places, '')
  assert.deepEqual(await problems(places), [
    'unit_folders: /etc/systemd/system/lead-engine.service.d/folders.conf does not fit the settings.',
    'unit_ports: /etc/systemd/system/lead-engine.service.d/ports.conf does not fit the settings.',
  ])
  run(places)
  assert.equal(existsSync(places.unitPorts), false)
})

test('the first start with a domain waits until the service is ready, and returns its set-up link', async (t) => {
  const places = machine()
  const port = await freePort()
  mkdirSync(places.at('/run/systemd/system'), { recursive: true })
  // In the place of systemd: what it is asked is written down, and the journal has two starts.
  const programs = join(folder, 'programs')
  const asked = join(folder, 'asked')
  const program = (name: string, script: string) => {
    put(join(programs, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  program('systemctl', `echo "$@" >> ${asked}; echo active`)
  const link = 'https://leads.acme.example/join/second'
  program('journalctl', `echo '  Set up     https://leads.acme.example/join/first'; echo '  Set up     ${link}'`)
  const { PATH } = process.env
  process.env.PATH = `${programs}:${PATH}`
  const service = createServer((_request, response) =>
    response.end(JSON.stringify({ status: 'ready', version: '1.0.0', commit: '01234567' })),
  )
  await once(service.listen(port, '127.0.0.1'), 'listening')
  t.after(() => {
    process.env.PATH = PATH
    service.close()
  })
  install(places, first, { dryRun: false, domain: 'leads.acme.example', report: () => {} })
  writeFileSync(places.settings, `DOMAIN=leads.acme.example\nHOST=127.0.0.1\nACME_HTTP_PORT=${port}\n`)
  const started = await startInstalled(places, first, { maxSeconds: 0 })
  assert.deepEqual(started, { baseUrl: 'https://leads.acme.example', hasCertificate: false, setUpLink: link })
  assert.match(readFileSync(asked, 'utf8'), /^enable --now lead-engine$/m)
})

test('daily backups on the disk of the data are warned of, and so are none', () => {
  const places = machine()
  run(places)
  const warning = () => backupWarning(places, first)
  assert.match(
    warning()!,
    /^Daily backups go to \S+-backups, which is on the disk of the data: set BACKUP_DIR in \S+ to/,
  )
  setSettings(places, '')
  assert.match(warning()!, /^No backups are made: set BACKUP_DIR/)
  for (const line of ['CONTINUOUS_BACKUP=s3://bucket', 'DATABASE_URL=postgres://db/leads']) {
    setSettings(places, line)
    assert.equal(warning(), null)
  }
  const fresh = machine()
  run(fresh)
  uninstall(fresh, () => {})
  assert.deepEqual(readdirSync(fresh.at('/var/lib')), [], 'an empty folder does not stay')
})

test('a file that the unit hides from the service is reported', async (t) => {
  const places = machine()
  run(places)
  const hidden = mkdtempSync('/tmp/lead-engine-key-')
  t.after(() => rmSync(hidden, { recursive: true }))
  put(join(hidden, 'key'), 'a'.repeat(64))
  setSettings(places, `CONTINUOUS_BACKUP=/srv\nCONTINUOUS_BACKUP_KEY_FILE=${join(hidden, 'key')}`)
  const found = (await problems(places)).find((problem) => problem.startsWith('readable: '))
  assert.match(
    found!,
    /^readable: CONTINUOUS_BACKUP_KEY_FILE is \S+, which is in \/tmp: the unit hides that from the service\.$/,
  )
})

test('a file that only root can read is reported', { skip: process.getuid?.() !== 0 && 'needs root' }, async () => {
  const places = machine()
  run(places)
  const key = places.at('/key')
  put(key, 'a'.repeat(64))
  chmodSync(key, 0o600)
  put(places.at('/etc/passwd'), 'lead-engine:x:65534:65534::/var/lib/lead-engine:/bin/false\n')
  setSettings(places, `CONTINUOUS_BACKUP=/srv\nCONTINUOUS_BACKUP_KEY_FILE=${key}`)
  const found = (await problems(places)).find((problem) => problem.startsWith('readable: '))
  assert.equal(found, 'readable: CONTINUOUS_BACKUP_KEY_FILE is /key, which the user lead-engine cannot read.')
})
