import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold, timelineOf, world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { maxOtherContacts } from './fields.ts'

const app = await testApp()
after(app.close)
const { asha, bela, chand } = await people(app)
const { owner } = app
const [browser, belasBrowser, webhook] = await Promise.all([
  signedIn(app, asha),
  signedIn(app, bela),
  webhookOf(app, asha.actor),
])

let made = 0
const newPhone = () => `97${String(30_000_000 + ++made)}`
const newEmail = () => `person${++made}@example.com`

const create = (lead: object, player = asha) => player.send('POST', '/api/v1/leads', lead)
const page = async (id: string) => (await browser.send('GET', `/web/leads/${id}`)).body.data
const others = async (id: string) => (await page(id)).other_contacts.map(({ value }: { value: string }) => value)

test('a merge through the API keeps the phone and the email that it replaces, and both match from then on', async () => {
  const [phone, email, phone2, email2] = [newPhone(), newEmail(), newPhone(), newEmail()]
  const { id } = (await create({ name: 'Ravi', phone, email })).body.data
  assert.equal((await create({ name: 'Ravi', phone: phone2, email })).body.data.phone, phone2)
  assert.equal((await create({ name: 'Ravi', phone: phone2, email: email2 })).body.data.email, email2)
  assert.deepEqual(await others(id), [phone, email])
  assert.match((await timelineOf(owner, id)).at(-1)!.summary, /other contacts: added /)

  for (const contact of [{ phone: `+91 ${phone}` }, { email: email.toUpperCase() }]) {
    const { status, body } = await create({ name: 'Ravi', ...contact })
    assert.deepEqual([status, body.data.id], [200, id])
  }
  // The first ones again: what they replace changes places with them.
  assert.deepEqual((await others(id)).sort(), [email2, phone2].sort())
})

test('a webhook adds another phone and another email beside the first ones', async () => {
  const [phone, email, phone2, email2] = [newPhone(), newEmail(), newPhone(), newEmail()]
  const { id } = (await webhook.send({ name: 'Uma', phone, email })).body.data
  assert.equal((await webhook.send({ name: 'Uma', phone, email: email2 })).body.data.status, 'merged')
  assert.equal((await webhook.send({ name: 'Uma', phone: phone2, email })).body.data.status, 'merged')
  assert.deepEqual(await others(id), [email2, phone2])
  const lead = await page(id)
  assert.deepEqual([lead.phone, lead.email], [phone, email])
  const { body } = await webhook.send({ name: 'Somebody', phone: `0${phone2}` })
  assert.equal(body.data.id, id)
  assert.match((await timelineOf(owner, id)).at(-1)!.summary, /matched by phone\. Nothing changed/)
})

test('the same phone and email in another spelling are not named as not taken', async () => {
  const [phone, email] = [newPhone(), newEmail()]
  const { id } = (await create({ name: 'Kiran', phone, email })).body.data
  await webhook.send({ name: 'Kiran', phone: `+91 ${phone}`, email: email.toUpperCase(), city: 'Pune' })
  const entry = (await timelineOf(owner, id)).at(-1)!
  assert.match(entry.summary, /matched by phone and email\. Changed city: none → Pune\.$/)
  const lead = await page(id)
  assert.deepEqual([lead.phone, lead.email, await others(id)], [phone, email, []])
})

test('a contact of another lead stays with it, and the two leads are recorded as a conflict', async () => {
  const [phone, phone2, email] = [newPhone(), newPhone(), newEmail()]
  const first = (await webhook.send({ name: 'Nita', phone, email })).body.data.id
  const second = (await webhook.send({ name: 'Other', phone: phone2 })).body.data.id
  assert.equal((await webhook.send({ name: 'Nita', phone: phone2, email })).body.data.id, second)
  assert.deepEqual([await others(first), await others(second)], [[], []])
  const conflicts = await owner`select lead_id, other_lead_id from lead_conflicts
    where lead_id = ${second} or other_lead_id = ${second}`
  const [lead_id, other_lead_id] = [first, second].sort()
  assert.deepEqual([...conflicts], [{ lead_id, other_lead_id }])
})

