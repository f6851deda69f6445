import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'

/** What people type and systems send, in spellings that are less common. */

const app = await testApp()
after(app.close)
const { owner } = app
const { asha } = await people(app)
const [browser, webhook] = await Promise.all([signedIn(app, asha), webhookOf(app, asha.actor)])

let made = 0
const newPhone = () => `96${String(40_000_000 + ++made)}`
const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function leadOf(body: unknown, headers: Record<string, string> = {}) {
  const { status, body: answer } = await webhook.send(body, headers)
  assert.equal(status, 200, JSON.stringify(answer))
  const [lead] = await owner`select * from leads where id = ${answer.data.id}`
  return lead!
}

const lastDelivery = async () =>
  (
    await owner`select * from deliveries where webhook_id = ${webhook.id} order by received_at desc, id desc limit 1`
  )[0]!

const names = [
  'Asha & Ravi',
  'Ravi! Kumar',
  'Is it Ravi?',
  'Ravi | Mumbai',
  '#Ravi',
  'ravi@home',
  'Ravi {Kumar}',
  'Ravi <Kumar',
  'Ravi > Kumar',
  'Flat 302 B wing Ravi 1234',
  '2 Brothers',
  'Sean O’Brien',
  'Jennifer Null',
  'आशा राव',
]
for (const name of names) {
  test(`the name ${name} is kept, in JSON and in a form`, async () => {
    assert.equal((await leadOf({ name, phone: newPhone() })).name, name)
    const body = new URLSearchParams({ full_name: name, mobile: newPhone() }).toString()
    assert.equal((await leadOf(body, form)).name, name)
  })
}

test('any name with letters and signs is kept', async () => {
  const signs = fc.constantFrom(...'&!?|#@{}<>0123456789 "\'.,-/()')
  const name = fc
    .array(signs, { maxLength: 5 })
    .map((some) => `Asha ${some.join('')} Rao`.replace(/\s+/g, ' '))
    .filter((text) => !text.includes('<br'))
  const property = fc.asyncProperty(name, async (text) => {
    assert.equal((await leadOf({ name: text, phone: newPhone() })).name, text)
  })
  await fc.assert(property, { numRuns: 30, seed: 3 })
})

for (const surname of ['Null', 'Nil', 'Na', 'Nan', 'None', 'True']) {
  test(`${surname} beside a first name is a surname`, async () => {
    assert.equal(
      (await leadOf({ first_name: 'Jennifer', last_name: surname, phone: newPhone() })).name,
      `Jennifer ${surname}`,
    )
    assert.equal(
      (await leadOf({ first_name: 'Jennifer', last_name: surname.toLowerCase(), phone: newPhone() })).name,
      'Jennifer',
    )
  })
}

test('a surname such as Null is kept under keys that are mapped by hand, in every shape', async () => {
  const hook = await webhookOf(app, asha.actor)
  const mapping = [
    { path: 'f1', field: 'first_name' },
    { path: 'f2', field: 'last_name' },
    { path: 'person.f1', field: 'first_name' },
    { path: 'person.f2', field: 'last_name' },
    { path: 'answers.f1', field: 'first_name' },
    { path: 'answers.f2', field: 'last_name' },
  ]
  assert.equal((await browser.send('PATCH', `/web/webhooks/${hook.id}`, { mapping })).status, 200)
  const nameOf = async (body: unknown, headers: Record<string, string> = {}) => {
    const { status, body: answer } = await hook.send(body, headers)
    assert.equal(status, 200, JSON.stringify(answer))
    return (await owner`select name from leads where id = ${answer.data.id}`)[0]!.name
  }
  const pairs = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }))
  for (const surname of ['Null', 'Nil', 'Na', 'Nan', 'None', 'True']) {
    const name = { f1: 'Chris', f2: surname }
    const query = (values: Record<string, string>) => new URLSearchParams(values).toString()
    assert.equal(await nameOf({ ...name, phone: newPhone() }), `Chris ${surname}`)
    assert.equal(await nameOf({ person: name, phone: newPhone() }), `Chris ${surname}`)
    assert.equal(await nameOf({ answers: pairs({ ...name, phone: newPhone() }) }), `Chris ${surname}`)
    assert.equal(await nameOf(query({ ...name, phone: newPhone() }), form), `Chris ${surname}`)
    const nested = { 'person[f1]': 'Chris', 'person[f2]': surname, phone: newPhone() }
    assert.equal(await nameOf(query(nested), form), `Chris ${surname}`)
  }
  assert.equal(await nameOf({ f1: 'Chris', f2: 'null', phone: newPhone() }), 'Chris')
})

