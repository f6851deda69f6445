import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { someOf } from '#test/budget.ts'
import { samplePayloads } from '#test/labelled-payloads.ts'
import { account, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { findAccount } from '../../../access/account/users.ts'
import { asActor } from '../../../platform/database/actor.ts'
import { webhookById } from '../store.ts'
import { previewDelivery } from './preview-delivery.ts'
import { processDelivery } from './process-delivery.ts'
import { deliveryReader } from './read-delivery.ts'
import type { Settled } from './settle.ts'

const app = await testApp()
after(app.close)
const { acme, asha } = await people(app)
const admin = await signedIn(app, asha)
const { database, owner } = app

type Sample = [name: string, payload: unknown]

const senders = join(import.meta.dirname, '../../payload/senders')
const ofSenders = globSync('*/sample*.json', { cwd: senders })
  .sort()
  .map((file): Sample => [file, JSON.parse(readFileSync(join(senders, file), 'utf8')).payload])
const labelled = samplePayloads.map(({ platform, payload }): Sample => [platform, payload])

/** What a settled delivery was: a call without the number is ignored while no other event of it has come. */
function kindOf({ outcome, error }: Settled) {
  if (error?.startsWith('An event of a call without the number')) return 'call'
  return outcome === 'created' || outcome === 'merged' || outcome === 'duplicate' ? 'lead' : outcome
}

async function compare([name, payload]: Sample) {
  const actor = await account(database, name)
  const { id } = await webhookOf(app, actor)
  const { account_id } = actor
  const webhook = (await asActor(database, actor, (tx) => webhookById(tx, account_id, id)))!
  const delivery = {
    account_id,
    id: randomUUID(),
    webhook_id: id,
    received_at: new Date(),
    address: '203.0.113.7',
    content_type: 'application/json',
    body: Buffer.from(JSON.stringify(payload)),
  }
  const preview = await previewDelivery(database, webhook, delivery, 'en')
  const context = {
    database,
    reader: deliveryReader,
    account: await findAccount(database, account_id),
    webhook,
    delivery,
  }
  const settled = await processDelivery({ ...context, stage: 'new' })
  const [first = settled] = settled.records ?? []
  assert.equal(preview.outcome, kindOf(first), name)
  if (preview.outcome !== 'call') assert.equal(preview.error, first.error, name)
  const kinds = settled.records?.map(kindOf) ?? []
  const count = (...some: string[]) => kinds.filter((kind) => some.includes(kind)).length
  const { leads, ignored, rejected } = preview.records ?? { leads: 0, ignored: 0, rejected: 0 }
  assert.deepEqual(
    [leads, ignored, rejected],
    [count('lead'), count('ignored', 'test', 'call'), count('rejected')],
    name,
  )
  // Another record of a batch may have changed the lead.
  if (!preview.lead || settled.records || first.outcome !== 'created') return
  const [lead] = await owner`select * from leads where account_id = ${account_id} and id = ${first.lead_id}`
  for (const field of ['name', 'phone', 'email', 'source', 'status', 'notes'] as const)
    assert.equal(preview.lead[field], lead![field], `${name}: ${field}`)
}

for (const [what, samples] of [
  ['samples of senders', someOf(ofSenders, 0)],
  ['labelled payloads', someOf(labelled, 0)],
] as const)
  test(`the previews of ${samples.length} ${what} show what processing makes of them`, async () => {
    const left = [...samples]
    const compareSome = async () => {
      for (let sample = left.shift(); sample; sample = left.shift()) await compare(sample)
    }
    await Promise.all(Array.from({ length: 4 }, compareSome))
  })

for (const [what, payload, outcome, reason] of [
  [
    'a message of the business',
    { event: 'message', fromMe: true, senderName: 'Ravi Kumar', phone: '919810099001', text: 'Hello' },
    'ignored',
    /^A message that the business itself sent/,
  ],
  [
    'a message of an operator',
    JSON.parse(readFileSync(join(senders, 'wati/sample-operator.json'), 'utf8')).payload,
    'ignored',
    /^A message that the business itself sent/,
  ],
  [
    'a test lead of the platform',
    { is_test: true, full_name: 'Ravi Kumar', phone_number: '9810099001' },
    'test',
    /^A test lead of the platform/,
  ],
  ['a ping', { event: 'ping' }, 'ignored', /^No lead field was recognised/],
  ['a payload without a contact', { name: 'Ravi Kumar', city: 'Pune' }, 'rejected', /^No email and no phone was found/],
] as const)
  test(`the preview of ${what} says what a replay does`, async () => {
    const { id, send } = await webhookOf(app, acme)
    await send(payload)
    const [delivery] = await owner`select id, outcome, error from deliveries where webhook_id = ${id}`
    const { status, body } = await admin.send('GET', `/web/deliveries/${delivery!.id}/preview`)
    assert.equal(status, 200)
    assert.deepEqual([body.data.outcome, body.data.lead, delivery!.outcome], [outcome, null, outcome])
    assert.match(body.data.error, reason)
    assert.equal(body.data.error, delivery!.error)
    const replayed = await admin.send('POST', `/web/deliveries/${delivery!.id}/replay`)
    assert.deepEqual([replayed.body.data.outcome, replayed.body.data.error], [outcome, delivery!.error])
  })
