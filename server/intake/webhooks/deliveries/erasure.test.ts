import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'
import { asActor } from '../../../platform/database/actor.ts'
import { setMapping } from '../store.ts'
import { replayDelivery } from './replay.ts'

const app = await testApp()
after(app.close)
const { acme, asha, bela, chand } = await people(app)
const { owner } = app
const web = await signedIn(app, asha)

interface User {
  name: string
  phone: string
  email: string
  words: string
}

let made = 0
function newPerson(): User {
  const n = ++made
  const mark = `${String.fromCharCode(97 + (n % 26))}${n}q`
  return {
    name: `Ilina Zhukova${mark}`,
    phone: `98${70_000_000 + n}`,
    email: `Ilina.${mark}@personal.example`,
    words: `secret${mark} words`,
  }
}

/** Every value of every table as text, bodies too. */
async function everything(): Promise<Map<string, string>> {
  const tables = await owner<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await owner.unsafe(`select * from "${name}"`)
      const text = JSON.stringify(rows, (_key, value) =>
        value?.type === 'Buffer' ? Buffer.from(value.data).toString('utf8') : value,
      )
      return [name, text] as const
    }),
  )
  return new Map([...texts, ['the log', app.lines.join('\n')]])
}

async function assertNothingLeft({ name, phone, email, words }: User, path: string) {
  for (const [table, text] of await everything()) {
    const lower = text.toLowerCase()
    for (const value of [name, email, words, encodeURIComponent(email), name.split(' ')[1]!]) {
      assert.ok(!lower.includes(value.toLowerCase()), `${path}: ${table} still holds “${value}”`)
    }
    assert.ok(!lower.replace(/[\s()+.-]/g, '').includes(phone), `${path}: ${table} still holds ${phone}`)
  }
}