test('a user adds, finds and removes contacts, and a contact of another lead is rejected', async () => {
  const [phone, phone2, email2] = [newPhone(), newPhone(), newEmail()]
  const { id } = (await create({ name: 'Omkar', phone })).body.data
  const other = (await create({ name: 'Meera', phone: newPhone(), assigned_to: chand.email })).body.data
  const change = (body: object) => browser.send('PATCH', `/web/leads/${id}`, body)
  const { body } = await change({ add_contacts: [`\u202a+91 ${phone2}`, `<${email2}>`, phone] })
  assert.deepEqual(
    body.data.other_contacts,
    [
      { kind: 'phone', value: `+91 ${phone2}` },
      { kind: 'email', value: email2 },
    ].sort((one, two) => (one.value < two.value ? -1 : 1)),
  )
  assert.deepEqual(body.previous.other_contacts, [])
  for (const search of [phone2, `0${phone2}`, phone2.slice(-5), `+91${phone2.slice(0, 7)}`, email2.toUpperCase()]) {
    const found = await browser.send('GET', `/web/leads?search=${encodeURIComponent(search)}`)
    assert.ok(
      found.body.data.some((one: { id: string }) => one.id === id),
      search,
    )
  }
  const matched = await browser.send('POST', '/web/leads/match', { phone: `91${phone2}` })
  assert.equal(matched.body.data.match.id, id)

  const before = await world(owner)
  for (const [contact, field, message] of [
    [other.phone, 'add_contacts', /belongs to the lead “Meera”/],
    ['12', 'add_contacts', /not a valid phone number or email/],
  ] as const) {
    const { status, body } = await change({ add_contacts: [contact] })
    assert.deepEqual([status, body.error.field], [400, field])
    assert.match(body.error.message, message)
  }
  const taken = await change({ phone: other.phone })
  assert.equal(taken.body.error.field, 'phone')
  assert.deepEqual(await world(owner), before)

  assert.equal((await change({ remove_contacts: [email2] })).status, 200)
  assert.deepEqual(await others(id), [`+91 ${phone2}`])
  assert.equal((await create({ name: 'New', email: email2 })).status, 201)
})

test('a wrong number and the next one change places, and back', async () => {
  const [wrong, next] = [newPhone(), newPhone()]
  const { id } = (await create({ name: 'Uma', phone: wrong })).body.data
  await browser.send('PATCH', `/web/leads/${id}`, { add_contacts: [next] })
  const shown = async () => [(await page(id)).phone, await others(id)]
  const before = await shown()
  const swap = (phone: string, other: string) => ({ phone, add_contacts: [other], remove_contacts: [phone] })
  for (const [change, expected] of [
    [swap(next, wrong), [next, [wrong]]],
    [swap(next, wrong), [next, [wrong]]],
    [swap(wrong, next), before],
  ] as const) {
    assert.equal((await browser.send('PATCH', `/web/leads/${id}`, change)).status, 200)
    assert.deepEqual(await shown(), expected)
  }
  assert.equal((await create({ name: 'Uma', phone: next })).body.data.id, id)
})

