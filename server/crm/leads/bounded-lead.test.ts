import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { timelineOf } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { replayDelivery } from '../../intake/webhooks/deliveries/replay.ts'
import type { LeadInFull, TimelineEntry } from './contract.ts'
import { laterMessages } from './notes.ts'

let now = new Date('2026-11-21T05:00:00Z')
const later = () => {
  now = new Date(now.getTime() + 60_000)
}
const app = await testApp({}, () => now)
after(app.close)
const { acme, asha, bela } = await people(app)
const admin = (await signedIn(app, asha))!
const { owner } = app

/** The lead's page, and its bytes. */
async function page(id: string): Promise<{ lead: LeadInFull; bytes: number }> {
  const { status, body } = await admin.send('GET', `/web/leads/${id}`)
  assert.equal(status, 200, JSON.stringify(body))
  return { lead: body.data, bytes: Buffer.byteLength(JSON.stringify(body)) }
}

const maxBytes = 256 * 1024

async function timelineBytes(id: string): Promise<number> {
  const [row] =
    await owner`select sum(octet_length(details::text))::int as n from timeline_entries where lead_id = ${id}`
  return row!.n
}

test('each of many long messages to one phone is saved once, and the lead’s page stays small', async () => {
  const webhook = await webhookOf(app, acme)
  const messages = Array.from({ length: 60 }, (_, n) => `${n} ${'word '.repeat(2000)}`.trim())
  let id = ''
  for (const message of messages) {
    later()
    const { status, body } = await webhook.send({ name: 'Ravi', phone: '98100 55501', message })
    assert.equal(status, 200)
    id = body.data.id
  }
  const sent = messages.join('').length
  assert.ok((await timelineBytes(id)) < 1.1 * sent)
  const { lead, bytes } = await page(id)
  assert.ok(bytes < 100_000, `${bytes} bytes`)
  assert.ok(lead.notes!.length <= 20_000)
  assert.equal(lead.notes!.split(laterMessages).length, 2)
  assert.ok(lead.notes!.endsWith(laterMessages))

  const entries: TimelineEntry[] = [...lead.timeline.entries]
  for (let { next } = lead.timeline; next !== null; ) {
    const { body } = await admin.send('GET', `/web/leads/${id}/timeline?before=${next}`)
    entries.push(...body.data.entries)
    next = body.data.next
  }
  assert.equal(entries.length, messages.length)
  assert.deepEqual([lead.timeline.total, new Set(entries.map((entry) => entry.id)).size], [60, 60])
  const [newest] = entries
  assert.equal(newest!.cut, true)
  assert.match(newest!.summary, /matched by phone\. Nothing changed\. The notes are full: the message is saved here\.$/)
  assert.ok(newest!.details.message!.length < 600)
  const whole = await admin.send('GET', `/web/leads/${id}/timeline/${newest!.id}`)
  assert.deepEqual([whole.body.data.details.message, whole.body.data.cut], [messages.at(-1), false])
  const kept = (await timelineOf(owner, id)).map(({ details }) => details.message)
  assert.deepEqual(
    kept.filter((message) => message !== undefined),
    messages.slice(1),
  )
})

test('a replay repeats neither a message that is only on the timeline nor one that a user removed from the notes', async () => {
  const notes = 'x'.repeat(19_990)
  const { body } = await asha.send('POST', '/api/v1/leads', { name: 'Vani', phone: '98100 55503', notes })
  const { id } = body.data
  const webhook = await webhookOf(app, acme)
  later()
  await webhook.send({ name: 'Vani', phone: '98100 55503', message: 'Is it still free?' })
  const deliveries = await owner`select id from deliveries where webhook_id = ${webhook.id}`
  const before = await timelineOf(owner, id)
  assert.equal(before.at(-1)!.details.message, 'Is it still free?')
  for (let time = 0; time < 2; time++)
    assert.equal((await replayDelivery(app.database, acme, deliveries[0]!.id)).error, null)
  assert.deepEqual(await timelineOf(owner, id), before)

  const other = await asha.send('POST', '/api/v1/leads', { name: 'Usha', phone: '98100 55504', notes: 'Known' })
  later()
  await webhook.send({ name: 'Usha', phone: '98100 55504', message: 'Two rooms' })
  const replaced = await asha.send('POST', '/api/v1/leads', { name: 'Usha', phone: '98100 55504', notes: 'Short' })
  const [delivery] = await owner`select id from deliveries where lead_id = ${other.body.data.id}`
  assert.equal((await replayDelivery(app.database, acme, delivery!.id)).error, null)
  assert.equal((await page(other.body.data.id)).lead.notes, replaced.body.data.notes)
})

test('notes that the API replaces repeatedly are each saved once', async () => {
  const texts = Array.from({ length: 20 }, (_, n) => `${n} ${'text '.repeat(3000)}`.trim())
  let id = ''
  for (const notes of texts) {
    later()
    const { body } = await asha.send('POST', '/api/v1/leads', { name: 'Sita', phone: '98100 55502', notes })
    id = body.data.id
  }
  assert.ok((await timelineBytes(id)) < 1.1 * texts.join('').length)
  const replaced = (await timelineOf(owner, id)).flatMap(({ details }) => details.changes ?? [])
  assert.deepEqual(
    replaced,
    texts.slice(0, -1).map((before) => ({ field: 'notes', before })),
  )
})

