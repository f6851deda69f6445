import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { type Answer, ask, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { phoneKey } from './contact.ts'
import { emailAmidSigns, phonesIn } from './parse-contact.ts'
import { emailSpellings, ofTwo, phoneSpellings, second } from './spellings.ts'

const app = await testApp({ RATE_LIMIT_PER_MINUTE: '10000' })
after(app.close)
const { asha } = await people(app)
const [browser, webhook] = await Promise.all([signedIn(app, asha), webhookOf(app, asha.actor)])

type Field = 'phone' | 'email'
type Lead = { name: string; phone?: string; email?: string }
const ways: Record<string, (lead: Lead) => Promise<Answer>> = {
  REST: (lead) => ask(app.url, asha.key.secret, 'POST', '/api/v1/leads', lead),
  webhook: webhook.send,
  'Add lead': (lead) => browser.send('POST', '/web/leads', lead),
  'check as you type': ({ name: _, ...typed }) => browser.send('POST', '/web/leads/match', typed),
  search: ({ phone, email }) => browser.send('GET', `/web/leads?search=${encodeURIComponent(phone ?? email!)}`),
}

/** The leads that an answer names. */
const idsIn = ({ body }: Answer): string[] =>
  [body.data?.match ?? body.data].flat().flatMap((lead: { id?: string } | null) => lead?.id ?? [])

async function importFile(field: Field, values: string[]) {
  const rows = values.map((value) => `Ravi,"${value.replaceAll('"', '""')}"\n`)
  const type = { 'content-type': 'text/csv' }
  return String((await browser.send('POST', '/web/leads/import', `Name,${field}\n${rows.join('')}`, type)).body)
}

/** Sends each spelling of a contact of its own in every way, and returns the ways in which it is not read as that contact. */
async function differing(field: Field, contacts: { contact: string; spelled: string }[]): Promise<string[]> {
  await importFile(
    field,
    contacts.map(({ contact }) => contact),
  )
  const found = await app.owner<
    { id: string; contact: string }[]
  >`select id, coalesce(phone, email) as contact from leads`
  const idOf = new Map(found.map(({ id, contact }) => [contact, id]))
  const differing: string[] = []
  for (const [way, send] of Object.entries(ways))
    for (let start = 0; start < contacts.length; start += 8)
      await Promise.all(
        contacts.slice(start, start + 8).map(async ({ contact, spelled }) => {
          const ids = idsIn(await send({ name: 'Ravi', [field]: spelled }))
          if (ids.join() !== idOf.get(contact)) differing.push(`${way}: ${JSON.stringify(spelled)}`)
        }),
      )
  // A row of its own for each, so that one that differs does not hide another.
  const events = await importFile(
    field,
    contacts.map(({ spelled }) => spelled),
  )
  for (const [, line] of events.matchAll(/"type":"rejected","line":(\d+)/g))
    differing.push(`import: ${JSON.stringify(contacts[Number(line) - 2]!.spelled)}`)
  const made = await app.owner<{ contact: string }[]>`
    select coalesce(phone, email) as contact from leads where not id = any (${found.map(({ id }) => id)})`
  return [...differing, ...made.map(({ contact }) => `made another lead of: ${contact}`)]
}

/** The other contacts that match, each with the first one of its lead. */
async function others(like: string): Promise<string[]> {
  const found = await app.owner<{ both: string }[]>`
    select coalesce(phone_key, email_key) || ' ' || key as both from lead_contacts join leads on leads.id = lead_id
    where key like ${like} order by 1`
  return found.map(({ both }) => both)
}

test('every way in reads a phone as the same one, however it is written', async () => {
  const contacts = phoneSpellings.map((spelling, index) => {
    const contact = String(9_830_000_107 + index * 137)
    return { contact, spelled: spelling(contact), second: ofTwo.includes(spelling) ? [second(contact)] : [] }
  })
  assert.ok(contacts.length >= 200)
  assert.deepEqual(await differing('phone', contacts), [])
  assert.deepEqual(
    await others('+%'),
    contacts.flatMap(({ contact, second }) => second.map((one) => `+91${contact} +91${one}`)),
  )
})

test('every way in reads an email as the same one, however it is written', async () => {
  const contacts = emailSpellings.map((spelling, index) => {
    const contact = `person${10 + index}@example.com`
    return { contact, spelled: spelling(contact) }
  })
  assert.deepEqual(await differing('email', contacts), [])
  assert.deepEqual(
    await others('%@%'),
    contacts.flatMap(({ contact, spelled }) => (spelled.includes('other.') ? [`${contact} other.${contact}`] : [])),
  )
})

test('the other contacts of a field are kept beside the first one, and whose they are in the notes', async () => {
  const stored = async (phone: string) => {
    const [lead] = await app.owner`
      select phone, notes, array(select value from lead_contacts where lead_id = id order by key) as others
      from leads where phone_key = ${phone}`
    return { ...lead }
  }
  await webhook.send({
    name: 'Anu',
    phone: '98400 00001 / 98400 00002',
    email: 'anu@x.in; anu@y.in',
    message: 'Call me',
  })
  const anu = { phone: '98400 00001', notes: 'Call me', others: ['98400 00002', 'anu@y.in'] }
  assert.deepEqual(await stored('+919840000001'), anu)
  await webhook.send({ name: 'Anu', phone: '98400 00003 - wife' })
  const wife = { phone: '98400 00003', notes: 'Phone as sent: 98400 00003 - wife', others: [] }
  assert.deepEqual(await stored('+919840000003'), wife)
  const file =
    'Name,Phone,Alternate Phone,Email,Other contacts\nBinu,98400 00004 & 98400 00005,9840000006,b@x.in,9840000007; b@y.in\n'
  await browser!.send('POST', '/web/leads/import', file, { 'content-type': 'text/csv' })
  const binu = { phone: '98400 00004', notes: null, others: ['98400 00005', '9840000006', '9840000007', 'b@y.in'] }
  assert.deepEqual(await stored('+919840000004'), binu)
  const columns = 'Name,Work Phone,Mobile,Other contacts\nChand,022 2612 3999,9840000008,9840000009; ask for Raju\n'
  await browser!.send('POST', '/web/leads/import', columns, { 'content-type': 'text/csv' })
  const chand = {
    phone: '9840000008',
    notes: 'Other contacts as sent: 9840000009; ask for Raju',
    others: ['022 2612 3999', '9840000009'],
  }
  assert.deepEqual(await stored('+919840000008'), chand)
})

test('what stands beside a number is kept in the notes', async () => {
  for (const [phone, notes] of [
    ['040-23456789 Ext. 12', 'Phone as sent: 040-23456789 Ext. 12'],
    ['tel:+91-22-26123456;ext=12', 'Phone as sent: tel:+91-22-26123456;ext=12'],
    ['98410 00001 (call after 6 pm)', 'Phone as sent: 98410 00001 (call after 6 pm)'],
    ['Mobile No: 98410 00002', null],
    ['+91/9841000003', null],
  ]) {
    const { body } = await webhook.send({ name: 'Ravi', phone })
    assert.equal((await app.owner`select notes from leads where id = ${body.data.id}`)[0]!.notes, notes)
  }
})

test('a request and an edit keep all that a contact field says', async () => {
  const send = ways.REST!
  const stored = async (id: string) => {
    const { body } = await browser.send('GET', `/web/leads/${id}`)
    const { phone, email, notes, other_contacts } = body.data
    const others = other_contacts.map(({ value }: { value: string }) => value).sort()
    return { phone, email, others, notes: notes?.replace(/\[[^\]]*\]\n/g, '') ?? null }
  }
  const spelled = '98420 00001 (call after 6 pm) / 98420 00002'
  const created = await send({ name: 'Ravi', phone: spelled, email: 'Ravi <r1@x.in>; r2@x.in' })
  const { id, phone } = created.body.data
  assert.deepEqual([created.status, phone], [201, '98420 00001'], JSON.stringify(created.body))
  const others = ['98420 00002', 'r2@x.in']
  const first = { phone: '98420 00001', email: 'r1@x.in', others, notes: `Phone as sent: ${spelled}` }
  assert.deepEqual(await stored(id), first)
  const merged = await send({ name: 'Ravi', phone: 'tel:+919842000001', notes: 'New' } as Lead)
  assert.deepEqual([merged.body.data.id, merged.body.data.notes], [id, 'New'])
  assert.equal((await send({ name: 'Ravi', phone: '98420 00001 - wife' })).body.data.id, id)
  assert.equal((await stored(id)).notes, 'New\n\nPhone as sent: 98420 00001 - wife')
  const change = { phone: 'Mob: 98420 00003, 98420 00004 (Uma)', add_contacts: ['\u096f\u096e420 00005 / 98420 00006'] }
  assert.equal((await browser.send('PATCH', `/web/leads/${id}`, change)).status, 200)
  const edited = await stored(id)
  assert.equal(edited.phone, '98420 00003')
  assert.deepEqual(
    edited.others.map((one: string) => phoneKey(one, 'IN')?.slice(-5) ?? one),
    ['00002', '00004', '00005', '00006', 'r2@x.in'],
  )
  assert.match(edited.notes, /Phone as sent: Mob: 98420 00003, 98420 00004 \(Uma\)$/)
  for (const add of ['12', 'call me', '9.84E+09'])
    assert.equal((await browser.send('PATCH', `/web/leads/${id}`, { add_contacts: [add] })).status, 400)
})