test('the last contact of a lead cannot be removed, and a lead holds a limited number', async () => {
  const [phone, phone2] = [newPhone(), newPhone()]
  const { id } = (await create({ name: 'Last', phone })).body.data
  const change = (body: object) => browser.send('PATCH', `/web/leads/${id}`, body)
  assert.equal((await change({ phone: null })).status, 400)
  assert.equal((await change({ add_contacts: [phone2], phone: null })).status, 200)
  assert.equal((await create({ name: 'Last', phone: phone2 })).body.data.id, id)

  const full = (await create({ name: 'Full', phone: newPhone() })).body.data.id
  const many = Array.from({ length: maxOtherContacts }, newPhone)
  const fill = (body: object) => browser.send('PATCH', `/web/leads/${full}`, body)
  assert.equal((await fill({ add_contacts: many })).status, 200)
  const { status, body } = await fill({ add_contacts: [newPhone()] })
  assert.deepEqual([status, body.error.field], [400, 'add_contacts'])
  const extra = newEmail()
  await webhook.send({ name: 'Full', phone: many[0], email: extra })
  await webhook.send({ name: 'Full', phone: many[0], email: newEmail() })
  assert.equal((await others(full)).length, maxOtherContacts)
  const [entry] = (await timelineOf(owner, full)).slice(-1)
  assert.match(entry!.summary, /Not taken: other contacts/)
})

test('contacts of a lead that is not visible are not shown, and match without revealing it', async () => {
  const [phone, phone2] = [newPhone(), newPhone()]
  const { id } = (await create({ name: 'Hidden', phone, assigned_to: chand.email })).body.data
  await browser.send('PATCH', `/web/leads/${id}`, { add_contacts: [phone2] })
  const found = await belasBrowser.send('GET', `/web/leads?search=${phone2}`)
  assert.deepEqual(found.body.data, [])
  const { status, body } = await create({ name: 'Guess', phone: phone2 }, bela)
  assert.deepEqual([status, body.data.id, body.data.name], [200, id, 'Guess'])
  assert.equal((await page(id)).name, 'Hidden')
  // They follow the lead to its new owner.
  await browser.send('PATCH', `/web/leads/${id}`, { assigned_to: bela.email })
  const shown = await belasBrowser.send('GET', `/web/leads/${id}`)
  assert.deepEqual(shown.body.data.other_contacts, [{ kind: 'phone', value: phone2 }])
})

test('a deleted lead frees its contacts, and its person leaves the deliveries that had only them', async () => {
  const [phone, email, phone2] = [newPhone(), newEmail(), newPhone()]
  const { id } = (await webhook.send({ name: 'Gone', phone, email })).body.data
  await webhook.send({ name: 'Gone', phone: phone2, email })
  await webhook.send({ note: phone2 })
  assert.equal((await browser.send('DELETE', `/web/leads/${id}`)).status, 200)
  const kept = await owner`select from deliveries where convert_from(body, 'UTF8') like ${`%${phone2}%`}`
  assert.equal(kept.count, 0)
  assert.equal((await owner`select from lead_contacts where key like ${`%${phone2}`}`).count, 0)
  assert.equal((await create({ name: 'New', phone: phone2 })).status, 201)
})

test('an export has the other contacts', async () => {
  const [phone, phone2, email] = [newPhone(), newPhone(), newEmail()]
  const { id } = (await create({ name: 'Exported', phone, city: `Export${phone}` })).body.data
  await browser.send('PATCH', `/web/leads/${id}`, { add_contacts: [phone2, email] })
  const { body } = await browser.send('GET', `/web/leads.csv?city=Export${phone}`)
  const [header = '', row = ''] = String(body).split('\r\n')
  assert.ok(header.includes('Other contacts'))
  assert.ok(row.includes([phone2, email].sort().join('; ')), row)
})