test('a placeholder under the key of a name is none', async () => {
  for (const name of ['', ' ', '-', 'N/A', 'null', '*|FNAME|*', '{{name}}', '{name}', '[name]']) {
    const phone = newPhone()
    assert.equal((await leadOf({ name, phone })).name, phone, name)
  }
})

test('entities and escapes are decoded once in every text', async () => {
  const lead = await leadOf({
    name: 'Sean O&#039;Brien &amp; Sons',
    phone: newPhone(),
    city: 'S&atilde;o&nbsp;Paulo',
    company: 'Rao \\"Best\\" Traders',
    message: 'First line<br />Second &lt;line&gt; &amp;amp; more',
  })
  assert.deepEqual(
    [lead.name, lead.city, lead.company, lead.notes],
    ["Sean O'Brien & Sons", 'São Paulo', 'Rao "Best" Traders', 'First line\nSecond <line> &amp; more'],
  )
})

test('of a field that is sent several times, empty and equal values do not count', async () => {
  const fields = { name: 'Asha Rao', city: 'Pune', message: 'Call me', email: 'twice@example.com', deal_value: '500' }
  const twice = (list: (value: string) => string[]) => {
    const phone = newPhone()
    const all = { ...fields, email: `t${made}@example.com`, phone }
    const pairs = Object.entries(all).flatMap(([key, value]) => list(value).map((one): [string, string] => [key, one]))
    const multipart = new FormData()
    for (const [key, value] of pairs) multipart.append(key, value)
    const json = Object.fromEntries(Object.entries(all).map(([key, value]) => [key, list(value)]))
    const query = new URLSearchParams(pairs).toString()
    const brackets = new URLSearchParams(pairs.map(([key, value]) => [`${key}[]`, value])).toString()
    return { all, json, query, brackets, multipart }
  }
  for (const list of [
    (value: string) => ['', value],
    (value: string) => [value, ''],
    (value: string) => [value, value],
    (value: string) => ['', value, value, ''],
  ]) {
    const of = twice(list)
    const bodies: [unknown, Record<string, string>][] = [
      [of.json, {}],
      [of.query, form],
      [of.brackets, form],
    ]
    for (const [body, headers] of bodies) {
      const lead = await leadOf(body, headers)
      const { name, city, notes, email, phone, deal_value } = lead
      const { message, deal_value: deal, ...rest } = of.all
      assert.deepEqual(
        { name, city, email, phone, notes: notes.split('\n').at(-1), deal: Number(deal_value) },
        { ...rest, notes: message, deal: Number(deal) },
        JSON.stringify(body),
      )
    }
    const byGet = twice(list)
    const got = await fetch(`${app.url}${webhook.path}?${byGet.query}`)
    const { data } = (await got.json()) as { data: { id: string } }
    const [lead] = await owner`select name, phone from leads where id = ${data.id}`
    assert.deepEqual({ ...lead }, { name: 'Asha Rao', phone: byGet.all.phone })
    const byMultipart = await fetch(app.url + webhook.path, { method: 'POST', body: twice(list).multipart })
    assert.equal(byMultipart.status, 200)
  }
})