test('an email within words is not guessed', () => {
  for (const text of ['asha rao@example.com', 'asha@example.co m', 'write to asha@example.com today', 'a@x.in/b@x.in'])
    assert.equal(emailAmidSigns(text), undefined, text)
})

test('of several numbers the first mobile one comes first, and the digits of two are never one number', () => {
  for (const [text, keys] of [
    ['022 2612 3456, 98200 00001', ['+919820000001', '+912226123456']],
    ['26123456/57', ['26123456']],
    ['022-26123456-59', ['+912226123456']],
    ['9822200001-05', ['+919822200001']],
    ['98222 00001 98222 00002 98222 00003', ['+919822200001', '+919822200002', '+919822200003']],
    ['98222 00001, 098222-00001', ['+919822200001']],
    ['98222 00001\uff0c98222 00002', ['+919822200001', '+919822200002']],
    ['Ravi 98222 00001, Uma 98222 00002', ['+919822200001', '+919822200002']],
    ['98222 00001\n98222 00002', ['+919822200001', '+919822200002']],
    ['98222 00001 \u092f\u093e 98222 00002', ['+919822200001', '+919822200002']],
  ] as const) {
    assert.deepEqual(
      phonesIn(text, 'IN').map((number) => phoneKey(number, 'IN')),
      keys,
      text,
    )
  }
})
