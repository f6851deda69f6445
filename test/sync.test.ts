import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fillAccount } from '../server/demo/fill.ts'
import { testApp } from './app.ts'
import { isThorough } from './budget.ts'
import { blocksOf } from './doc-blocks.ts'
import { programFolder, running } from './doc-programs.ts'
import { people, signedIn } from './people.ts'
import { syncUnderStress } from './sync-stress.ts'
import { until } from './until.ts'

const app = await testApp()
after(app.close)
const { acme, asha, other, zoya } = await people(app)
const overlap = '5 * 60_000'
const blocks = blocksOf('docs/rest/quick-start.md')
assert.ok(blocks.some(({ code }) => code.includes(overlap)))
// A short overlap, so that the program reads other windows within the seconds that this takes.
const { folder, remove } = programFolder(
  blocks.map((block) => ({ ...block, code: block.code.replace(overlap, '4000') })),
)
after(remove)
const env = { URL: `${app.url}/api/v1`, KEY: asha.key.secret, EVERY_SECONDS: '1' }
const program = { command: [process.execPath, 'sync.mjs'], cwd: folder, env }

test('the JavaScript of the quick start misses no change of eight writers, and prints none twice', async (t) => {
  const web = await signedIn({ directory: app.database.directory, url: app.url }, asha)
  const hold = (id: string) =>
    app.owner`select pg_sleep(1.8) from (select from leads where account_id = ${acme.account_id} and id = ${id} for update) held`
  const changes = isThorough ? 8000 : 600
  const { leads, ...wrong } = await syncUnderStress(program, { api: asha, web, hold, changes })
  t.diagnostic(`${leads} leads, ${changes} changes`)
  assert.deepEqual(wrong, { missing: 0, stale: 0, doubled: 0 })
})

test('it prints each of many leads that changed within one second once', async () => {
  const leads = 1700
  const fill = { leads, days: 5, now: new Date(), onProgress: () => {} }
  await fillAccount(app.connection, app.database, other, fill)
  await app.owner`update leads set answer_start = null, updated_at = date_trunc('second', now() - interval '1 day')
    where account_id = ${other.account_id}`
  const output = running({ ...program, env: { ...program.env, KEY: zoya.key.secret } })
  try {
    await until(() => output.said().split('\n').length > leads, 'all leads in the output')
    await zoya.send('POST', '/api/v1/leads', { name: 'Last one', phone: '9900000003' })
    await until(() => output.said().includes('Last one'), 'the last lead in the output')
  } finally {
    await output.end()
  }
  assert.equal(output.said().trim().split('\n').length, leads + 1)
})