async function erase(id: string) {
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${id}`)).status, 200)
}

const leadOf = async ({ phone }: User): Promise<string> =>
  (await owner`select id from leads where phone_key = ${`+91${phone}`}`)[0]?.id

const deliveriesOf = (webhookId: string) =>
  owner`select * from deliveries where webhook_id = ${webhookId} order by received_at, id`

const payloadOf = ({ name, phone, email, words }: User) => ({ name, phone, email, message: words })
const rest = ({ words, ...person }: User) => ({ ...person, notes: words })

async function mapped(webhookId: string, path: string) {
  await asActor(app.database, acme, (tx) => setMapping(tx, acme, webhookId, [{ path, field: 'phone' }]))
  app.database.cache.invalidate(acme.account_id)
}

/** By path: creates a lead of the person and all other data of theirs, and returns its id. */
const paths: Record<string, (person: User) => Promise<string>> = {
  'the REST interface': async (person) => (await asha.send('POST', '/api/v1/leads', rest(person))).body.data.id,

  'the REST interface with an Idempotency-Key': async (person) => {
    const key = { 'idempotency-key': `key-${person.phone}` }
    await asha.send('POST', '/api/v1/leads', rest(person), key)
    return (await asha.send('POST', '/api/v1/leads', rest(person), key)).body.data.id
  },

  'the web app': async (person) => {
    const { body } = await web.send('POST', '/web/leads', rest(person))
    await web.send('PATCH', `/web/leads/${body.data.id}`, { name: `${person.name} again`, city: person.words })
    await web.send('GET', `/web/leads?search=${encodeURIComponent(person.email)}`)
    await web.send('GET', `/web/leads.csv?search=${person.phone}`)
    await web.send('POST', '/web/leads/match', { phone: person.phone, email: person.email })
    return body.data.id
  },

  'a CSV import': async (person) => {
    const file = `Name,Phone,Email,Notes,Odd\n${person.name},${person.phone},${person.email},${person.words},x\n${person.name},,${person.words},,\n`
    const { status } = await web.send('POST', '/web/leads/import', file, { 'content-type': 'text/csv' })
    assert.equal(status, 200)
    return leadOf(person)
  },

  'a JSON delivery': async (person) => (await (await webhookOf(app, acme)).send(payloadOf(person))).body.data.id,

  'a batch': async (person) => {
    const webhook = await webhookOf(app, acme)
    const leads = [newPerson(), person, newPerson()].map(payloadOf)
    await webhook.send({ source: 'Expo', leads })
    return (await webhook.send({ source: 'Expo', leads })).body.data.leads[1].id
  },

  'a form': async (person) => {
    const form = new URLSearchParams(payloadOf(person)).toString()
    const webhook = await webhookOf(app, acme)
    return (await webhook.send(form, { 'content-type': 'application/x-www-form-urlencoded' })).body.data.id
  },

  'a GET delivery': async (person) => {
    const { path } = await webhookOf(app, acme)
    return (await asha.send('GET', `${path}?${new URLSearchParams(payloadOf(person))}`)).body.data.id
  },

  'a delivery with the person’s email and phone as keys, mapped by hand': async (person) => {
    const webhook = await webhookOf(app, acme)
    const { email, phone, name, words } = person
    const sent = { contacts: { [email]: { full_name: name, phone: `+91 ${phone}`, email } }, [phone]: words }
    const { body } = await webhook.send(sent)
    const path = `contacts[${JSON.stringify(email)}].phone`
    await mapped(webhook.id, path)
    await webhook.send({ ...sent, [`+91${phone}`]: { note: 'more' } })
    assert.equal(
      (await web.send('PATCH', `/web/webhooks/${webhook.id}`, { mapping: [{ path, field: 'phone' }] })).status,
      200,
    )
    await web.send('GET', `/web/webhooks/${webhook.id}`)
    return body.data.id
  },

  'a delivery with the person’s name as a key': async (person) => {
    const webhook = await webhookOf(app, acme)
    const { name, phone, email, words } = person
    await webhook.send({ name: 'Uma Pai', phone: '9820099001', [name]: words })
    const sent = { name, phone, email, attends: { [name]: 'yes' }, [`${name.toUpperCase()} comes`]: 'yes' }
    const { body } = await webhook.send({
      ...sent,
      [name.replace(' ', '_')]: '1',
      [`of-${name.replace(' ', '')}`]: '2',
    })
    await web.send('PATCH', `/web/leads/${body.data.id}`, { name: `${name} again` })
    const [seen] = await owner`select known_fields from webhooks where id = ${webhook.id}`
    assert.ok(name in seen!.known_fields && Object.keys(seen!.known_fields).length > 5)
    const [first] = await deliveriesOf(webhook.id)
    await erase(first!.lead_id)
    return body.data.id
  },

  'a merge by phone that changes the contact': async (person) => {
    const first = { ...person, phone: `97${person.phone.slice(2)}` }
    const { body } = await asha.send('POST', '/api/v1/leads', rest(first))
    await asha.send('POST', '/api/v1/leads', rest(person))
    const webhook = await webhookOf(app, acme)
    await webhook.send({ who: first.name, agent_phone: first.phone, message: 'rejected, by the old phone' })
    await erase(body.data.id)
    await assertNothingLeft(first, 'the contact of before')
    return (await asha.send('POST', '/api/v1/leads', rest(person))).body.data.id
  },

  'a delivery that was rejected, then replayed': async (person) => {
    const webhook = await webhookOf(app, acme)
    await webhook.send({ who: person.name, agent_phone: person.phone, words: person.words })
    const [delivery] = await deliveriesOf(webhook.id)
    await mapped(webhook.id, 'agent_phone')
    return (await replayDelivery(app.database, acme, delivery!.id)).lead_id!
  },

  'a delivery that made the lead, then was replayed and ignored': async (person) => {
    const webhook = await webhookOf(app, acme)
    await mapped(webhook.id, 'odd_ref')
    const { body } = await webhook.send({ who: person.name, odd_ref: person.phone, words: person.words })
    const [delivery] = await deliveriesOf(webhook.id)
    await owner`update leads set phone = null, phone_key = null, email = ${person.email}, email_key = ${person.email.toLowerCase()}
      where id = ${body.data.id}`
    await mapped(webhook.id, 'nothing_here')
    await owner`update webhooks set mapping = '[{"path":"odd_ref","field":"ignore"}]' where id = ${webhook.id}`
    app.database.cache.invalidate(acme.account_id)
    assert.equal((await replayDelivery(app.database, acme, delivery!.id)).outcome, 'ignored')
    return body.data.id
  },

  'a delivery that stays rejected, while the person comes by another': async (person) => {
    const webhook = await webhookOf(app, acme)
    const rejected = await webhook.send({ name: person.name, agent_phone: `+91-${person.phone}`, words: person.words })
    assert.equal(rejected.status, 400)
    const ignored = await webhook.send({ who: person.name, agent_phone: `+91-${person.phone}`, words: person.words })
    assert.equal(ignored.body.data.status, 'ignored')
    await webhook.send(`{"cut off": "${person.name}", "mail": "${person.email}`)
    return (await asha.send('POST', '/api/v1/leads', rest(person))).body.data.id
  },

  'a disabled webhook': async (person) => {
    const webhook = await webhookOf(app, acme)
    await owner`update webhooks set enabled = false where id = ${webhook.id}`
    app.database.cache.invalidate(acme.account_id)
    assert.equal((await webhook.send(payloadOf(person))).status, 403)
    return (await asha.send('POST', '/api/v1/leads', rest(person))).body.data.id
  },

  'a body that is too large': async (person) => {
    const webhook = await webhookOf(app, acme)
    const { status } = await webhook.send({ ...payloadOf(person), rest: 'x'.repeat(3_300_000) })
    assert.equal(status, 413)
    return (await asha.send('POST', '/api/v1/leads', rest(person))).body.data.id
  },

  'a delivery that is repeated': async (person) => {
    const webhook = await webhookOf(app, acme)
    const sent = { ...payloadOf(person), lead_id: `L-${person.phone}` }
    await webhook.send(sent)
    return (await webhook.send(sent)).body.data.id
  },

  'a test delivery': async (person) => {
    const webhook = await webhookOf(app, acme)
    await webhook.send({ ...payloadOf(person), is_test: true })
    await web.send('POST', `/web/webhooks/${webhook.id}/test`, { payload: payloadOf(person) })
    return (await asha.send('POST', '/api/v1/leads', rest(person))).body.data.id
  },

  'calls with notes': async (person) => {
    const { body } = await asha.send('POST', '/api/v1/leads', rest(person), { 'idempotency-key': `c-${person.phone}` })
    const call = { lead_id: body.data.id, call_type: 'Inbound', duration_seconds: 5, notes: person.words }
    const logged = await asha.send('POST', '/api/v1/call-logs', call, { 'idempotency-key': `d-${person.phone}` })
    await asha.send('DELETE', `/api/v1/call-logs/${logged.body.data.id}`)
    await asha.send('POST', '/api/v1/call-logs', call)
    return body.data.id
  },

  'a match that the sender cannot see': async (person) => {
    const { body } = await chand.send('POST', '/api/v1/leads', rest(person))
    await bela.send(
      'POST',
      '/api/v1/leads',
      { ...rest(person), city: person.words },
      { 'idempotency-key': `h-${person.phone}` },
    )
    return body.data.id
  },

  'an email that stays with its lead, given with the phone of another': async (person) => {
    const [byRest, byWebhook, hidden] = [newPerson(), newPerson(), newPerson()]
    const { body } = await asha.send('POST', '/api/v1/leads', { name: person.name, email: person.email })
    await asha.send('POST', '/api/v1/leads', rest(byRest))
    await asha.send(
      'POST',
      '/api/v1/leads',
      { ...rest(byRest), email: ` ${person.email.toUpperCase()}` },
      { 'idempotency-key': `e-${byRest.phone}` },
    )
    await asha.send('POST', '/api/v1/leads', rest(byWebhook))
    await (await webhookOf(app, acme)).send({ name: byWebhook.name, phone: byWebhook.phone, email: person.email })
    await chand.send('POST', '/api/v1/leads', rest(hidden))
    await bela.send(
      'POST',
      '/api/v1/leads',
      { ...rest(hidden), email: person.email },
      { 'idempotency-key': `f-${hidden.phone}` },
    )
    return body.data.id
  },
}

