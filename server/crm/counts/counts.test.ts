import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '#test/app.ts'
import { type Player, people } from '#test/people.ts'
import { assertAnswersHold, assertCountsHold, assertLeadsKnowTheirCalls } from '#test/records.ts'
import { accountActor, asActor } from '../../platform/database/actor.ts'
import { leadPriorities, leadStatuses } from '../leads/contract.ts'
import { deleteZeros, moveChanges } from './move-changes.ts'
import { moveEveryAccount } from './move-continuously.ts'
import { allCounts, leadCounts } from './tables.ts'

let now = new Date('2026-11-21T05:00:00Z')
const app = await testApp({}, () => now)
after(app.close)
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const { owner } = app
const players = { asha, meena, bela, chand, zoya }

const who = fc.constantFrom(...(Object.keys(players) as (keyof typeof players)[]))
const someone = fc.nat(7)

/** What people do, in any order: a few persons, so that creates become merges, and a few days either side of midnight. */
const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('save'),
      who,
      phone: fc.option(someone, { nil: undefined }),
      email: someone,
      status: fc.constantFrom(undefined, ...leadStatuses),
      priority: fc.constantFrom(undefined, ...leadPriorities),
      source: fc.constantFrom(undefined, 'Website', 'Fair'),
      gives: fc.option(who, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete'), who, lead: someone }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('call'),
      who,
      lead: someone,
      outbound: fc.boolean(),
      minutesAgo: fc.oneof(fc.constant(60), fc.integer({ min: 0, max: 4000 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete call'), who, lead: someone }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait'), minutes: fc.integer({ min: 1, max: 2000 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('move') }) },
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

async function perform(step: Act): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: one of the acts above, distinguished by `does`
  const { does, ...how } = step as any
  if (does === 'wait') now = new Date(now.getTime() + how.minutes * 60_000)
  else if (does === 'move') await move()
  else {
    const player: Player = players[how.who as keyof typeof players]
    const statuses: Record<string, number[]> = {
      save: [200, 201, 400],
      delete: [200, 404],
      call: [201, 404],
      'delete call': [200, 404],
    }
    const { status } = await ask(player, does, how)
    assert.ok(statuses[does]!.includes(status), `${does} answered ${status}`)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function ask(player: Player, does: string, how: any) {
  const { phone, email, status, priority, source, gives } = how
  const id = (table: string) =>
    owner
      .unsafe(`select id from ${table} order by id offset $1 limit 1`, [how.lead])
      .then(([row]) => row?.id ?? asha.id)
  if (does === 'delete') return player.send('DELETE', `/api/v1/leads/${await id('leads')}`)
  if (does === 'delete call') return player.send('DELETE', `/api/v1/call-logs/${await id('call_logs')}`)
  if (does === 'call') {
    const called_at = new Date(now.getTime() - how.minutesAgo * 60_000).toISOString()
    const call_type = how.outbound ? 'Outbound' : 'Inbound'
    const call = { lead_id: await id('leads'), call_type, duration_seconds: 1, called_at }
    return player.send('POST', '/api/v1/call-logs', call)
  }
  return player.send('POST', '/api/v1/leads', {
    name: 'Anyone',
    email: `p${email}@x.in`,
    status,
    priority,
    source,
    ...(phone === undefined ? {} : { phone: `981000000${phone}` }),
    ...(gives ? { assigned_to: players[gives as keyof typeof players].email } : {}),
  })
}

/** Moves few changes at a time, and deletes zeros. Those of an account that is being moved are left. */
const move = () =>
  Promise.all(
    [acme, zoya.actor].flatMap((actor) =>
      allCounts.map(async (tables) => {
        const few = 7
        const batch = () => asActor(app.database, actor, (tx) => moveChanges(tx, actor.account_id, tables, few))
        while ((await batch()) === few);
        await asActor(app.database, actor, (tx) => deleteZeros(tx, actor.account_id, tables))
      }),
    ),
  )

/** What a list says of its total is how many rows its pages hold, each once; and those are the rows one may see. */
async function assertPagesHold(player: Player, path: string, limit: number) {
  const ids: string[] = []
  for (let offset = 0, more = true; more; offset += limit) {
    const { status, body } = await player.send(
      'GET',
      `${path}&from_date=2020-01-01&to_date=2030-01-01&limit=${limit}&offset=${offset}`,
    )
    assert.equal(status, 200)
    ids.push(...body.data.map((row: { id: string }) => row.id))
    assert.equal(body.pagination.has_more, ids.length < body.pagination.total)
    more = body.pagination.has_more
    if (!more) assert.equal(body.pagination.total, ids.length)
  }
  assert.equal(new Set(ids).size, ids.length)
  return ids.toSorted()
}

async function assertListsHold() {
  const visible: Record<string, string[] | null> = {
    asha: null,
    meena: [meena.id, bela.id],
    bela: [bela.id],
    chand: [chand.id],
    zoya: null,
  }
  for (const [name, player] of Object.entries(players)) {
    for (const [path, table] of [
      ['leads', 'leads'],
      ['call-logs', 'call_logs'],
    ] as const) {
      const rows = await owner`select id from ${owner(table)} where account_id = ${player.actor.account_id}
        ${visible[name] ? owner`and assigned_to = any (${visible[name]})` : owner``} order by id::text`
      const ids = rows.map(({ id }) => id)
      for (const limit of [3, 500]) assert.deepEqual(await assertPagesHold(player, `/api/v1/${path}?`, limit), ids)
    }
  }
}

test('after any actions the counts equal count(*), leads know their calls, and every page of every list is exact', async () => {
  const property = fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 40 }), async (steps) => {
    for (const step of steps) await perform(step)
    await assertCountsHold(owner)
    await assertAnswersHold(owner)
    await assertLeadsKnowTheirCalls(owner)
    await assertListsHold()
  })
  await fc.assert(property, { numRuns: 12, seed: 26, endOnFailure: true })
})