test('status, priority, value and tags of a form are read with brackets, and empty ones do not count', async () => {
  const stated = async (query: string) => {
    const { status, priority, deal_value, tags } = await leadOf(`name=Asha&phone=${newPhone()}&${query}`, form)
    return [status, priority, deal_value === null ? null : Number(deal_value), tags]
  }
  for (const query of [
    'status[]=Won&priority[]=high&deal_value[]=500&tags[]=Hot&tags[]=Fair',
    'status%5B%5D=&status%5B%5D=won&priority[0]=High&deal_value[0]=500&tags[0]=Hot&tags[1]=Fair&tags[2]=',
    'status=&status[]=Won&status[]=Won&priority[]=High&deal_value[]=500&deal_value[]=&tags[]=&tags[]=Hot, Fair',
  ])
    assert.deepEqual(await stated(query), ['Won', 'High', 500, ['Hot', 'Fair']], query)
  const unset = await stated('')
  assert.deepEqual(await stated('status[]=&priority[0]=&deal_value[]=&tags[]=&tags[]='), unset)
})

const chat = (more: object) => ({ messageId: 'm', chatId: '919812004417@c.us', text: 'Our price list', ...more })
const own: [title: string, payload: object][] = [
  ['fromMe', chat({ fromMe: true, from: '919812004417@c.us', body: 'hi' })],
  ['from_me as text', chat({ from_me: 'true', phone: '919812004417' })],
  ['owner', chat({ owner: true, waId: '919812004417', senderName: 'Ravi of the shop' })],
  [
    'deep',
    { event: 'upsert', data: { messages: [{ key: { fromMe: true, remoteJid: '919812004417@s.whatsapp.net' } }] } },
  ],
  ['deep, without a chat beside it', { data: { deep: { er: { key: { fromMe: true } } }, phone: '919812004417' } }],
  ['beside a chat', { from_me: true, chat: { phone: '919812004417', name: 'Asha' } }],
  ['an echo', { message: { is_echo: true, text: 'Our price list' }, contact: { phone: '919812004417' } }],
  ['in a text with JSON', { payload: JSON.stringify({ fromMe: true, phone: '919812004417', body: 'Hi' }) }],
  ['in the keys of a form', { 'data[key][fromMe]': 'true', 'data[phone]': '919812004417' }],
  [
    'Green API',
    {
      typeWebhook: 'outgoingAPIMessageReceived',
      senderData: { chatId: '919812004417@c.us', chatName: 'Asha' },
      messageData: { textMessageData: { textMessage: 'Hi' } },
    },
  ],
  ['Green API, its status', { typeWebhook: 'outgoingMessageStatus', chatId: '919812004417@c.us', status: 'delivered' }],
  ['WATI', { eventType: 'sessionMessageSent', waId: '919812004417', text: 'Hi', operatorName: 'Ravi' }],
  ['WATI, a template', { eventType: 'templateMessageSent', waId: '919812004417', text: 'Hi' }],
  [
    'Gupshup',
    { app: 'Shop', type: 'message-event', payload: { type: 'delivered', destination: '919812004417', id: 'x' } },
  ],
]
for (const [title, payload] of own) {
  test(`a message that the business itself sent makes no lead: ${title}`, async () => {
    const before = await world(owner)
    const { status, body } = await webhook.send(payload)
    assert.deepEqual([status, body.data], [200, { id: null, status: 'ignored' }])
    const now = await world(owner)
    assert.deepEqual([now.leads, now.timeline_entries], [before.leads, before.timeline_entries])
    assert.match((await lastDelivery()).error, /the business itself sent/)
  })
}

test('of several marks the outermost decides, so an answer to the business is a lead', async () => {
  const lead = await leadOf({
    fromMe: false,
    chatId: '919640099999@c.us',
    from: '919640099999@c.us',
    body: 'How much?',
    quoted: { fromMe: true, chatId: '919640099999@c.us', body: 'Our list' },
  })
  assert.equal(lead.phone_key, '+919640099999')
})

test('so is a message without a mark beside a quoted one of the business, and a form that asks the same', async () => {
  for (const more of [
    { body: 'How much?', quotedMsg: { fromMe: true, body: 'Our list' } },
    { quotedMsg: { fromMe: true }, data: { key: { fromMe: false } } },
    { owner: true, message: 'I own a flat' },
    { email: 'own@example.com', from_me: true, message: 'A gift' },
    { form_id: 7, answers: { from_me: true } },
    { 'From me?': true },
  ]) {
    const phone = newPhone()
    const email = 'email' in more ? { email: `own${made}@example.com` } : {}
    assert.equal((await leadOf({ name: 'Asha Rao', phone, ...more, ...email })).phone, phone, JSON.stringify(more))
  }
})