for (const [path, come] of Object.entries(paths)) {
  test(`nothing is left of a person after ${path}`, async () => {
    const person = newPerson()
    const id = await come(person)
    assert.ok(id, 'there is a lead')
    await erase(id)
    await assertNothingLeft(person, path)
    await assertCountsHold(owner)
  })
}

test('the data of another lead stays: its deliveries, its timeline and its contacts', async () => {
  const [person, other] = [newPerson(), newPerson()]
  const webhook = await webhookOf(app, acme)
  const { body } = await webhook.send(payloadOf(person))
  const kept = await webhook.send({ ...payloadOf(other), referred_by: person.email })
  const before = await owner`select * from timeline_entries where lead_id = ${kept.body.data.id}`
  await erase(body.data.id)
  const [, delivery] = await deliveriesOf(webhook.id)
  assert.match(String(delivery!.body), new RegExp(other.phone))
  assert.deepEqual([...(await owner`select * from timeline_entries where lead_id = ${kept.body.data.id}`)], [...before])
})

test('the IP addresses of a person leave the deliveries and the request log, and those of others stay', async () => {
  const [person, other] = [newPerson(), newPerson()]
  const webhook = await webhookOf(app, acme)
  await webhook.send({ name: person.name, agent_phone: person.phone })
  const { body } = await webhook.send(payloadOf(person))
  await webhook.send(payloadOf(other))
  const ips = async () => {
    const rows = await owner`select logged_requests.address as request, deliveries.address as delivery
      from logged_requests join deliveries using (account_id, id) where webhook_id = ${webhook.id} order by at`
    return rows.map(({ request, delivery }) => [request, delivery])
  }
  await until(async () => (await ips()).length === 3)
  await erase(body.data.id)
  assert.deepEqual(await ips(), [
    ['', ''],
    ['', ''],
    ['127.0.0.1', '127.0.0.1'],
  ])
})

