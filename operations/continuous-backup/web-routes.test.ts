import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'

const now = new Date('2026-11-28T08:00:00Z')
const app = await testApp({ CONTINUOUS_BACKUP: '/backups/secret-name' }, () => now)
after(app.close)
const { asha } = await people(app)
const admin = await signedIn(app, asha)

const working = {
  target: '/backups/secret-name',
  history: 'one',
  base_at: new Date('2026-11-27T21:30:00Z'),
  saved_at: new Date('2026-11-28T07:59:00Z'),
  drill_at: new Date('2026-11-27T21:30:00Z'),
  drill_restored_to: new Date('2026-11-27T21:29:58Z'),
}
const drill = { state: 'passed', at: '2026-11-27T21:30:00Z', restored_to: '2026-11-27T21:29:58Z' }
const none = { state: 'waiting', at: null, restored_to: null }

const cases: [what: string, row: object | null, data: object][] = [
  ['no row', null, { state: 'failed', drill: none }],
  ['no base yet', { target: '/b', history: 'one' }, { state: 'waiting', drill: none }],
  ['all saved', working, { state: 'saved', drill }],
  ['a silence of ten minutes', { ...working, saved_at: new Date('2026-11-28T07:50:00Z') }, { state: 'failed', drill }],
  ['an error', { ...working, error: 'The bucket is full.' }, { state: 'failed', drill }],
  [
    'a failed drill',
    { ...working, drill_error: 'base/x is damaged' },
    { state: 'saved', drill: { ...drill, state: 'failed' } },
  ],
]
for (const [what, row, data] of cases) {
  test(`with ${what}, Admins see ${JSON.stringify(data)}`, async () => {
    await app.owner`delete from continuous_backup`
    if (row) await app.owner`insert into continuous_backup ${app.owner(row)}`
    const { status, body } = await admin.send('GET', '/web/continuous-backup')
    // Neither place nor reason: an Admin of one account is not the operator of the server.
    assert.deepEqual([status, body], [200, { data }])
  })
}
