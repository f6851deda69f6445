import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, type Player, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)
const { owner, url } = app
const { asha, acme } = await people(app)
const hindi = { 'accept-language': 'hi-IN,hi;q=0.9,en;q=0.8' }
const messageOf = ({ body }: { body: { error: { message: string } } }) => body.error.message
let admin: Pick<Player, 'send'>
before(async () => {
  admin = await signedIn(app, asha)
})

for (const [name, body, field, inEnglish, inHindi] of [
  ['a required field', { phone: '9810012345' }, 'name', 'name is required.', 'name ज़रूरी है।'],
  [
    'a long text',
    { name: 'a'.repeat(201), phone: '9810012345' },
    'name',
    'name must be at most 200 characters.',
    'name में ज़्यादा से ज़्यादा 200 अक्षर हो सकते हैं।',
  ],
  [
    'a wrong type',
    { name: 'Ravi', phone: 9810012345 },
    'phone',
    'phone must be a string.',
    'phone का मान टेक्स्ट होना चाहिए।',
  ],
  [
    'a wrong email',
    { name: 'Ravi', email: '{0} \\u0041' },
    'email',
    'email is not a valid email address.',
    'email मान्य ईमेल पता नहीं है।',
  ],
  ['no contact', { name: 'Ravi' }, 'phone', 'phone or email is required.', 'phone या email ज़रूरी है।'],
] as const) {
  test(`${name} is rejected in Hindi for the web app, and in English by the API`, async () => {
    const byWeb = await admin.send('POST', '/web/leads', body, hindi)
    assert.deepEqual([byWeb.status, byWeb.body.error.field, messageOf(byWeb)], [400, field, inHindi])
    const byApi = await asha.send('POST', '/api/v1/leads', body, hindi)
    assert.deepEqual([byApi.status, byApi.body.error.field, messageOf(byApi)], [400, field, inEnglish])
    for (const language of ['en', 'fr', '']) {
      const inOther = await admin.send('POST', '/web/leads', body, { 'accept-language': language })
      assert.equal(messageOf(inOther), inEnglish)
    }
  })
}

test('an unknown lead, a wrong password and a missing session are answered in Hindi', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  assert.equal(messageOf(await admin.send('GET', `/web/leads/${id}`, undefined, hindi)), 'इस id की कोई लीड नहीं है।')
  assert.equal(messageOf(await asha.send('DELETE', `/api/v1/leads/${id}`, undefined, hindi)), 'No lead with this id.')
  const wrong = { email: asha.email, password: 'a wrong password' }
  const answer = await ask(url, null, 'POST', '/auth/sign-in/email', wrong, { ...hindi, origin: url })
  assert.equal(messageOf(answer), 'ईमेल या पासवर्ड ग़लत है।')
  assert.equal(messageOf(await ask(url, null, 'GET', '/web/me', undefined, hindi)), 'पहले साइन इन करें।')
})

test('the preview of the distribution is in the language of the page', async () => {
  const preview = async (headers: Record<string, string>) =>
    (await admin.send('POST', '/web/distribution-rules/preview', { source: 'API' }, headers)).body.data.because
  assert.equal(await preview(hindi), 'कोई नियम नहीं है: ज़िम्मेदार उस API कुंजी के यूज़र होते हैं जिससे लीड भेजी जाती है।')
  assert.equal(await preview({}), 'There are no rules: the owner is the user of the API key that sends it.')
})

test('an import explains in the language of the page what it reads and what it rejects', async () => {
  const send = (file: string, headers: Record<string, string>) =>
    admin.send('POST', '/web/leads/import?dry_run=true', file, { ...headers, 'content-type': 'text/csv' })
  const explain = async (headers: Record<string, string>) => {
    const { columns, rejected_rows } = (await send('Name,Phone\nRavi,12\nMeena,\n', headers)).body.data
    return [columns[0].reason, ...rejected_rows.map(({ reason }: { reason: string }) => reason)]
  }
  assert.deepEqual(await explain(hindi), [
    'कॉलम का नाम मेल खाता है',
    '“12” मान्य फ़ोन नंबर नहीं है, और कोई दूसरा संपर्क नहीं है।',
    'इसमें न फ़ोन है, न ईमेल।',
  ])
  assert.deepEqual(await explain({}), [
    'Column name matches',
    '“12” is not a valid phone number, and it has no other contact.',
    'It has no phone and no email.',
  ])
  const empty = await send('\n', hindi)
  assert.equal(messageOf(empty), 'फ़ाइल में कोई लीड नहीं है: पहले कॉलम के नामों की लाइन हो, फिर हर लीड की एक लाइन।')
})

test('the mapping is explained in the language of the page, and deliveries are stored in English', async () => {
  const webhook = await webhookOf(app, acme)
  await webhook.send({ 'Your name': 'Meera Iyer', mobile: '9810012399' })
  const [delivery] = (await admin.send('GET', `/web/webhooks/${webhook.id}/deliveries`)).body.data
  const reasonOf = ({ picks }: { picks: { field: string; reason: string }[] }) =>
    picks.find(({ field }) => field === 'phone')!.reason
  const read = async (headers: Record<string, string>) =>
    reasonOf((await admin.send('GET', `/web/deliveries/${delivery.id}/preview`, undefined, headers)).body.data)
  assert.equal(await read(hindi), 'नाम “mobile”, मान मोबाइल नंबर है')
  assert.equal(await read({}), 'Named “mobile”, value is a mobile number')
  const stored = (await admin.send('GET', `/web/deliveries/${delivery.id}`, undefined, hindi)).body.data
  assert.equal(reasonOf(stored), 'Named “mobile”, value is a mobile number')
})

test('the timeline and the latest assignments are in the language of the page, and are stored in English', async () => {
  const people = [{ user_id: asha.id, weight: 1 }]
  const rules = await admin.send('POST', '/web/distribution-rules', { name: 'Fair', people })
  assert.equal(rules.status, 201)
  const webhook = await webhookOf(app, acme)
  await webhook.send({ name: 'Kiran', phone: '9810012377' })
  const [{ id }] = (await admin.send('GET', '/web/leads?search=9810012377')).body.data
  await admin.send('PATCH', `/web/leads/${id}`, { status: 'Contacted' })
  const read = async (language: string) => {
    const get = async (path: string) => (await admin.send('GET', path, undefined, { 'accept-language': language })).body
    const { timeline } = (await get(`/web/leads/${id}`)).data
    const page = (await get(`/web/leads/${id}/timeline`)).data
    assert.deepEqual(page.entries, timeline.entries)
    const entry = (await get(`/web/leads/${id}/timeline/${timeline.entries[1].id}`)).data
    const [assigned] = (await get('/web/distribution-rules/assignments')).data
    assert.deepEqual([entry.summary, assigned.summary], [timeline.entries[1].summary, timeline.entries[1].summary])
    return timeline.entries.map(({ summary }: { summary: string }) => summary)
  }
  const name = webhook.name
  const english = [
    'Asha changed status: New → Contacted.',
    `Created through the webhook “${name}”. Assigned to Asha by the rule “Fair”.`,
  ]
  assert.deepEqual(await read('hi-IN'), [
    'Asha ने बदला: स्थिति: नई → संपर्क हुआ।',
    `वेबहुक “${name}” के ज़रिए बनाई गई। नियम “Fair” से Asha को सौंपी गई।`,
  ])
  assert.deepEqual(await read('en'), english)
  const stored = await owner<{ summary: string }[]>`
    select summary from timeline_entries where lead_id = ${id} order by id desc`
  assert.deepEqual(
    stored.map(({ summary }) => summary),
    english,
  )
})
