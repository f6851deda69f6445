import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { testApp } from '#test/app.ts'
import { type Player, people } from '#test/people.ts'
import { assertCountsHold, timelineOf, waitingForLock } from '#test/records.ts'
import { until } from '#test/until.ts'
import { setActive } from '../../access/account/store.ts'
import { createWebhook } from '../../intake/webhooks/store.ts'
import { asActor, changeAsActor } from '../../platform/database/actor.ts'
import type { TransactionSql } from '../../platform/database/sql.ts'
import { createLeads, leadToCreate, newLeadRow, takeNone, withOwner } from '../leads/create-lead.ts'
import type { Submission } from '../leads/lead.ts'
import { lockTurns } from './lock-turns.ts'
import { readRules } from './read-rules.ts'
import { addRule, removeRule } from './store.ts'

const app = await testApp()
after(app.close)
const { acme, asha, meena, bela, chand, zoya } = await people(app)
const { owner, database } = app

const conditions = { sources: [], cities: [], tags: [], webhook_ids: [] }
const addTestRule = (name: string, shares: [Player, number][], only: Partial<typeof conditions> | object = {}) =>
  changeAsActor(database, acme, (tx) =>
    addRule(
      tx,
      acme,
      { name, ...conditions, ...only, people: shares.map(([{ id }, weight]) => ({ user_id: id, weight })) },
      null,
    ),
  )

beforeEach(async () => {
  const rules = await owner`select id from distribution_rules`
  for (const { id } of rules) await changeAsActor(database, acme, (tx) => removeRule(tx, acme, id))
})

let made = 0
async function newLead(player: Player, fields: object = {}, headers = {}) {
  const lead = { name: 'Anyone', phone: `98${60_000_000 + ++made}`, ...fields }
  return player.send('POST', '/api/v1/leads', lead, headers)
}

type Answer = { status: number; body: { data: { assigned_to: string } } }

async function assignees(answers: Answer[]) {
  for (const { status } of answers) assert.equal(status, 201)
  return Object.fromEntries(
    [asha, meena, bela, chand].map(({ email }) => [
      email.split('@')[0],
      answers.filter(({ body }) => body.data.assigned_to === email).length,
    ]),
  )
}

/** How far the users of a rule are from their shares, in leads. */
async function unevenness(ruleId: string): Promise<number> {
  const [row] = await owner`select credits from distribution_turns where rule_id = ${ruleId}`
  return Math.max(
    ...Object.values(row!.credits as Record<string, number>)
      .map(Math.abs)
      .map((one) => Number(one.toFixed(6))),
  )
}

const uncounted = { limit: null, day: '2026-11-23' }
const shareOf = (...players: Player[]) => players.map(({ id }) => ({ user_id: id, weight: 1 }))

test('two hundred simultaneous leads are shared exactly 2 : 1 : 1 as the weights say', async () => {
  const id = await addTestRule('Everyone', [
    [bela, 2],
    [chand, 1],
    [meena, 1],
  ])
  const answers = await Promise.all(Array.from({ length: 200 }, () => newLead(asha)))
  assert.deepEqual(await assignees(answers), { asha: 0, bela: 100, chand: 50, meena: 50 })
  assert.equal(await unevenness(id), 0)
  await assertCountsHold(owner)
})

test('a merge, a rejected request and a replayed answer take no turn of a user', async () => {
  await addTestRule('Round robin', [
    [bela, 1],
    [chand, 1],
  ])
  assert.deepEqual(await assignees([await newLead(asha, { phone: '9866000001' })]), {
    asha: 0,
    meena: 0,
    bela: 1,
    chand: 0,
  })
  const merge = { phone: '9866000001' }
  const merges = Array.from({ length: 7 }, () => newLead(asha, merge))
  assert.deepEqual(new Set((await Promise.all(merges)).map(({ status }) => status)), new Set([200]))
  assert.equal((await newLead(asha, { status: 'none' })).status, 400)
  const once = { 'idempotency-key': 'once' }
  const second = { phone: '9866000002' }
  const answers = [
    await newLead(asha, second, once),
    await newLead(asha, second, once),
    await newLead(asha, second, once),
  ]
  assert.deepEqual(await assignees(answers), { asha: 0, meena: 0, bela: 0, chand: 3 })
  assert.deepEqual(await assignees([await newLead(asha)]), { asha: 0, meena: 0, bela: 1, chand: 0 })
})

test('forty simultaneous creates of one person take one turn', async () => {
  const id = await addTestRule('Round robin', [
    [bela, 1],
    [chand, 1],
  ])
  const answers = await Promise.all(Array.from({ length: 40 }, () => newLead(asha, { phone: '9866000003' })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(39).fill(200), 201])
  assert.equal(await unevenness(id), 0.5)
})

