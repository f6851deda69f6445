import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { fillAccount } from '../operations/demo/fill.ts'
import { testApp } from './app.ts'
import { isThorough } from './budget.ts'
import { blocksOf } from './doc-blocks.ts'
import { languages, programFolder, proxyWithOverlap, running, whyNot } from './doc-programs.ts'
import { account, addPlayer, people, signedIn } from './people.ts'
import { syncUnderStress, writers } from './sync-stress.ts'
import { until } from './until.ts'
import { webhookOf } from './webhooks.ts'

const app = await testApp()
after(app.close)
// The slowest change of the stress takes three seconds.
const proxy = await proxyWithOverlap(app.url, 5000)
after(proxy.close)
const { other, zoya } = await people(app)
const blocks = blocksOf('docs/rest/quick-start.md')
const programs = { js: 'sync.mjs', python: 'sync.py' }

describe('under stress', { concurrency: true }, () => {
  for (const [language, file] of Object.entries(programs))
    test(`${file} of the quick start misses no change of eight writers`, { skip: whyNot(language) }, async (t) => {
      const command = [...languages[language]!.run, file]
      const { folder, remove } = programFolder(blocks)
      t.after(remove)
      const acme = await account(app.database, language)
      const admin = await addPlayer(app.database, app.url, acme, 'Asha', 'Admin', null)
      const env = { URL: `${proxy.url}/api/v1`, KEY: admin.key.secret, EVERY_SECONDS: '0.3' }
      const stress = {
        api: admin,
        web: await signedIn({ directory: app.database.directory, url: app.url }, admin),
        deliver: (await webhookOf(app, acme)).send,
        changeSlowly: (id: string) =>
          app.owner.begin(async (tx) => {
            await tx`update leads set company = coalesce(company, '') || '+', answer_start = null,
              updated_at = greatest(date_trunc('second', now()), updated_at + interval '1 second')
            where account_id = ${acme.account_id} and id = ${id}`
            await tx`select pg_sleep(3)`
          }),
        changes: isThorough ? 4000 : 150,
        kills: isThorough ? 5 : 1,
      }
      for (const isChecked of [false, true]) {
        const program = { command, cwd: folder, env: { ...env, ...(isChecked ? { CHECK_EVERY_SECONDS: '2' } : {}) } }
        const { wrong, ...counts } = await syncUnderStress(program, { ...stress, isChecked })
        t.diagnostic(JSON.stringify({ writers, changes: stress.changes, isChecked, ...counts }))
        assert.deepEqual(wrong, { missing: 0, stale: 0, notDeleted: 0, doubled: 0 })
        if (isChecked && isThorough) assert.ok(counts.checks > 0, 'everything was read while the writers went on')
      }
    })
})

test('it prints each of many leads that changed within one second once', async (t) => {
  const { folder, remove } = programFolder(blocks)
  t.after(remove)
  const leads = 1700
  const fill = { leads, days: 5, now: new Date(), onProgress: () => {} }
  await fillAccount(app.connection, app.database, other, fill)
  await app.owner`update leads set answer_start = null, updated_at = date_trunc('second', now() - interval '1 day')
    where account_id = ${other.account_id}`
  const env = { URL: `${app.url}/api/v1`, KEY: zoya.key.secret, EVERY_SECONDS: '1' }
  const output = running({ command: [...languages.js!.run, programs.js], cwd: folder, env })
  const printed = () =>
    output
      .said()
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('leads '))
  try {
    await until(() => printed().length >= leads, 'all leads in the output')
    await zoya.send('POST', '/api/v1/leads', { name: 'Last one', phone: '9900000003' })
    await until(() => output.said().includes('Last one'), 'the last lead in the output')
  } finally {
    await output.end()
  }
  assert.equal(printed().length, leads + 1)
})