test('after any simultaneous actions, too', async () => {
  const property = fc.asyncProperty(fc.array(act, { minLength: 40, maxLength: 60 }), async (steps) => {
    await Promise.all(steps.map(perform))
    await assertCountsHold(owner)
    await assertLeadsKnowTheirCalls(owner)
    await assertListsHold()
  })
  await fc.assert(property, { numRuns: 8, seed: 27, endOnFailure: true })
})

test('moved changes leave one count for each key, and no zeros', async () => {
  // One count after the other: each is moved under the lock of its account.
  for (const tables of allCounts)
    for (const { account_id } of [acme, zoya.actor])
      for (const work of [moveChanges, deleteZeros])
        await asActor(app.database, accountActor(account_id), (tx) => work(tx, account_id, tables, 10_000))
  await assertCountsHold(owner)
  await assertListsHold()
  for (const { counts, changes } of allCounts) {
    const [left] = await owner.unsafe(
      `select (select count(*)::int from ${changes}) as changes, (select count(*)::int from ${counts} where n = 0) as zeros`,
    )
    assert.deepEqual({ ...left }, { changes: 0, zeros: 0 }, counts)
  }
})

test('the background job moves the changes of accounts with many, and each minute those of all', async () => {
  const waiting = async () => Number((await owner`select count(*) as n from lead_count_changes`)[0]!.n)
  await Promise.all(
    Array.from({ length: 12 }, (_, n) => asha.send('POST', '/api/v1/leads', { name: 'A', email: `job${n}@x.in` })),
  )
  await zoya.send('POST', '/api/v1/leads', { name: 'A', email: 'job@x.in' })
  assert.equal(await waiting(), 13)
  await moveEveryAccount(app.database, leadCounts, { atLeast: 10 })
  assert.equal(await waiting(), 1)
  await moveEveryAccount(app.database, leadCounts, { atLeast: 1 })
  assert.equal(await waiting(), 0)
  await assertCountsHold(owner)
})
