import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'

const now = new Date('2026-11-22T08:00:00Z')
const app = await testApp({ BACKUP_DIR: '/backups', BACKUP_KEEP: '7' }, () => now)
after(app.close)
const { asha } = await people(app)
const admin = await signedIn(app, asha)

const run = (started: string, error: string | null, finished: string | null = started) => ({
  id: randomUUID(),
  started_at: new Date(started),
  finished_at: finished && new Date(finished),
  file: '/backups/secret-name.backup',
  error,
})

const cases: [what: string, runs: ReturnType<typeof run>[], state: string, lastSuccess: string | null][] = [
  ['no backup yet', [], 'waiting', null],
  ['the first one is being made', [run('2026-11-22T07:59:00Z', null, null)], 'waiting', null],
  ['one of last night', [run('2026-11-21T20:30:00Z', null)], 'made', '2026-11-21T20:30:00Z'],
  ['an old one', [run('2026-11-20T20:30:00Z', null)], 'failed', '2026-11-20T20:30:00Z'],
  ['a first one that never ended', [run('2026-11-20T20:30:00Z', null, null)], 'failed', null],
  [
    'one that failed after a good one',
    [run('2026-11-21T20:30:00Z', null), run('2026-11-22T07:00:00Z', 'The disk of /backups is full.')],
    'failed',
    '2026-11-21T20:30:00Z',
  ],
]
for (const [what, runs, state, last_success_at] of cases) {
  test(`with ${what}, the backups are ${state}`, async () => {
    await app.owner`delete from backup_runs`
    for (const one of runs) await app.owner`insert into backup_runs ${app.owner(one)}`
    const { status, body } = await admin.send('GET', '/web/backups')
    // Neither file nor reason: an Admin of one account is not the operator of the server.
    assert.deepEqual([status, body], [200, { data: { state, last_success_at, keep: 7 } }])
  })
}