test('at any order and at once, a contact never belongs to two leads', async () => {
  const contact = fc.nat(4)
  const work = fc.record({ phone: contact, email: contact, by: fc.constantFrom('api', 'webhook', 'hand') })
  const property = fc.asyncProperty(fc.array(work, { minLength: 10, maxLength: 40 }), async (works) => {
    const run = String(++made).padStart(4, '0')
    const { id } = (await create({ name: 'First', phone: `9611${run}09` })).body.data
    const answers = await Promise.all(
      works.map(({ phone, email, by }) => {
        const lead = { name: 'P', phone: `9611${run}0${phone}`, email: `p${run}.${email}@example.com` }
        if (by === 'api') return create(lead)
        if (by === 'webhook') return webhook.send(lead)
        return browser.send('PATCH', `/web/leads/${id}`, { add_contacts: [lead.phone, lead.email] })
      }),
    )
    for (const { status, body } of answers) assert.ok([200, 201, 400].includes(status), JSON.stringify(body))
    const twice = await owner`
      select key from (
        select phone_key as key from leads where phone_key is not null
        union all select email_key from leads where email_key is not null
        union all select key from lead_contacts
      ) held group by key having count(*) > 1`
    assert.deepEqual([...twice], [])
    assert.equal((await owner`select from leads where name = ''`).count, 0)
  })
  await fc.assert(property, { numRuns: 12, seed: 7, endOnFailure: true })
  await assertCountsHold(owner)
})

test('a WhatsApp user who hides the number is a lead by its id, and the same one when the number is known', async () => {
  const userId = `IN.1349120865530274${++made}`
  const message = (contact: object, from: object) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1024',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '919812004400', phone_number_id: '2048' },
              contacts: [{ profile: { name: 'Hidden Asha' }, user_id: userId, ...contact }],
              messages: [
                {
                  from_user_id: userId,
                  ...from,
                  id: `wamid.${++made}`,
                  timestamp: '1763700000',
                  type: 'text',
                  text: { body: 'Hi' },
                },
              ],
            },
          },
        ],
      },
    ],
  })
  const { status, body } = await webhook.send(message({}, {}))
  assert.deepEqual([status, body.data.status], [200, 'created'])
  const lead = await page(body.data.id)
  assert.deepEqual([lead.name, lead.phone, lead.email], ['Hidden Asha', null, null])
  assert.deepEqual(lead.other_contacts, [{ kind: 'whatsapp', value: userId }])
  assert.equal((await webhook.send(message({}, {}))).body.data.id, lead.id)
  const phone = `91${newPhone()}`
  assert.equal((await webhook.send(message({ wa_id: phone }, { from: phone }))).body.data.id, lead.id)
  assert.equal((await page(lead.id)).phone, phone)
  assert.equal((await create({ name: 'Asha', phone: `+${phone}` })).body.data.id, lead.id)
})

test('a placeholder that many people share merges no people with different names', async () => {
  const shared = { phone: '99999 99999', email: 'test@test.com' }
  const kiran = (await create({ name: 'Kiran', ...shared })).body.data
  const lata = (await create({ name: 'Lata', ...shared })).body
  assert.notEqual(lata.data.id, kiran.id)
  assert.deepEqual([lata.data.phone, lata.data.email], ['99999 99999', 'test@test.com'])
  assert.equal((await create({ name: 'kiran', phone: '09999999999' })).body.data.id, kiran.id)
  // A real one takes the place of a placeholder.
  const phone = newPhone()
  const email = newEmail()
  await create({ name: 'Lata', phone: '9999999999', email })
  await webhook.send({ name: 'Lata', phone, email })
  assert.equal((await page(lata.data.id)).phone, phone)
  await browser.send('DELETE', `/web/leads/${kiran.id}`)
  assert.equal((await page(lata.data.id)).name, 'Lata')
})

test('15 contacts that are added at once do not exceed the limit of a lead', async () => {
  const { id } = (await create({ name: 'Ravi', phone: newPhone() })).body.data
  for (let n = 0; n < maxOtherContacts - 2; n++)
    assert.equal((await browser.send('PATCH', `/web/leads/${id}`, { add_contacts: [newPhone()] })).status, 200)
  const answers = await Promise.all(
    Array.from({ length: 15 }, () => browser.send('PATCH', `/web/leads/${id}`, { add_contacts: [newPhone()] })),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 2, JSON.stringify(answers.at(-1)!.body))
  assert.equal((await others(id)).length, maxOtherContacts)
})