test('a lead has at most 200 tags from any source, and tags beyond the limit are named', async () => {
  const tags = (from: number, n: number) => Array.from({ length: n }, (_, i) => `t${from + i}`)
  const send = (given: object) => asha.send('POST', '/api/v1/leads', { name: 'Tara', phone: '98100 55505', ...given })
  assert.equal((await send({ tags: tags(0, 51) })).body.error.field, 'tags')
  const { id } = (await send({ tags: tags(0, 50) })).body.data
  for (const from of [50, 100, 149]) await send({ tags: tags(from, 50) })
  const { body } = await send({ tags: ['t1', 'late', 'later'] })
  assert.equal(body.data.tags.length, 200)
  const entry = (await timelineOf(owner, id)).at(-1)!
  assert.deepEqual(entry.details.not_taken, [
    { field: 'tags', offered: ['later'], reason: 'a lead holds at most 200 tags' },
  ])
  assert.match(entry.summary, /tags: \+late\. Not taken: tags\.$/)
  const webhook = await webhookOf(app, acme, { default_tags: ['portal'] })
  await webhook.send({ name: 'Tara', phone: '98100 55505' })
  assert.deepEqual((await page(id)).lead.tags.length, 200)
  assert.deepEqual((await timelineOf(owner, id)).at(-1)!.details.not_taken[0].offered, ['portal'])
  const refused = await admin.send('PATCH', `/web/leads/${id}`, { add_tags: ['one more'] })
  assert.deepEqual([refused.status, refused.body.error.field], [400, 'add_tags'])
  const swapped = await admin.send('PATCH', `/web/leads/${id}`, { add_tags: ['one more'], remove_tags: ['t0', 'gone'] })
  assert.deepEqual([swapped.body.data.tags.length, swapped.body.data.tags.at(-1)], [200, 'one more'])
})

test('the page of a lead with the longest values, of four-byte characters, stays below 256 KiB', async () => {
  const wide = (length: number) => '\u{1F600}'.repeat(length)
  const tags = Array.from({ length: 50 }, (_, n) => `${n} ${wide(90)}`)
  const fields = { name: wide(200), company: wide(200), city: wide(200), source: wide(200), tags, notes: wide(20_000) }
  const { body } = await asha.send('POST', '/api/v1/leads', { phone: '98100 55506', ...fields })
  const { id } = body.data
  for (const set of [1, 2, 3]) {
    await asha.send('POST', '/api/v1/leads', {
      phone: '98100 55506',
      name: `${set}${wide(199)}`,
      company: `${set}${wide(199)}`,
      city: `${set}${wide(199)}`,
      tags: tags.map((tag) => `${set} ${tag}`),
      notes: `${set}${wide(19_999)}`,
    })
  }
  for (let n = 0; n < 30; n++) {
    const call = { lead_id: id, call_type: 'Inbound', duration_seconds: n, notes: `${n} "\n${wide(19_900)}` }
    assert.equal((await asha.send('POST', '/api/v1/call-logs', call)).status, 201)
    const notes = `${n} ${wide(19_000)}`
    await asha.send('POST', '/api/v1/leads', { name: `${n} ${wide(190)}`, phone: '98100 55506', notes })
  }
  await owner`update call_logs set review = 'To improve', review_remark = ${wide(1000)}, reviewed_by = ${asha.id}, reviewed_at = ${now}
    where lead_id = ${id}`
  const { lead, bytes } = await page(id)
  assert.ok(bytes < maxBytes, `${bytes} bytes`)
  assert.ok(lead.calls.calls.length > 0 && lead.timeline.entries.length > 0)
  assert.deepEqual([lead.tags.length, lead.calls.total], [200, 30])
  assert.equal(lead.calls.calls[0]!.notes_cut, true)
  const call = await admin.send('GET', `/web/calls/${lead.calls.calls[0]!.id}`)
  assert.ok(/^\d+ "\n(\u{1F600}){19900}$/u.test(call.body.data.notes))
  for (const path of [`/web/leads/${id}/timeline?limit=100`, '/web/leads', `/web/calls?lead_id=${id}`]) {
    const { body } = await admin.send('GET', path)
    assert.ok(Buffer.byteLength(JSON.stringify(body)) < maxBytes, path)
  }
})

test('an older entry with the notes before and after is shown cut and can be read in full', async () => {
  const { body } = await bela.send('POST', '/api/v1/leads', { name: 'Old', phone: '98100 55507' })
  const { id } = body.data
  const before = 'a'.repeat(300_000)
  const details = {
    via: 'webhook',
    via_id: null,
    matched: ['phone'],
    not_taken: [],
    changes: [
      { field: 'notes', before, after: `${before}\n\nmore` },
      { field: 'tags', before: ['a'], after: Array.from({ length: 400 }, (_, n) => `t${n}`) },
    ],
  }
  await owner`insert into timeline_entries (account_id, lead_id, assigned_to, at, kind, summary, details)
    values (${acme.account_id}, ${id}, ${bela.id}, ${now}, 'merged', 'Merged.', ${owner.json(details)})`
  const { lead, bytes } = await page(id)
  assert.ok(bytes < 10_000, `${bytes} bytes`)
  const [entry] = lead.timeline.entries
  assert.deepEqual([entry!.cut, (entry!.details.changes![0]!.after as string).length], [true, 501])
  const whole = await admin.send('GET', `/web/leads/${id}/timeline/${entry!.id}`)
  assert.deepEqual(whole.body.data.details, details)
})