/** Takes the turn of a lead, and then does the rest of its transaction. */
const takeOne = (ruleId: string, rest: (userId: string, tx: TransactionSql) => Promise<unknown>) =>
  asActor(database, acme, async (tx) => {
    const { take, save } = await lockTurns(tx, acme.account_id, [ruleId])
    const { user_id } = take({ ...uncounted, ruleId, people: shareOf(bela, chand) })
    await save()
    await rest(user_id!, tx)
  })

const isWaiting = async () => (await owner.unsafe(waitingForLock)).length > 0

test('a lead whose transaction is rolled back takes no turn', async () => {
  const id = await addTestRule('Round robin', [
    [bela, 1],
    [chand, 1],
  ])
  const taken: string[] = []
  const fail = async (userId: string) => {
    taken.push(userId)
    throw new Error('not saved')
  }
  for (let n = 0; n < 3; n++) await assert.rejects(takeOne(id, fail), /not saved/)
  assert.deepEqual(taken, [bela.id, bela.id, bela.id])
  const leads = await Promise.all([newLead(asha), newLead(asha)])
  assert.deepEqual(await assignees(leads), { asha: 0, meena: 0, bela: 1, chand: 1 })
  assert.equal(await unevenness(id), 0)
})

test('a process that dies while it saves a lead loses no turn: the next lead waits, and takes it', async () => {
  const id = await addTestRule('Round robin', [
    [bela, 1],
    [chand, 1],
  ])
  let next = Promise.resolve<Answer[]>([])
  const dying = takeOne(id, async (_, tx) => {
    const [session] = await tx`select pg_backend_pid() as pid`
    next = Promise.all([newLead(asha)])
    await until(isWaiting, 'the next lead waits for the turn')
    await owner`select pg_terminate_backend(${session!.pid})`
  })
  await assert.rejects(dying)
  assert.deepEqual(await assignees(await next), { asha: 0, meena: 0, bela: 1, chand: 0 })
})

