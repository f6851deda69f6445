import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serve, testApp } from '#test/app.ts'
import { addPlayer, ask, people, signedIn } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'
import { speak } from '#test/wire.ts'

const app = await testApp({
  RATE_LIMIT_PER_MINUTE: '200',
  WEBHOOK_LIMIT_PER_MINUTE: '20',
  // Nobody listens there: a mail that fails has a lot to say.
  SMTP_URL: 'smtp://albatross:smtp-swordfish@127.0.0.1:1',
  MAIL_FROM: 'pelican@example.org',
})
after(app.close)
const { asha, bela, acme, zoya } = await people(app)
const webhook = await webhookOf(app, acme)

/** Words that stand nowhere else: each is somebody's secret or personal data. */
const personal = {
  name: 'Quettabyte Ramanujan',
  phone: '9876543219',
  email: 'zanzibar.secret@example.org',
  notes: 'xylophone-confidential',
  tag: 'kumquat-tag',
  source: 'Wombat Portal',
}
const secrets = [
  asha.key.secret,
  bela.key.secret,
  zoya.key.secret,
  webhook.token,
  ...Object.values(personal),
  'hunter2-password',
  'albatross',
  'smtp-swordfish',
  'pelican',
  asha.email,
]

function assertNothingLeaks(lines: string[]) {
  const leaked = lines.flatMap((line) =>
    secrets.filter((secret) => line.includes(secret)).map((secret) => `${secret}: ${line}`),
  )
  assert.deepEqual(leaked, [])
}

const { name, phone, email, notes, tag, source } = personal
const lead = { name, phone, email, notes, tags: [tag], source }

async function mixedRun() {
  const { body } = await asha.send('POST', '/api/v1/leads', lead)
  const id = body.data?.id
  await asha.send('POST', '/api/v1/leads', { ...lead, city: 'Pune' }, { 'idempotency-key': phone })
  await bela.send('POST', '/api/v1/leads', lead)
  await asha.send('POST', '/api/v1/call-logs', { lead_id: id, call_type: 'Inbound', duration_seconds: 1, notes })
  for (const path of [
    `?source=${encodeURIComponent(source)}&assigned_to=${email}`,
    `?status=${phone}`,
    `?source=%zz${phone}`,
    `/${phone}`,
    `/%zz${phone}`,
    `/${'9'.repeat(300)}${phone}`,
  ]) {
    for (const method of ['GET', 'DELETE', 'PATCH']) await asha.send(method, `/api/v1/leads${path}`)
  }
  for (const wrong of [
    { ...lead, phone: `${phone}${phone}` },
    { ...lead, email: `${email}@` },
    { ...lead, status: notes },
    `{"name": "${name}"`,
    name,
  ]) {
    await asha.send('POST', '/api/v1/leads', wrong)
  }
  await webhook.send(lead)
  await webhook.send(`${phone}`)
  await ask(app.url, null, 'GET', `${webhook.path}?phone=${phone}`)
  await ask(app.url, null, 'POST', `${webhook.path}x`, lead)
  await ask(app.url, null, 'POST', `/webhook/${webhook.token}/%zz`, lead)
  for (let time = 0; time < 25; time++) await webhook.send(lead)
  await ask(app.url, `${asha.key.secret}x`, 'GET', '/api/v1/leads')
  await ask(app.url, null, 'GET', `/api/v1/leads?key=${asha.key.secret}`)
  await ask(app.url, null, 'GET', `/nowhere/${asha.key.secret}/${email}`)
  await ask(
    app.url,
    null,
    'POST',
    '/auth/sign-in/email',
    { email: asha.email, password: 'hunter2-password' },
    { origin: app.url },
  )
  await ask(app.url, null, 'POST', '/auth/sign-in/email', `{"password": "hunter2-password"`, { origin: app.url })
  await ask(app.url, null, 'POST', '/web-public/forgotten', { email: asha.email }, { origin: app.url })
  const page = await signedIn(app, asha)
  const invited = { email: `x${email}`, name, role: 'Agent' }
  const { body: invitation } = await page.send('POST', '/web/users', invited)
  assert.equal(invitation.data.mail_error, 'The mail server cannot be reached.')
  secrets.push(invitation.data.link.split('/').at(-1))
  const { body: setup } = await page.send('POST', '/auth/two-factor/enable', { password: 'hunter2-password' })
  assert.equal(setup.error.field, 'password')
  await speak(app.url, `GET /x?${phone} HTTP/9.9\r\nAuthorization: Bearer ${asha.key.secret}\r\n\r\n`, 100)
  await speak(
    app.url,
    (socket) =>
      void socket.write(
        `POST ${webhook.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n{"phone": "${phone}`,
        () => socket.destroy(),
      ),
    100,
  )
  return id
}