test('a line break that is not escaped is read, with a warning', async () => {
  const phone = newPhone()
  const lead = await leadOf(`{"name": "Asha Rao", "message": "First\nsecond\t\\"third\\"", "phone": "${phone}"}`)
  assert.deepEqual([lead.name, lead.phone, lead.notes], ['Asha Rao', phone, 'First\nsecond\t"third"'])
  assert.match(JSON.stringify((await lastDelivery()).warnings), /line break that is not escaped/)
  const before = await world(owner)
  const { status } = await webhook.send(`{"name": "Asha\nRao", "phone": ${phone}`)
  assert.equal(status, 400)
  assert.deepEqual((await world(owner)).leads, before.leads)
})

test('so is one in JSON within a text, in JSON and in a form', async () => {
  const sent = (phone: string) => `{"name": "Asha Rao", "message": "First\nsecond\t\\"third\\"", "phone": "${phone}"}`
  const bodies: [body: (text: string) => unknown, headers: Record<string, string>][] = [
    [(text) => ({ payload: text }), {}],
    [(text) => JSON.stringify(text), {}],
    [(text) => new URLSearchParams({ id: '7', rawRequest: text }).toString(), form],
  ]
  for (const [body, headers] of bodies) {
    const phone = newPhone()
    const lead = await leadOf(body(sent(phone)), headers)
    assert.deepEqual([lead.name, lead.phone, lead.notes], ['Asha Rao', phone, 'First\nsecond\t"third"'])
    assert.equal(JSON.stringify((await lastDelivery()).warnings).split('line break that is not escaped').length, 2)
  }
})

test('a plus in the email of a form is read, with a warning, and stays a space elsewhere', async () => {
  const lead = await leadOf(
    `name=Asha+Rao&email=asha${made}+shop@example.com&message=a+b@x.in&phone=${newPhone()}`,
    form,
  )
  assert.deepEqual([lead.name, lead.email, lead.notes], ['Asha Rao', `asha${made - 1}+shop@example.com`, 'a b@x.in'])
  assert.match(JSON.stringify((await lastDelivery()).warnings), /plus is not escaped/)
  const escaped = await leadOf(`name=Uma&e-mail=uma${made}%2Bx@example.com`, form)
  assert.equal(escaped.email, `uma${made}+x@example.com`)
})

test('an invalid phone without another contact is named, and nothing is said to be kept', async () => {
  const before = await world(owner)
  const { status, body } = await webhook.send({ name: 'Asha Rao', phone: '12 ask me' })
  assert.deepEqual([status, body.error.field], [400, 'phone'])
  assert.equal(body.error.message, '“12 ask me” is not a valid phone number, and there is no other contact.')
  assert.deepEqual((await world(owner)).leads, before.leads)
  assert.doesNotMatch(JSON.stringify((await lastDelivery()).warnings), /kept/)
})

test('an ignored delivery that the saved mapping reads is offered for replay', async () => {
  const hook = await webhookOf(app, asha.actor)
  await hook.send({ name: 'First', phone: newPhone() })
  const { body } = await hook.send({ event: 'thing.done', ref_id: newPhone() })
  assert.equal(body.data.status, 'ignored')
  const replayable = async () => (await browser.send('GET', `/web/webhooks/${hook.id}/replay`)).body.data.ignored
  assert.equal(await replayable(), 0)
  // No mapping makes a lead of the business's own message.
  await hook.send({ ...chat({ fromMe: true }), ref_id: newPhone() })
  const mapping = [{ path: 'ref_id', field: 'phone' }]
  assert.equal((await browser.send('PATCH', `/web/webhooks/${hook.id}`, { mapping })).status, 200)
  assert.equal(await replayable(), 1)
  const { body: run } = await browser.send('POST', `/web/webhooks/${hook.id}/replay`, {})
  assert.ok(run.data.results.some(({ outcome }: { outcome: string }) => outcome === 'created'))
})
