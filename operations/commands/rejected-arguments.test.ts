import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { callCommand, databaseUrl, runCommand } from '#test/command-line.ts'
import { testDatabase } from '#test/database.ts'
import { setUp } from './setup.ts'

const store = await testDatabase()
after(store.close)
const env: Record<string, string> = { DATABASE_URL: databaseUrl(store.connection) }
await setUp(store.database, { account: 'Acme', email: 'asha@acme.example', name: 'Asha' })

suite('wrong usage', () => {
  for (const [what, ...args] of [
    ['no command'],
    ['an unknown command', 'fly'],
    ['nothing to back up to', 'backup'],
    ['two ways to restore', 'restore', 'a.backup', '--latest'],
    ['nothing to restore', 'restore', '--yes'],
    ['an unknown option', 'user', 'list', '--all'],
    ['a missing option', 'setup', '--account', 'Third'],
    [
      'an unknown role',
      'user',
      'add',
      '--account',
      'Acme',
      '--email',
      'x@acme.example',
      '--name',
      'X',
      '--role',
      'boss',
    ],
    [
      'an unknown permission',
      'key',
      'create',
      '--user',
      'asha@acme.example',
      '--name',
      'X',
      '--permissions',
      'read,fly',
    ],
    ['no permission', 'key', 'create', '--user', 'asha@acme.example', '--name', 'X', '--permissions', ''],
    [
      'a broken whitelist',
      'key',
      'create',
      '--user',
      'asha@acme.example',
      '--name',
      'X',
      '--permissions',
      'read',
      '--ip-whitelist',
      '10.0.0.0/33',
    ],
    ['a missing argument', 'key', 'revoke'],
    ['an argument too many', 'key', 'revoke', randomUUID(), 'now'],
    ['an unknown lead field', 'webhook', 'map', randomUUID(), 'a=b'],
    [
      'an unknown status',
      'webhook',
      'create',
      '--account',
      'Acme',
      '--name',
      'X',
      '--source',
      'X',
      '--default-status',
      'Open',
    ],
    [
      'an answer without a question',
      'rule',
      'add',
      '--account',
      'A',
      '--name',
      'R',
      '--to',
      'a@x.in',
      '--answer',
      '60 lakh',
    ],
    ['a limit that is none', 'rule', 'add', '--account', 'A', '--name', 'R', '--to', 'a@x.in', '--daily-limit', '0'],
    [
      'minutes that are too many',
      'rule',
      'add',
      '--account',
      'A',
      '--name',
      'R',
      '--to',
      'a@x.in',
      '--pass-on-after',
      '481',
    ],
    ['a place that is none', 'rule', 'move', randomUUID(), 'first'],
  ]) {
    test(`${what} is wrong usage: 2`, async () => {
      const { status, out, err } = await callCommand(args, env)
      assert.deepEqual([status, out], [2, ''], err)
      assert.match(err, /\S/)
      assert.doesNotMatch(err, /\n\s+at /)
    })
  }

  test('the process ends with 2', async () => {
    const { status, out, err } = await runCommand(['user', 'list', '--all'], env)
    assert.deepEqual([status, out], [2, ''], err)
    assert.match(err, /^error: unknown option '--all'\n$/)
  })
})

suite('failures', () => {
  for (const [what, says, ...args] of [
    [
      'a taken account name',
      /account named "Acme"/,
      'setup',
      '--account',
      'Acme',
      '--email',
      'new@acme.example',
      '--name',
      'N',
    ],
    [
      'a taken email',
      /ASHA@acme\.example/,
      'setup',
      '--account',
      'Fourth',
      '--email',
      'ASHA@acme.example',
      '--name',
      'N',
    ],
    ['a broken email', /--email/, 'setup', '--account', 'Fifth', '--email', 'asha', '--name', 'N'],
    ['a blank name', /--name/, 'setup', '--account', 'Sixth', '--email', 'n@acme.example', '--name', ' '],
    [
      'an unknown account',
      /Nowhere/,
      'user',
      'add',
      '--account',
      'Nowhere',
      '--email',
      'x@x.example',
      '--name',
      'X',
      '--role',
      'agent',
    ],
    ['an unknown person', /nobody@x\.example/, 'user', 'deactivate', 'nobody@x.example'],
    [
      'an unknown person for a key',
      /nobody@x\.example/,
      'key',
      'create',
      '--user',
      'nobody@x.example',
      '--name',
      'X',
      '--permissions',
      'read',
    ],
    ['an unknown key', /no API key/, 'key', 'regenerate', randomUUID()],
    ['an id that is none', /no API key/, 'key', 'revoke', 'x'],
    ['an unknown webhook', /no webhook/, 'webhook', 'disable', randomUUID()],
    ['an unknown delivery', /no delivery/, 'webhook', 'replay', randomUUID()],
    ['a delivery id that is none', /no delivery/, 'webhook', 'replay', 'x'],
    [
      'an offer that never passes on',
      /--pass-on-after/,
      ...['rule', 'add', '--account', 'A', '--name', 'R', '--to', 'a@x.in', '--first-to-claim'],
    ],
    ['an unknown rule', /no rule/, 'rule', 'remove', randomUUID()],
    ['an unknown rule to pause', /no rule/, 'rule', 'pause', randomUUID()],
    ['a rule id that is none', /no rule/, 'rule', 'move', 'x', '1'],
    [
      'an unknown person for a rule',
      /nobody@x\.example/,
      'rule',
      'add',
      '--account',
      'Acme',
      '--name',
      'R',
      '--to',
      'nobody@x.example',
    ],
    [
      'an unknown webhook for a rule',
      /no webhook/,
      'rule',
      'add',
      '--account',
      'Acme',
      '--name',
      'R',
      '--to',
      'asha@acme.example',
      '--webhooks',
      'x',
    ],
  ] as [string, RegExp, ...string[]][]) {
    test(`${what} fails with one sentence: 1`, () => fails(args, says))
  }

  for (const [name, value] of [
    ['PORT', 'http'],
    ['TRUST_PROXY', 'everyone'],
    ['DATABASE_URL', 'mysql://x'],
    ['LOG_LEVEL', 'loud'],
  ] as const) {
    test(`a wrong ${name} stops the service and every command`, async () => {
      for (const args of [['serve'], ['user', 'list']])
        await fails(args, new RegExp(`^${name}[ :]`), { ...env, [name]: value })
    })
  }

  test('the process ends with 1', () => fails(['user', 'list'], /^PORT /, { ...env, PORT: 'http' }, runCommand))

  test('a database that is not there fails with one sentence', async () => {
    await fails(['user', 'list'], /./, { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/none' })
  })
})

async function fails(args: string[], says: RegExp, given = env, run = callCommand) {
  const { status, out, err } = await run([...args, ...(args[0] === 'serve' ? [] : ['--json'])], given)
  assert.deepEqual([status, out], [1, ''], err)
  assert.match(err, says)
  assert.match(err, /^[^\n]{5,300}\n$/)
}