test('no log line of a mixed run contains a secret, a URL as sent or personal data', async () => {
  const id = await mixedRun()
  assert.ok(app.lines.length > 40)
  assertNothingLeaks(app.lines)
  await asha.send('DELETE', `/api/v1/leads/${id}`)
  for (const line of app.lines) {
    const { level, reqId, method, route } = JSON.parse(line)
    if (method === undefined) continue
    assert.ok(level && reqId && (route === 'unknown' || route.startsWith('/')), line)
  }
})

test('metrics name the declared routes', async () => {
  const { status, body } = await ask(app.url, null, 'GET', '/metrics')
  assert.equal(status, 200)
  assert.match(body, /route="\/webhook\/:token"/)
  assertNothingLeaks([body])
})

test('with a public BASE_URL, a local proxy that forwards no IP may not read metrics', async (t) => {
  const behind = await serve(app.database, { BASE_URL: 'https://leads.example.com' })
  t.after(behind.close)
  const { port } = behind.config
  const read = (url: string) => ask(url, null, 'GET', '/metrics').then(({ status }) => status)
  assert.equal(await read(`http://127.0.0.1:${port}`), 404)
  const named = await serve(app.database, { BASE_URL: 'https://leads.example.com', METRICS_FROM: '127.0.0.1' })
  t.after(named.close)
  assert.equal(await read(`http://127.0.0.1:${named.config.port}`), 200)
})

test('clients behind a proxy may not read metrics', async () => {
  assert.equal((await ask(app.url, null, 'GET', '/metrics', undefined, { 'x-forwarded-for': '127.0.0.1' })).status, 404)
})

test('a 500 reveals nothing and has an X-Request-Id, and the log has the error under that id without the row', async () => {
  const second = await addPlayer(app.database, app.url, acme, 'Second', 'Admin', null)
  const from = app.lines.length
  // Its failure quotes the whole row in the details that PostgreSQL gives.
  await app.owner`alter table leads add constraint broken check (city <> 'Quettaville')`
  const rejected = await second.send('POST', '/api/v1/leads', {
    ...lead,
    phone: '9876501234',
    email: `x${email}`,
    city: 'Quettaville',
  })
  await app.owner`alter table leads drop constraint broken`
  await app.owner`alter table leads rename to lost_leads`
  const answers = [
    rejected,
    await second.send('GET', '/api/v1/leads'),
    await second.send('POST', '/api/v1/leads', lead),
    await webhook.send(lead),
  ]
  await app.owner`alter table lost_leads rename to leads`
  for (const { status, body, headers } of answers.slice(0, 3)) {
    assert.equal(status, 500)
    assert.deepEqual(body, {
      error: {
        code: 'INTERNAL_ERROR',
        message: 'Something went wrong on our side. Give the X-Request-Id when you ask about it.',
      },
    })
    const id = headers.get('x-request-id')!
    const logged = app.lines
      .slice(from)
      .filter((line) => line.includes(id))
      .map((line) => JSON.parse(line))
    assert.ok(logged.some(({ err }) => err?.message && err.stack))
  }
  assert.ok(app.lines.slice(from).some((line) => line.includes('42P01')))
  assertNothingLeaks(app.lines)
  assert.ok(app.lines.every((line) => !line.includes('9876501234') && !line.includes('Quettaville')))
  assert.equal((await second.send('GET', '/api/v1/leads')).status, 200)
})
