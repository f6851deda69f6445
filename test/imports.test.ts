import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const server = join(root, 'server')
const web = join(root, 'web')

/** What each slice may import (ARCHITECTURE.md). A name with a slash allows only that file. */
const allowed: Record<string, string[]> = {
  http: [],
  threads: [],
  database: [],
  audit: ['http', 'database'],
  timeline: ['leads/fields.ts'],
  idempotency: ['http', 'database'],
  health: ['http', 'database', 'mail'],
  processes: ['http'],
  mail: [],
  account: ['http', 'database', 'audit'],
  'sign-in': ['http', 'database', 'audit', 'mail', 'account'],
  profile: ['http', 'database', 'audit', 'account', 'sign-in', 'mail'],
  team: ['http', 'database', 'audit', 'timeline', 'mail', 'account', 'sign-in'],
  'api-keys': ['http', 'database', 'audit', 'account', 'sign-in'],
  distribution: ['http', 'database', 'audit', 'account'],
  leads: ['http', 'database', 'audit', 'account', 'sign-in', 'timeline', 'idempotency', 'distribution'],
  calls: [
    'http',
    'database',
    'audit',
    'account',
    'sign-in',
    'timeline',
    'idempotency',
    'leads/list-page.ts',
    'leads/counts.ts',
  ],
  payload: ['http', 'threads', 'leads/contact.ts', 'leads/contract.ts'],
  webhooks: [
    'http',
    'database',
    'audit',
    'account',
    'payload',
    'leads/save-lead.ts',
    'leads/lead.ts',
    'leads/contract.ts',
    'leads/contact.ts',
    'leads/create-lead.ts',
    'leads/counts.ts',
  ],
  'call-queue': [
    'http',
    'database',
    'account',
    'sign-in',
    'leads/list-page.ts',
    'leads/contract.ts',
    'calls/missed.ts',
  ],
  overview: ['http', 'database', 'account', 'sign-in', 'calls/missed.ts'],
  'lead-import': ['http', 'threads', 'database', 'audit', 'account', 'sign-in', 'leads', 'calls', 'payload'],
  live: ['http', 'database', 'sign-in'],
  notifications: [
    'http',
    'database',
    'account',
    'sign-in',
    'mail',
    'calls/missed.ts',
    'overview/silence.ts',
    'overview/webhook-health.ts',
  ],
  backup: ['http', 'database', 'leads/remove-lead.ts', 'leads/store.ts'],
  'web-app': [],
  demo: ['http', 'database', 'audit', 'account', 'timeline', 'leads', 'calls'],
  tracing: ['http', 'database'],
  doctor: [
    'http',
    'database',
    'sign-in',
    'mail',
    'health',
    'config.ts',
    'backup/daily.ts',
    'leads/counts.ts',
    'overview/silence.ts',
    'overview/webhook-health.ts',
  ],
  commands: [
    'http',
    'database',
    'audit',
    'account',
    'sign-in',
    'team',
    'api-keys',
    'distribution',
    'webhooks',
    'payload',
    'demo',
    'doctor',
    'backup',
    'health',
    'processes',
    'tracing',
    'threads',
    'lead-import',
    'web-app',
    'notifications',
    'config.ts',
    'app.ts',
    'cleanup.ts',
    'leads/contact.ts',
    'leads/contract.ts',
  ],
}

/** Files of rules: no SQL, no HTTP, no environment. */
const pure = [
  'leads/merge-lead.ts',
  'leads/contact.ts',
  'distribution/choose-assignee.ts',
  'http/ip-list.ts',
  'http/date-window.ts',
  'timeline/summaries.ts',
  'payload/map-payload.ts',
  'payload/lead-builder.ts',
  'payload/read-body.ts',
  'leads/search-terms.ts',
  'leads/csv.ts',
  'lead-import/read-csv.ts',
  'lead-import/columns.ts',
  'lead-import/column-names.ts',
  'lead-import/known-values.ts',
  'lead-import/read-time.ts',
  'lead-import/row-call.ts',
  'lead-import/sheet-dates.ts',
  'mail/email.ts',
  'mail/mail-settings.ts',
  'sign-in/link-email.ts',
  'sign-in/sign-in-problems.ts',
  'lead-import/read-row.ts',
  'lead-import/row-draft.ts',
  'overview/by-day.ts',
  'overview/silence.ts',
  'notifications/hours.ts',
  'notifications/next-step.ts',
  'notifications/messages.ts',
  ...globSync('payload/recognition/*.ts', { cwd: server, exclude: ['**/*.test.ts'] }),
]

