import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { findAccount } from '../../access/account/users.ts'
import { asActor } from '../../platform/database/actor.ts'
import { findLines } from './store.ts'

const app = await testApp()
after(app.close)
const { acme, other, asha, bela, zoya } = await people(app)
const { owner, database } = app

beforeEach(() => owner`delete from phone_lines`)

const noon = new Date('2026-11-21T12:00:00Z')
const minutesLater = (minutes: number) => new Date(Number(noon) + minutes * 60_000)

async function find(agents: string[], now = noon, actor = acme) {
  const account = await findAccount(database, actor.account_id)
  return asActor(database, actor, (tx) => findLines(tx, account, agents, now))
}

const addLine = (accountId: string, line: string, userId: string | null) =>
  owner`insert into phone_lines (account_id, line, written, user_id, added_at)
    values (${accountId}, ${line}, ${line}, ${userId}, ${noon})`

const unknown = async () =>
  [...(await owner`select written, seen_at from phone_lines where user_id is null order by line`)].map((row) => [
    row.written,
    new Date(row.seen_at).toISOString().slice(11, 16),
  ])

test('users are found by number, extension and email, in the order of the agents', async () => {
  await addLine(acme.account_id, '+919820000001', bela.id)
  await addLine(acme.account_id, '201', bela.id)
  await addLine(other.account_id, '202', zoya.id)
  const both = [bela.id, asha.id]
  assert.deepEqual(await find(['098200 00001', asha.email.toUpperCase()]), { user_ids: both, agent: null })
  assert.deepEqual(await find(['202', asha.email, '201', '+919820000001']), {
    user_ids: both.toReversed(),
    agent: null,
  })
  await owner`update users set deactivated_at = now() where id = ${bela.id}`
  database.cache.invalidate(acme.account_id)
  assert.deepEqual((await find(['201'])).user_ids, [bela.id])
  assert.deepEqual(await unknown(), [])
})

test('of unknown agents the most exact one is listed, and written at most once an hour', async () => {
  const nobody = { user_ids: [], agent: '098200 00009' }
  assert.deepEqual(await find(['Ravi K', 'ravi', 'ravi@x.in', '098200 00009']), nobody)
  assert.deepEqual(await find(['+91 98200 00009'], minutesLater(30)), nobody)
  assert.deepEqual(await unknown(), [['098200 00009', '12:00']])
  await find(['9820000009'], minutesLater(61))
  assert.deepEqual(await unknown(), [['098200 00009', '13:01']])
  assert.deepEqual(await find(['', ' \u200b']), { user_ids: [], agent: null })
})

test('an account lists 500 unknown lines: the next one replaces the one that was seen longest ago', async () => {
  await owner`insert into phone_lines (account_id, line, written, seen_at, added_at)
    select ${acme.account_id}, n::text, n::text, ${noon}::timestamptz - n * interval '1 minute', ${noon} from generate_series(1, 500) as n`
  await addLine(acme.account_id, 'kept', bela.id)
  await find(['new'], minutesLater(1))
  const lines = (await owner`select line from phone_lines where account_id = ${acme.account_id}`).map(
    ({ line }) => line,
  )
  assert.equal(lines.length, 501)
  assert.deepEqual(
    ['new', 'kept', '499', '500'].map((line) => lines.includes(line)),
    [true, true, true, false],
  )
})

test('events of the same moment list a new agent once', async () => {
  const found = await Promise.all(Array.from({ length: 8 }, () => find(['301'])))
  for (const one of found) assert.deepEqual(one, { user_ids: [], agent: '301' })
  assert.deepEqual(await unknown(), [['301', '12:00']])
})