/** Creates a lead in a transaction that stays open until the returned function is called. */
async function createSlowly(phone: string) {
  const submission: Submission = {
    given: { name: 'First', phone },
    defaults: { source: 'API', status: 'New', priority: 'Medium' },
    onMatch: 'replace',
    assignment: { byRules: false, otherwise: asha.id, webhook_id: null },
    sender: 'a test',
    received_at: new Date(),
  }
  const wanted = withOwner(await leadToCreate(database, acme, submission), takeNone)
  const lead = newLeadRow(submission, wanted)
  const [created, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const creating = asActor(database, acme, async (tx) => {
    await createLeads(tx, acme, [{ toSave: { actor: acme, submission, wanted }, lead }])
    created.resolve()
    await released.promise
  })
  await created.promise
  const commit = async () => {
    released.resolve()
    await creating
  }
  return { id: lead.id, commit }
}

test('a create that becomes a merge at the last moment takes no turn, and counts for no daily limit', async () => {
  const ruleId = await addTestRule('Limited', [[bela, 1]], { daily_limit: 1 })
  const phone = '9866000010'
  const first = await createSlowly(phone)
  const second = newLead(asha, { phone })
  await until(isWaiting, 'the second create waits for the first one')
  await first.commit()
  const { status, body } = await second
  assert.deepEqual([status, body.data.id], [200, first.id])
  const rows = await owner`select credits, taken from distribution_turns where rule_id = ${ruleId}`
  assert.ok(rows.every(({ credits, taken }) => !(bela.id in credits) && !taken.leads))
  assert.deepEqual(await assignees([await newLead(asha)]), { asha: 0, meena: 0, bela: 1, chand: 0 })
})

test('merges beside creates leave the shares even', async () => {
  await addTestRule('Round robin', [
    [bela, 2],
    [chand, 1],
  ])
  const first = await newLead(asha, { phone: '9866000009' })
  const mixed = await Promise.all(
    Array.from({ length: 60 }, (_, at) => newLead(asha, at % 3 === 0 ? { phone: '9866000009' } : {})),
  )
  const created = [first, ...mixed.filter(({ status }) => status === 201)]
  assert.equal(created.length, 41)
  const { bela: double, chand: single } = await assignees(created)
  assert.ok(Math.abs(double! - (2 * created.length) / 3) < 1, `${double} and ${single}`)
})

test('the timeline names the rule that assigned the lead, and keeps its id', async () => {
  for (const shares of [
    [[bela, 1]],
    [
      [bela, 1],
      [bela, 1],
    ],
  ] as [Player, number][][]) {
    const id = await addTestRule('Fair visitors', shares, { sources: ['fair'], cities: ['PUNE'] })
    const { body } = await newLead(asha, { source: 'Fair', city: 'Pune' })
    const [entry] = await timelineOf(owner, body.data.id)
    assert.match(entry!.summary, /Assigned to Bela by the rule “Fair visitors”\.$/)
    assert.deepEqual(entry!.details, { via: 'api_key', via_id: asha.key.id, rule_id: id })
    await asActor(database, acme, (tx) => removeRule(tx, acme, id))
  }
})

test('deactivated users are skipped, and so is a rule with no active user', async () => {
  await addTestRule('Both', [
    [bela, 1],
    [chand, 1],
  ])
  await addTestRule('Rest', [[meena, 1]])
  await asActor(database, acme, (tx) => setActive(tx, acme, bela.id, false))
  await settled()
  assert.deepEqual(await assignees([await newLead(asha), await newLead(asha)]), {
    asha: 0,
    meena: 0,
    bela: 0,
    chand: 2,
  })
  await asActor(database, acme, (tx) => setActive(tx, acme, chand.id, false))
  await settled()
  assert.deepEqual(await assignees([await newLead(asha)]), { asha: 0, meena: 1, bela: 0, chand: 0 })
  for (const { id } of [bela, chand]) await asActor(database, acme, (tx) => setActive(tx, acme, id, true))
  await settled()
  assert.deepEqual(await assignees([await newLead(asha), await newLead(asha)]), {
    asha: 0,
    meena: 0,
    bela: 1,
    chand: 1,
  })
})

/** Every process, this one too, hears of a changed directory a moment later. */
const settled = () => setTimeout(100)

test('rules apply to leads without an owner sent with a key of an Admin; otherwise the sender gets the lead', async () => {
  await addTestRule('Only Goa', [[chand, 1]], { cities: ['Goa'] })
  for (const [sender, fields, whose] of [
    [asha, { city: 'Goa' }, chand],
    [asha, { city: 'Goa', assigned_to: bela.email }, bela],
    [asha, { city: 'Pune' }, asha],
    [meena, { city: 'Goa' }, meena],
    [bela, { city: 'Goa' }, bela],
    [zoya, { city: 'Goa' }, zoya],
  ] as const) {
    assert.equal((await newLead(sender, fields)).body.data.assigned_to, whose.email)
  }
})

test('a rule takes precedence over a webhook’s default, and a rule for one webhook applies to it only', async () => {
  const webhookWith = (name: string) =>
    asActor(database, acme, (tx) =>
      createWebhook(tx, acme, {
        name,
        source_label: name,
        default_assignee: bela.id,
        default_status: 'New',
        default_source: null,
        default_tags: [],
      }),
    )
  const [ruled, other] = [await webhookWith('Ruled'), await webhookWith('Other')]
  await addTestRule('Of one webhook', [[chand, 1]], { webhook_ids: [ruled.id] })
  for (const [webhook, whose] of [
    [ruled, chand],
    [other, bela],
  ] as const) {
    const { body } = await asha.send('POST', `/webhook/${webhook.token}`, {
      name: 'X',
      phone: `98${60_000_000 + ++made}`,
    })
    const [row] = await owner`select assigned_to from leads where id = ${body.data.id}`
    assert.equal(row!.assigned_to, whose.id)
  }
  assert.equal((await newLead(asha)).body.data.assigned_to, asha.email)
})

test('no lead is lost while a rule is removed', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await addTestRule('Short-lived', [
      [bela, 1],
      [chand, 1],
    ])
    if (round % 2) await newLead(asha)
    const leads = Array.from({ length: 20 }, () => newLead(asha))
    const removed = asActor(database, acme, (tx) => removeRule(tx, acme, id))
    const answers = await Promise.all([...leads, ...Array.from({ length: 20 }, () => newLead(asha))])
    assert.equal(await removed, true)
    for (const { status } of answers) assert.equal(status, 201)
  }
  await assertCountsHold(owner)
})

test('rules keep their order, and accounts do not see each other’s rules', async () => {
  const names = async () =>
    (await asActor(database, acme, (tx) => readRules(tx, acme.account_id))).map(({ name }) => name)
  const last = await addTestRule('Last', [[bela, 1]])
  await asActor(database, acme, (tx) =>
    addRule(tx, acme, { ...conditions, name: 'First', people: [{ user_id: chand.id, weight: 1 }] }, 1),
  )
  assert.deepEqual(await names(), ['First', 'Last'])
  assert.equal((await newLead(asha)).body.data.assigned_to, chand.email)
  assert.equal(await asActor(database, zoya.actor, (tx) => removeRule(tx, zoya.actor, last)), false)
  assert.deepEqual(await names(), ['First', 'Last'])
})