const files = globSync('**/*.ts', { cwd: server }).filter((file) => !file.endsWith('.test.ts'))

for (const [slice, others] of Object.entries(allowed)) {
  test(`${slice} imports only what it may`, () => {
    for (const file of files.filter((file) => file.startsWith(`${slice}/`))) {
      for (const target of ownImports(file).filter((target) => !target.startsWith(`${slice}/`))) {
        const betweenContracts = [file, target].every((name) => name.endsWith('/contract.ts'))
        const may = betweenContracts || others.includes(target) || others.includes(target.split('/')[0]!)
        assert.ok(may, `${file} must not import ${target}`)
      }
    }
  })
}

test('no imports form a cycle, not even of types', () => {
  const checked = new Set<string>()
  const follow = (file: string, path: string[]) => {
    assert.ok(!path.includes(file), [...path, file].join(' imports '))
    if (checked.has(file) || !/\.tsx?$/.test(file)) return
    checked.add(file)
    for (const name of importsIn(join(root, file)).filter((name) => name.startsWith('.')))
      follow(relative(root, join(root, dirname(file), name)), [...path, file])
  }
  for (const file of globSync('{server,web}/**/*.{ts,tsx}', { cwd: root })) follow(file, [])
})

test('every slice is in the table', () => {
  assert.deepEqual(
    [...new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]))].sort(),
    Object.keys(allowed).sort(),
  )
})

test('contracts import only typebox, other contracts and the table of fields, because the browser loads them', () => {
  for (const file of files.filter((file) => file.endsWith('/contract.ts') || file === 'leads/fields.ts')) {
    for (const name of importsOf(file))
      assert.match(name, /^typebox$|\/contract\.ts$|^\.\/fields\.ts$/, `${file} must not import ${name}`)
  }
})

test('files of rules have no SQL, HTTP or environment', () => {
  for (const file of pure) {
    for (const name of importsOf(file))
      assert.doesNotMatch(name, /^(fastify|postgres|node:(fs|child_process|http))$|store\.ts$/, file)
  }
})

test('the environment is read in one place', () => {
  const readers = files.filter((file) => /\bprocess\.env\b/.test(readFileSync(join(server, file), 'utf8')))
  assert.deepEqual(readers.filter((file) => !file.startsWith('database/embedded/')).sort(), ['commands/open.ts'])
})

test('the service imports no test', () => {
  for (const file of files) for (const name of importsOf(file)) assert.doesNotMatch(name, /#test|\/test\//, file)
})

test('the web app imports only contracts of the service', () => {
  for (const file of globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['**/*.test.ts'] })) {
    for (const name of importsIn(join(web, file))) {
      assert.doesNotMatch(name, /^(node:|#test)|\/(server|test)\//, `${file} must not import ${name}`)
      const target = relative(web, join(web, dirname(file), name))
      if (file.startsWith('ui/') && /^[.#]/.test(name)) {
        const may = target.startsWith('ui/') || target === 'api.ts'
        assert.ok(may, `${file} knows nothing about leads, and must not import ${name}`)
      }
    }
  }
})

function importsOf(file: string): string[] {
  return importsIn(join(server, file))
}

function importsIn(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'/gms)].map((match) => match[1]!)
}

function ownImports(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(server, join(server, dirname(file), name)))
    .filter((target) => !target.startsWith('..'))
}
