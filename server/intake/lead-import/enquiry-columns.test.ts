import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { enquiredEarlier } from '#test/enquired-earlier.ts'
import { type Player, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'

type Browser = Pick<Player, 'send'>

const app = await testApp()
after(app.close)
const { acme, asha, meena, zoya } = await people(app)
const [admin, manager, other] = (await Promise.all([asha, meena, zoya].map((one) => signedIn(app, one)))) as [
  Browser,
  Browser,
  Browser,
]

const send = (browser: Browser, file: string, query = '') =>
  browser.send('POST', `/web/leads/import${query}`, file, { 'content-type': 'text/csv' })
async function imported(browser: Browser, file: string, query = '') {
  const { status, body } = await send(browser, file, query)
  assert.equal(status, 200, JSON.stringify(body))
  return JSON.parse(String(body).trim().split('\n').at(-1)!)
}
const enquiriesOf = (player: Player, name: string) => app.owner`
  select origin, answers, consent, omitted, is_repeat, leads.product, leads.campaign, leads.ad, leads.form from enquiries join leads on leads.id = lead_id
  where leads.account_id = ${player.actor.account_id} and name = ${name} order by enquiries.id`
const pairs = (answers: { question: string; answer: string }[]) =>
  answers.map(({ question, answer }) => [question, answer])

const file = `Name,Phone,Budget,Property type,कब खरीदना है?,Campaign,Ad name,UTM source,gclid,Page URL,Record ID,Created by,I agree to be called,DND,Why?
Asha Rao,9820000001,60-80 lakh,3 BHK,इस साल,Diwali,Video 1,google,abc123,https://example.com/lake?utm_medium=cpc,4711,Priya,Yes,,Investment
Vikram Shah,9820000002,5000000,,,,,,,,4712,Priya,No,NCPR,
Nina,9820000003,,,,,,,,,4713,Priya,,,
`

test('the preview says what each column is, and an import keeps answers, origin and consent', async () => {
  const { data } = (await send(admin, file, '?dry_run=true')).body
  assert.deepEqual(
    data.columns.map(({ name, field }: Record<string, string>) => [name, field]),
    [
      ['Name', 'name'],
      ['Phone', 'phone'],
      ['Budget', 'deal_value'],
      ['Property type', 'answer'],
      ['कब खरीदना है?', 'answer'],
      ['Campaign', 'campaign'],
      ['Ad name', 'ad'],
      ['UTM source', 'source'],
      ['gclid', 'gclid'],
      ['Page URL', 'page_url'],
      ['Record ID', 'ignore'],
      ['Created by', 'ignore'],
      ['I agree to be called', 'consent'],
      ['DND', 'do_not_call'],
      ['Why?', 'answer'],
    ],
  )
  const reasons = Object.fromEntries(data.columns.map(({ name, reason }: Record<string, string>) => [name, reason]))
  assert.equal(reasons['Record ID'], 'Written by programs, not by the person')
  assert.equal(reasons['Property type'], 'No lead field: kept with the column’s name as the question')
  assert.equal((await imported(admin, file)).created, 3)
  const [first] = await enquiriesOf(asha, 'Asha Rao')
  assert.deepEqual(pairs(first!.answers), [
    ['Budget', '60-80 lakh'],
    ['Property type', '3 BHK'],
    ['कब खरीदना है?', 'इस साल'],
    ['Why?', 'Investment'],
  ])
  assert.deepEqual(first!.origin, {
    campaign: 'Diwali',
    ad: 'Video 1',
    page_url: 'https://example.com/lake?utm_medium=cpc',
    utm_source: 'google',
    utm_medium: 'cpc',
    gclid: 'abc123',
  })
  assert.deepEqual([first!.campaign, first!.ad, first!.is_repeat], ['Diwali', 'Video 1', false])
  assert.deepEqual(first!.consent, { statements: [{ text: 'I agree to be called', choice: 'Yes' }] })
  const [second] = await enquiriesOf(asha, 'Vikram Shah')
  assert.equal(second!.consent.do_not_call, 'DND: NCPR')
  assert.deepEqual(second!.answers, [])
  assert.equal((await enquiriesOf(asha, 'Nina')).length, 0)
})

test('files that are imported again, also with further rows, add no enquiry', async () => {
  const stored = async () => [...(await app.owner`select * from enquiries order by id`)]
  await enquiredEarlier(app.owner)
  const before = await stored()
  const repeats = [file, `${file}New,9820000009,,2 BHK,,,,,,,,,,,\n`]
  for (const one of repeats) await imported(admin, one)
  const after = await stored()
  assert.deepEqual(after.slice(0, before.length), before)
  assert.equal(after.length, before.length + 1)
  await imported(admin, 'Name,Phone,Property type\nAsha Rao,9820000001,Villa\n')
  assert.deepEqual(
    (await enquiriesOf(asha, 'Asha Rao')).map(({ answers }) => answers.length),
    [4, 1],
  )
})

test('a user decides which columns are answers', async () => {
  const text = 'Name,Phone,Type,Code,Amenity\nA,9820000021,3 BHK,X-1,Pool\n'
  const columns = encodeURIComponent(JSON.stringify({ Name: 'name', Phone: 'phone', Type: 'product', Code: 'ignore' }))
  const { data } = (await send(admin, text, `?dry_run=true&others=answer&columns=${columns}`)).body
  assert.deepEqual(
    data.columns.map(({ field }: { field: string }) => field),
    ['name', 'phone', 'product', 'ignore', 'answer'],
  )
  await imported(admin, text, `?others=answer&columns=${columns}`)
  const [enquiry] = await enquiriesOf(asha, 'A')
  assert.deepEqual([enquiry!.origin, pairs(enquiry!.answers)], [{ product: '3 BHK' }, [['Amenity', 'Pool']]])
  assert.equal((await send(admin, text, `?columns=${encodeURIComponent('{"Type":"left_out"}')}`)).status, 400)
  assert.equal((await send(admin, text, `?columns=${columns}&others=notes`)).status, 400)
})

test('an answer is cut to the limits of an enquiry, and answers beyond them are counted', async () => {
  const names = Array.from({ length: 120 }, (_, n) => `Amenity ${n}`)
  await imported(admin, `Name,Phone,${names.join()}\nMany,9820000031,${names.map(() => 'x').join()}\n`)
  const [enquiry] = await enquiriesOf(asha, 'Many')
  assert.deepEqual([enquiry!.answers.length, enquiry!.omitted], [100, 20])
})

test('a Manager who imports a lead of others adds an enquiry to it, and no times', async () => {
  const { data } = (await send(manager, 'Name,Phone,Call duration,Amenity\nX,9820000001,60,Pool\n', '?dry_run=true'))
    .body
  assert.deepEqual(data.columns[2], {
    name: 'Call duration',
    field: 'ignore',
    reason: 'Only Admins import times and calls',
  })
  assert.equal((await imported(manager, 'Name,Phone,Amenity\nX,9820000001,Pool\n')).merged, 1)
  assert.deepEqual(pairs((await enquiriesOf(asha, 'Asha Rao')).at(-1)!.answers), [['Amenity', 'Pool']])
})

test('leads that are exported and imported into another account keep answers, origin and consent', async () => {
  const webhook = await webhookOf(app, acme, { default_source: 'Housing' })
  const person = { name: 'Round Trip', phone: '9820000041' }
  const first = {
    ...person,
    campaign: 'Holi',
    utm_source: 'meta',
    'Choose: flat or villa': 'Flat',
    Locality: '12 MG Road\nnear the park',
    dncmobile: 'yes',
    'I agree to be called: any time': true,
  }
  assert.equal((await webhook.send(first)).body.data.status, 'created')
  await app.owner`update enquiries set at = at - interval '1 day', last_at = last_at - interval '1 day'`
  const second = {
    ...person,
    campaign: 'Diwali',
    fbclid: 'f1',
    project: '=Lake View',
    'What is your budget?': '-1 crore',
  }
  assert.equal((await webhook.send(second)).body.data.status, 'merged')
  const { body: text } = await admin.send('GET', '/web/leads.csv?search=Round%20Trip')
  const header = text.split('\r\n')[0]
  assert.match(header, /Other contacts,Product,Campaign,Ad,Form,Answers,Origin,Consent,Do not call,Created \(IST\)/)
  assert.match(
    text,
    /"What is your budget\?: -1 crore\nChoose:\u00a0flat or villa: Flat\nLocality: 12 MG Road\n {2}near the park"/,
  )
  const { data } = (await send(other, text, '?dry_run=true')).body
  const fields = Object.fromEntries(data.columns.map(({ name, field }: Record<string, string>) => [name, field]))
  assert.deepEqual(
    [
      fields.Product,
      fields.Campaign,
      fields.Ad,
      fields.Form,
      fields.Answers,
      fields.Origin,
      fields.Consent,
      fields['Do not call'],
      fields.Id,
    ],
    ['product', 'campaign', 'ad', 'form', 'answers', 'origin', 'consent', 'do_not_call', 'ignore'],
  )
  assert.equal((await imported(other, text)).created, 1)
  const [copy] = await enquiriesOf(zoya, 'Round Trip')
  assert.deepEqual(pairs(copy!.answers), [
    ['What is your budget?', '-1 crore'],
    ['Choose: flat or villa', 'Flat'],
    ['Locality', '12 MG Road\nnear the park'],
  ])
  assert.deepEqual(copy!.origin, { product: '=Lake View', campaign: 'Holi', utm_source: 'meta', fbclid: 'f1' })
  assert.deepEqual([copy!.product, copy!.campaign], ['=Lake View', 'Holi'])
  assert.match(copy!.consent.do_not_call, /^Do not call: dncmobile/)
  assert.deepEqual(copy!.consent.statements, [{ text: 'I agree to be called: any time', choice: 'Yes' }])
  const again = await other.send('GET', '/web/leads.csv?search=Round%20Trip')
  assert.equal((await imported(other, again.body)).merged, 1)
  assert.equal((await enquiriesOf(zoya, 'Round Trip')).length, 1)
})
