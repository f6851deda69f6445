import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { phoneKey } from './contact.ts'
import { emailAmidSigns, phonesIn } from './parse-contact.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const [browser, webhook] = await Promise.all([signedIn(app, asha), webhookOf(app, asha.actor)])

type Spelling = (contact: string) => string

/** What REST and forms accept. */
const phones: Spelling[] = [
  (n) => n,
  (n) => `0${n}`,
  (n) => `91${n}`,
  (n) => `+91${n}`,
  (n) => `+91 ${n.slice(0, 5)} ${n.slice(5)}`,
  (n) => `+91-${n.slice(0, 5)}-${n.slice(5)}`,
  (n) => `0091 ${n}`,
  (n) => `(+91) ${n}`,
  (n) => `+91 (0) ${n}`,
  (n) => `(0)${n}`,
  (n) => `+91 91 ${n}`,
  (n) => `+9191${n}`,
  (n) => `+91091${n}`,
  (n) => `+91+91${n}`,
  (n) => `${n.slice(0, 3)}.${n.slice(3, 6)}.${n.slice(6)}`,
  (n) => `${n.slice(0, 5)}\u2013${n.slice(5)}`,
  (n) => `${n.slice(0, 5)}\u00a0${n.slice(5)}`,
  (n) => `\u202a+91 ${n}\u202c`,
  (n) => `\u2066${n}\u2069`,
  (n) => `\u200e+91${n.slice(0, 5)}\u200f${n.slice(5)}`,
  (n) => `${n.slice(0, 4)}\u200b${n.slice(4)}`,
  (n) => `${n.slice(0, 4)}\u00ad${n.slice(4)}`,
  (n) => `\ufeff${n}`,
  (n) => `${n}-05`,
]

/** What they answer 400, because it has letters or other signs, but platforms and files contain. */
const labelledPhones: Spelling[] = [
  (n) => `tel:+91${n}`,
  (n) => `Mob. ${n}`,
  (n) => `Mob: ${n}`,
  (n) => `Mobile ${n}`,
  (n) => `#${n}`,
  (n) => `${n} (M)`,
  (n) => `${n} (whatsapp)`,
  (n) => `${n} - wife`,
  (n) => `91${n}@c.us`,
  (n) => `91${n}:3@s.whatsapp.net`,
  (n) => `https://wa.me/91${n}`,
  (n) => `'${n}`,
  (n) => `${n}/57`,
  (n) => `022 2612 3456, ${n}`,
  (n) => `Ravi ${n}`,
  (n) => `+91\u2212${n}`,
  (n) => `${n} (call after 6 pm)`,
  (n) => `${n} extension 12`,
  (n) => `"${n}"`,
  (n) => `India (+91) ${n}`,
  (n) => `+91/${n}`,
  (n) => `मो. ${n}`,
  (n) => `\u{1f1ee}\u{1f1f3} +91 ${n}`,
  (n) => `91${n}`.replace(/\d/g, (digit) => '０１２３４５６７８９'[Number(digit)]!).replace(/^/, '＋'),
  (n) => n.replace(/\d/g, (digit) => '०१२३४५६७८९'[Number(digit)]!),
  ...[' या ', '\uff0c', ' \u2022 ', ' ', '/', ' & ', ' and ', ', ', '; ', '\\', '\n', ' \u2014 ', '\u2013', ' | '].map(
    (sign) => (n: string) => `${n.slice(0, 5)} ${n.slice(5)}${sign}99${n.slice(2, 5)} ${n.slice(5)}`,
  ),
]

const emails: Spelling[] = [
  (email) => email.toUpperCase(),
  (email) => `${email}.`,
  (email) => `${email},`,
  (email) => `"${email}"`,
  (email) => `<${email}>`,
  (email) => `mailto:${email}`,
  (email) => `mailto:${email}?subject=Enquiry`,
  (email) => email.replace('@', '\uff20'),
  (email) => email.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  (email) => `\u200b${email}\ufeff`,
  (email) => email.replace('@', '\u200d@'),
  (email) => email.replace('@', '@\u00ad'),
]

const labelledEmails: Spelling[] = [
  (email) => `Ravi Shah <${email}>`,
  (email) => `Ravi Shah <mailto:${email}>`,
  (email) => `${email}; other.${email}`,
  (email) => `${email} / other.${email}`,
  (email) => `${email}, other.${email}`,
  (email) => `${email} other.${email}`,
  (email) => `(${email})`,
  (email) => `Email: ${email}`,
  (email) => `${email}!`,
  (email) => email.replace('@', ' @ '),
  (email) => `[${email}](mailto:${email})`,
  (email) => `<mailto:${email}|${email}>`,
  (email) => `<a href="mailto:${email}">${email}</a>`,
]

const rest = (lead: object) => ask(app.url, asha.key.secret, 'POST', '/api/v1/leads', lead)
const leads = async () => Number((await app.owner`select count(*) as n from leads`)[0]!.n)

for (const [field, spellings, accepted, title] of [
  ['phone', phones, true, 'a phone is one lead in every way, however it is written'],
  ['phone', labelledPhones, false, 'a phone with a label, a word or another number is one lead in payloads and files'],
  ['email', emails, true, 'an email is one lead in every way, however it is written'],
  ['email', labelledEmails, false, 'an email with a name or another email is one lead in payloads and files'],
] as const) {
  test(title, async () => {
    const first = field === 'phone' ? 9_830_000_000 : 0
    const offset = accepted ? 0 : 1000
    const sent = await Promise.all(
      spellings.map(async (spelling, index) => {
        const contact = field === 'phone' ? String(first + offset + index) : `person${offset + index}@example.com`
        const { status, body } = await rest({ name: 'Ravi', [field]: contact })
        assert.equal(status, 201, JSON.stringify(body))
        return { id: body.data.id as string, spelled: spelling(contact) }
      }),
    )
    const before = await leads()
    for (const { id, spelled } of sent) {
      const lead = { name: 'Ravi', [field]: spelled }
      for (const { status, body } of [await rest(lead), await browser!.send('POST', '/web/leads', lead)]) {
        const answer = accepted ? [status, body.data?.id] : [status, body.error?.field]
        assert.deepEqual(answer, accepted ? [200, id] : [400, field], spelled)
      }
      const delivery = await webhook.send(lead)
      assert.equal(delivery.body.data?.id, id, `webhook: ${spelled}`)
      if (!accepted || spelled.endsWith('-05')) continue
      const search = await browser!.send('GET', `/web/leads?search=${encodeURIComponent(spelled)}`)
      assert.deepEqual(
        search.body.data.map((found: { id: string }) => found.id),
        [id],
        `search: ${spelled}`,
      )
    }
    const rows = sent.map(({ spelled }) => `Ravi,"${spelled.replaceAll('"', '""')}"\n`)
    const file = `Name,${field}\n${rows.join('')}`
    const { body } = await browser!.send('POST', '/web/leads/import', file, { 'content-type': 'text/csv' })
    assert.match(String(body), new RegExp(`"merged":${sent.length},`), 'import')
    assert.equal(await leads(), before)
  })
}

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
    ['98222 00001 \u092f\u093e 98222 00002', ['+919822200001', '+919822200002']],
  ] as const) {
    assert.deepEqual(
      phonesIn(text, 'IN').map((number) => phoneKey(number, 'IN')),
      keys,
      text,
    )
  }
})