test('deleting a lead that is named like a field removes no mapping, and no part of another name', async () => {
  const webhook = await webhookOf(app, acme)
  const { body } = await webhook.send({
    'Full Name': 'Full Name',
    Contact: '9820099002',
    'Full Names': 'x',
    city: 'Pune',
  })
  await mapped(webhook.id, 'Full Name')
  await erase(body.data.id)
  const [row] = await owner`select mapping, proposal, known_fields from webhooks where id = ${webhook.id}`
  assert.deepEqual(row!.mapping, [{ path: 'Full Name', field: 'phone' }])
  assert.deepEqual(Object.keys(row!.known_fields).sort(), ['Contact', 'Full Names', 'city'])
  assert.deepEqual(row!.proposal.map(({ path }: { path: string }) => path).sort(), ['Contact', 'city'])
})

test('a repetition that races the deletion of its lead is erased with it, or makes a new lead', async () => {
  for (let round = 0; round < 25; round++) {
    const person = newPerson()
    const webhook = await webhookOf(app, acme)
    const sent = { ...payloadOf(person), lead_id: `R-${round}` }
    const { body } = await webhook.send(sent)
    const answers = await Promise.all([
      webhook.send(sent),
      webhook.send(sent),
      asha.send('DELETE', `/api/v1/leads/${body.data.id}`),
      webhook.send(sent),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const orphans = await owner`select id from deliveries where webhook_id = ${webhook.id} and body is not null
      and not exists (select 1 from leads where leads.account_id = deliveries.account_id and leads.id = lead_id)`
    assert.deepEqual([...orphans], [], `round ${round}`)
    const again = await leadOf(person)
    if (again) await erase(again)
    await assertNothingLeft(person, `round ${round}`)
  }
})

test('a replay that races the deletion of its person does not bring them back', async () => {
  const webhook = await webhookOf(app, acme)
  for (let round = 0; round < 25; round++) {
    const person = newPerson()
    await mapped(webhook.id, 'nothing')
    await webhook.send({ who: person.name, agent_phone: person.phone, words: person.words })
    const [delivery] = await owner`select id from deliveries where webhook_id = ${webhook.id} and body is not null
      and outcome = 'ignored' order by received_at desc limit 1`
    await mapped(webhook.id, 'agent_phone')
    const id = (await asha.send('POST', '/api/v1/leads', rest(person))).body.data.id
    const replays = [1, 2].map(() => replayDelivery(app.database, acme, delivery!.id).catch((error: unknown) => error))
    await Promise.all([...replays, asha.send('DELETE', `/api/v1/leads/${id}`)])
    const left = await leadOf(person)
    assert.equal(left, undefined, `round ${round}: a replay that began before the deletion made a lead after it`)
    await assertNothingLeft(person, `round ${round}`)
  }
  await assertCountsHold(owner)
})

test('an erased delivery needs no attention, and no hash of its body is left', async () => {
  const [erased] = await owner<{ n: number; marked: number }[]>`select count(*)::int as n,
    count(*) filter (where attention or body_hash is not null)::int as marked from deliveries where body is null`
  assert.ok(erased!.n > 0)
  assert.equal(erased!.marked, 0)
})
