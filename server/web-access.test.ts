import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { testApp } from '#test/app.ts'
import { type Answer, ask, type Player, people, signedIn } from '#test/people.ts'
import { phoneCalls } from '#test/phone-calls.ts'
import { world } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'
import { hashPassword } from './access/sign-in/password.ts'

/** Every route under /web as the app declares it, so that none is missing here. */
const declared: string[] = []
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    // Fastify adds a HEAD route to each GET route.
    for (const one of [method].flat()) if (url.startsWith('/web/') && one !== 'HEAD') declared.push(`${one} ${url}`)
  })
})

const app = await testApp()
after(app.close)
const { owner, url } = app
const { asha, meena, bela, chand, zoya, acme } = await people(app)

type Browser = Pick<Player, 'send'>
let admin: Browser, manager: Browser, agent: Browser, stranger: Browser

/** Ids of Acme's data. Lead and call are Chand's; neither Meena nor Bela sees them. */
const ids: Record<string, string> = {}
/** When lead and other lead were changed last. */
let compared: { updated_at: string; other_updated_at: string }

interface Route {
  /** Who else is rejected: no one by default, though each sees only what is theirs. */
  for?: 'Admins' | 'Admins and Managers'
  /** The resource of the id in the path. */
  of?:
    | 'lead'
    | 'offer'
    | 'call'
    | 'ringing'
    | 'person'
    | 'key'
    | 'webhook'
    | 'delivery'
    | 'rule'
    | 'reply'
    | 'ownReply'
    | 'bulkChange'
    | 'import'
    | 'view'
  body?: unknown
  query?: string
  headers?: Record<string, string>
  /** Its answer has no end: server/platform/live/web-routes.test.ts reads it. */
  isStream?: true
}

const forAdmins = { for: 'Admins' } as const
const forManagers = { for: 'Admins and Managers' } as const
const ofPerson = { ...forAdmins, of: 'person' } as const
const ofKey = { ...forAdmins, of: 'key' } as const
const ofWebhook = { ...forAdmins, of: 'webhook' } as const
const ofDelivery = { ...forAdmins, of: 'delivery' } as const
const ofRule = { ...forAdmins, of: 'rule' } as const
const ofReply = { ...forAdmins, of: 'reply' } as const
const ofOwnReply = { of: 'ownReply' } as const
const ofLead = { of: 'lead' } as const
const ofBulkChange = { of: 'bulkChange' } as const
const ofImport = { ...forManagers, of: 'import' } as const
/** A lead that does not exist: it is skipped. */
const noLead = '00000000-0000-0000-0000-000000000000'
const ofView = { of: 'view' } as const

/** The password of all users, once they are signed in. */
const password = 'seven green parrots'

/** All routes, with a request that each accepts, in the order in which one Admin can use them. */
const routes: Record<string, Route> = {
  'GET /web/me': {},
  'PATCH /web/me': { body: { name: 'Asha Rao' } },
  'PUT /web/me/language': { body: { language: 'hi' } },
  'POST /web/me/email': { body: { email: 'asha.rao@x.example', password } },
  'GET /web/call-queue': {},
  'GET /web/offers': {},
  'POST /web/offers/:id/claim': { of: 'offer', body: {} },
  'GET /web/today': {},
  'GET /web/today/due': {},
  'GET /web/account': {},
  'PATCH /web/account': { ...forAdmins, body: { name: 'Acme Estates' } },
  'GET /web/backups': forAdmins,
  'GET /web/continuous-backup': forAdmins,
  'GET /web/first-start': forAdmins,
  'PATCH /web/first-start': { ...forAdmins, body: { opened: true } },
  'GET /web/samples': forAdmins,
  'POST /web/samples': forAdmins,
  'DELETE /web/samples': forAdmins,
  // Before the requests that change these leads.
  'GET /web/duplicates': forManagers,
  'GET /web/duplicates/count': forManagers,
  'POST /web/duplicates/dismissals': {
    ...forManagers,
    get body() {
      return { pairs: [{ lead_id: ids.lead, other_id: ids.otherLead }] }
    },
  },
  'GET /web/leads/:id/duplicates': { ...ofLead, ...forManagers },
  'GET /web/leads/:id/comparison': {
    ...ofLead,
    ...forManagers,
    get query() {
      return `?other_id=${ids.otherLead}`
    },
  },
  'POST /web/leads/:id/merge': {
    ...ofLead,
    ...forManagers,
    get body() {
      return { other_id: ids.otherLead, take: [], ...compared }
    },
  },
  'DELETE /web/leads/:id/merge': { ...ofLead, ...forManagers },

  'GET /web/users': {},
  'GET /web/availability': {},
  'PATCH /web/availability/:id': { of: 'person', body: { working_hours: null } },
  'POST /web/availability/:id/absences': { of: 'person', body: {} },
  'DELETE /web/availability/:id/absences/:absence': { of: 'person' },
  'POST /web/users': { ...forAdmins, body: { email: 'new@x.example', name: 'New', role: 'Agent' } },
  'PATCH /web/users/:id': { ...ofPerson, body: { role: 'Manager' } },
  'POST /web/users/:id/email': { ...ofPerson, body: { email: 'chand@x.example', password } },
  'POST /web/users/:id/password-link': ofPerson,
  'POST /web/users/:id/two-factor-reset': ofPerson,
  'DELETE /web/users/:id/single-sign-on': ofPerson,
  'POST /web/users/:id/deactivation': { ...ofPerson, body: { reassign_to: null } },
  'DELETE /web/users/:id/deactivation': ofPerson,

  'GET /web/phone-lines': forAdmins,
  'POST /web/phone-lines': { ...forAdmins, body: { line: '201', user_id: bela.id } },
  'GET /web/phone-lines/credits': { ...forAdmins, query: '?line=201' },
  'DELETE /web/phone-lines': { ...forAdmins, query: '?line=201' },
  'GET /web/profile/phone-lines': {},
  'POST /web/profile/phone-lines': { body: { line: '98200 00001' } },
  'DELETE /web/profile/phone-lines': { query: '?line=%2B919820000001' },

  'GET /web/quick-replies': {},
  'POST /web/quick-replies': { ...forAdmins, body: { title: 'Brochure', text: 'Here is it' } },
  'PATCH /web/quick-replies/:id': { ...ofReply, body: { title: 'Price list' } },
  'PUT /web/quick-replies/:id/position': { ...ofReply, body: { position: 1 } },
  'DELETE /web/quick-replies/:id': ofReply,
  'POST /web/profile/quick-replies': { body: { title: 'Hello', text: 'Hello {name}' } },
  'PATCH /web/profile/quick-replies/:id': { ...ofOwnReply, body: { title: 'Good day' } },
  'PUT /web/profile/quick-replies/:id/position': { ...ofOwnReply, body: { position: 1 } },
  'DELETE /web/profile/quick-replies/:id': ofOwnReply,

  'GET /web/views': {},
  'GET /web/views/counts': {},
  'POST /web/views': { body: { name: 'Hot', search: { priority: ['High'] }, shared: false } },
  'PATCH /web/views/:id': { ...ofView, body: { name: 'Hotter' } },
  'DELETE /web/views/:id': ofView,

  'GET /web/leads': {},
  'GET /web/leads/choices': {},
  'GET /web/leads/questions': {},
  'GET /web/leads/value': {},
  'GET /web/leads.csv': forManagers,
  'GET /web/leads.xlsx': forManagers,
  'POST /web/leads.csv': { ...forManagers, body: { ids: [noLead] } },
  'POST /web/leads.xlsx': { ...forManagers, body: { ids: [noLead] } },
  'GET /web/bulk-changes': {},
  'GET /web/bulk-changes/:id': ofBulkChange,
  'POST /web/bulk-changes/:id/cancellation': { ...ofBulkChange, body: {} },
  'POST /web/bulk-changes/:id/undo': { ...ofBulkChange, body: {} },
  'POST /web/bulk-changes/count': { body: { matching: {} } },
  'POST /web/bulk-changes': { body: { ids: [noLead], change: { status: 'Won' } } },
  'POST /web/leads': { body: { name: 'Farhan', phone: '98500 00077' } },
  'POST /web/leads/match': { body: { phone: '98500 00077' } },
  'POST /web/leads/import': {
    ...forManagers,
    query: '?dry_run=false',
    body: 'Name,Phone\r\nGita,98500 00078\r\n',
    headers: { 'content-type': 'text/csv' },
  },
  'GET /web/leads/imports': forManagers,
  'GET /web/leads/imports/:id/rejected.csv': ofImport,
  'POST /web/leads/imports/:id/undo': { ...ofImport, body: {} },
  'GET /web/leads/:id': ofLead,
  'GET /web/leads/:id/enquiries': ofLead,
  'GET /web/leads/:id/retry': ofLead,
  'GET /web/leads/:id/timeline': ofLead,
  'GET /web/leads/:id/timeline/:entry': ofLead,
  'PATCH /web/leads/:id': { ...ofLead, body: { city: 'Pune' } },
  'POST /web/leads/:id/notes': { ...ofLead, body: { text: 'Called back' } },
  'POST /web/leads/:id/whatsapp': { ...ofLead, body: { quick_reply_id: null } },
  'POST /web/leads/:id/calls': { ...ofLead, body: { call_type: 'Inbound', duration_seconds: 1 } },
  'GET /web/calls': {},
  'GET /web/calls/totals': {},
  'GET /web/calls.csv': forManagers,
  'GET /web/calls.xlsx': forManagers,
  'GET /web/calls/:id': { of: 'call' },
  'GET /web/calls/:id/recording': { of: 'call' },
  'PATCH /web/calls/:id': { of: 'call', body: { outcome: 'Busy' } },
  'PUT /web/calls/:id/review': { ...forManagers, of: 'call', body: { mark: 'Good' } },
  'DELETE /web/calls/:id/review': { ...forManagers, of: 'call' },
  'DELETE /web/calls/:id': { of: 'call' },
  'PUT /web/ringing/:id/note': { of: 'ringing', body: { notes: 'Wants a visit' } },
  'DELETE /web/leads/:id': { ...ofLead, ...forManagers },
  'GET /web/overview': {},
  'GET /web/reports/users': {},
  'GET /web/reports/origins': {},
  'GET /web/reports/users.csv': forManagers,
  'GET /web/reports/origins.csv': forManagers,
  'GET /web/reports/users.xlsx': forManagers,
  'GET /web/reports/origins.xlsx': forManagers,
  'PUT /web/reports/costs': { ...forAdmins, body: { kind: 'source', name: 'API', month: '2026-11', cost: 1000 } },
  'PUT /web/reports/goals': { ...forAdmins, body: { email: bela.email, month: '2026-11', won_value: 1000 } },
  'GET /web/live': { isStream: true },
  'GET /web/ringing': {},
  'GET /web/notifications': {},
  'PATCH /web/notifications': { body: { by_mail: true } },
  'POST /web/notifications/subscriptions': {
    body: {
      endpoint: 'https://push.example.com/x',
      keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'A'.repeat(22) },
    },
  },
  'DELETE /web/notifications/subscriptions': { query: '?endpoint=https://push.example.com/x' },
  'POST /web/notifications/test': { body: { endpoint: 'https://push.example.com/x', id: crypto.randomUUID() } },
  'GET /web/notices': {},

  'GET /web/api-keys': forAdmins,
  'POST /web/api-keys': { ...forAdmins, body: { name: 'New', user_id: asha.id, permissions: ['read'] } },
  'PATCH /web/api-keys/:id': { ...ofKey, body: { name: 'Mine' } },
  'POST /web/api-keys/:id/regeneration': ofKey,
  'POST /web/api-keys/:id/revocation': ofKey,

  'GET /web/webhooks': forAdmins,
  'POST /web/webhooks': { ...forAdmins, body: { name: 'New', source_label: 'New' } },
  'GET /web/webhooks/:id': ofWebhook,
  'PATCH /web/webhooks/:id': { ...ofWebhook, body: { name: 'Mine' } },
  'POST /web/webhooks/:id/regenerate-url': ofWebhook,
  'POST /web/webhooks/:id/dry-run': { ...ofWebhook, body: { mapping: [] } },
  'GET /web/webhooks/:id/replay': ofWebhook,
  'POST /web/webhooks/:id/replay': { ...ofWebhook, body: {} },
  'POST /web/webhooks/:id/test': { ...ofWebhook, body: {} },
  'GET /web/webhooks/:id/deliveries': ofWebhook,
  'GET /web/deliveries/:id': ofDelivery,
  'GET /web/deliveries/:id/preview': ofDelivery,
  'POST /web/deliveries/:id/preview': { ...ofDelivery, body: { mapping: [] } },
  'POST /web/deliveries/:id/replay': ofDelivery,

  'GET /web/distribution-rules': forAdmins,
  'POST /web/distribution-rules': { ...forAdmins, body: { name: 'New', people: [{ user_id: asha.id, weight: 1 }] } },
  'POST /web/distribution-rules/preview': { ...forAdmins, body: { source: 'API' } },
  'GET /web/distribution-rules/questions': forAdmins,
  'POST /web/distribution-rules/replay': {
    ...forAdmins,
    body: { name: 'New', people: [{ user_id: asha.id, weight: 1 }] },
  },
  'GET /web/distribution-rules/assignments': forAdmins,
  'PATCH /web/distribution-rules/:id': { ...ofRule, body: { name: 'Mine' } },
  'PUT /web/distribution-rules/:id/position': { ...ofRule, body: { position: 1 } },
  'DELETE /web/distribution-rules/:id': ofRule,

  'GET /web/requests': forAdmins,
  'GET /web/audit': forAdmins,
  'GET /web/audit.csv': forAdmins,
  'GET /web/audit.xlsx': forAdmins,
}

before(async () => {
  ;[admin, manager, agent, stranger] = (await Promise.all(
    [asha, meena, bela, zoya].map((person) => signedIn(app, person)),
  )) as [Browser, Browser, Browser, Browser]
  await owner`update credentials set password = ${await hashPassword(password)}`
  const webhook = await webhookOf(app, acme)
  await webhook.send({ name: 'By webhook', phone: '98500 00001' })
  const { body: lead } = await chand.send('POST', '/api/v1/leads', { name: 'Deepa', phone: '98500 00002' })
  const { body: other } = await chand.send('POST', '/api/v1/leads', { name: 'Deepa', phone: '98500 00003' })
  const call = { lead_id: lead.data.id, call_type: 'Inbound', duration_seconds: 1 }
  const rule = { name: 'All', people: [{ user_id: bela.id, weight: 1 }] }
  const quickReply = { title: 'Offer', text: 'Our offer' }
  const [delivery] = await owner`select id from deliveries`
  const [entry] = await owner`select id from timeline_entries where lead_id = ${lead.data.id}`
  Object.assign(ids, {
    lead: lead.data.id,
    otherLead: other.data.id,
    bulkChange: crypto.randomUUID(),
    import: crypto.randomUUID(),
    person: chand.id,
    key: chand.key.id,
    webhook: webhook.id,
    delivery: delivery!.id,
    entry: String(entry!.id),
    call: (await chand.send('POST', '/api/v1/call-logs', call)).body.data.id,
    absence: (await admin.send('POST', `/web/availability/${chand.id}/absences`, {})).body.data.id,
    ringing: await phoneCalls(owner, acme, webhook).add({
      lead_id: lead.data.id,
      assigned_to: chand.id,
      user_ids: [asha.id],
      state: 'answered',
    }),
    rule: (await admin.send('POST', '/web/distribution-rules', rule)).body.data[0].id,
    reply: (await admin.send('POST', '/web/quick-replies', quickReply)).body.data[0].id,
    view: (await admin.send('POST', '/web/views', { name: 'Own', search: {}, shared: false })).body.id,
    ownReply: (await admin.send('POST', '/web/profile/quick-replies', quickReply)).body.data[0].id,
  })
  const offered = await webhook.send({ name: 'Offered', phone: '98500 00077' })
  ids.offer = offered.body.data.id
  await owner`insert into lead_offers (account_id, lead_id, rule_id, offered_to, offered_at, due_at)
    values (${acme.account_id}, ${ids.offer!}, ${ids.rule!}, ${[asha.id]}, now(), now())`
  await owner`update leads set assigned_to = null where id = ${ids.offer!}`
  await owner`insert into bulk_changes (account_id, id, user_id, role, change, state, total, changed, started_at)
    values (${acme.account_id}, ${ids.bulkChange!}, ${asha.id}, 'Admin', '{"status": "Won"}', 'running', 1, 1, now())`
  await owner`insert into lead_imports (account_id, id, key, user_id, state, file, total, created, started_at, written_at, ended_at)
    values (${acme.account_id}, ${ids.import!}, '\\x00', ${asha.id}, 'done', 'leads.csv', 1, 1, now(), now(), now())`
  await owner`insert into lead_import_rejections values (${acme.account_id}, ${ids.import!}, 2, 'Ravi,12', now())`
  await owner`update users set two_factor_enabled = true where id = ${chand.id}`
  await owner`update call_logs set recording_url = 'https://recordings.example.com/1'`
  const times =
    await owner`select updated_at from leads where id in (${ids.lead!}, ${ids.otherLead!}) order by id = ${ids.otherLead!}`
  const [updated_at, other_updated_at] = times.map((row) => (row.updated_at as Date).toISOString())
  compared = { updated_at: updated_at!, other_updated_at: other_updated_at! }
})

test('every route of the web app is in the table, and the table names no other', () => {
  assert.deepEqual(Object.keys(routes).sort(), [...declared].sort())
  for (const [route, { of }] of Object.entries(routes)) assert.equal(/:\w+/.test(route), of !== undefined, route)
})

test('without a session every route answers 401', async () => {
  for (const cookie of ['', 'lead-engine.session_token=made.up']) {
    await rejects(401, 'UNAUTHORIZED', (method, path, { body, headers }) =>
      ask(url, null, method, path, body, { origin: url, cookie, ...headers }),
    )
  }
})

test('with an API key every route answers 401', async () => {
  await rejects(401, 'UNAUTHORIZED', (method, path, { body, headers }) =>
    asha.send(method, path, body, { origin: url, ...headers }),
  )
})

for (const origin of ['https://elsewhere.example', 'null', '']) {
  test(`a request from the origin “${origin}” changes nothing`, async () => {
    await rejects(
      403,
      'PERMISSION_DENIED',
      (method, path, { body, headers }) => admin.send(method, path, body, { ...headers, origin }),
      (route) => !route.startsWith('GET '),
    )
  })
}

test('routes for Admins reject Managers and Agents, also for their own ids', async () => {
  for (const browser of [manager, agent]) {
    for (const id of [null, '00000000-0000-0000-0000-000000000000']) {
      await rejects(403, 'PERMISSION_DENIED', sentBy(browser, id), (_, route) => route.for === 'Admins')
    }
  }
  await rejects(403, 'PERMISSION_DENIED', sentBy(agent), (_, route) => route.for === 'Admins and Managers')
})

test('an id of another account answers 404, for Admins too', async () => {
  await rejects(404, 'NOT_FOUND', sentBy(stranger), (_, route) => route.of !== undefined)
})

test('an id that the caller may not see answers 404', async () => {
  for (const [browser, allowed] of [
    [manager, [undefined, 'Admins and Managers']],
    [agent, [undefined]],
  ] as const) {
    await rejects(
      404,
      'NOT_FOUND',
      sentBy(browser),
      (_, route) => route.of !== undefined && (allowed as readonly unknown[]).includes(route.for),
    )
  }
})

test('an id of another account in a body is rejected', async () => {
  const { id } = (await stranger.send('POST', '/web/webhooks', { name: 'W', source_label: 'S' })).body.data
  const lead = { name: 'Hema', phone: '98500 00079' }
  const rule = { name: 'Theirs', people: [{ user_id: bela.id, weight: 1 }] }
  const unseen = [
    ['POST', '/web/api-keys', { name: 'K', user_id: zoya.id, permissions: ['read'] }],
    ['POST', `/web/users/${ids.person}/deactivation`, { reassign_to: zoya.id }],
    ['POST', '/web/phone-lines', { line: '202', user_id: zoya.id }],
    ['POST', '/web/webhooks', { name: 'W', source_label: 'S', default_assignee: zoya.id }],
    ['PATCH', `/web/webhooks/${ids.webhook}`, { default_assignee: zoya.id }],
    ['POST', '/web/distribution-rules', { name: 'R', people: [{ user_id: zoya.id, weight: 1 }] }],
    ['POST', '/web/distribution-rules', { ...rule, webhook_ids: [id] }],
    ['PATCH', `/web/distribution-rules/${ids.rule}`, { webhook_ids: [id] }],
    ['POST', '/web/leads', { ...lead, assigned_to: zoya.email }],
    ['PATCH', `/web/leads/${ids.lead}`, { assigned_to: zoya.email }],
  ] as const
  const before = await world(owner)
  for (const [method, path, body] of unseen) {
    const answer = await admin.send(method, path, body)
    assert.ok([400, 404].includes(answer.status), `${method} ${path}: ${JSON.stringify(answer.body)}`)
  }
  // Nor may a user assign a lead to a user of the account that they do not see.
  const given = await agent.send('POST', '/web/leads', { ...lead, assigned_to: chand.email })
  assert.equal(given.status, 400, JSON.stringify(given.body))
  assert.deepEqual(await world(owner), before)
})

test('lists contain nothing of another account, and nothing of users that the caller does not see', async () => {
  const ofChand = [ids.lead!, ids.call!, chand.email]
  for (const [browser, unseen] of [
    [
      stranger,
      [...Object.values(ids).filter((id) => id !== ids.entry), asha.email, meena.email, bela.email, chand.email],
    ],
    [manager, ofChand],
    [agent, ofChand],
  ] as const) {
    for (const [route, settings] of Object.entries(routes)) {
      if (!route.startsWith('GET ') || settings.of || settings.isStream) continue
      const text = JSON.stringify((await send(route, settings, sentBy(browser))).body)
      for (const one of unseen) assert.equal(text.includes(one), false, `${route} holds ${one}`)
    }
  }
  const listed = async (route: string) => JSON.stringify((await send(route, {}, sentBy(admin))).body)
  assert.ok((await listed('GET /web/leads')).includes(ids.lead!))
  assert.ok((await listed('GET /web/calls')).includes(ids.call!))
})

test('a body that is not JSON is rejected: forms of other sites cannot send JSON', async () => {
  await rejects(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    (method, path) => admin.send(method, path, 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }),
    (route) => !route.startsWith('GET '),
  )
})

test('each route accepts the users it is for, so nothing above was rejected for another reason', async () => {
  for (const [route, settings] of Object.entries(routes)) {
    if (settings.isStream) continue
    const answer = await send(route, settings, sentBy(admin))
    assert.ok(answer.status <= 302, `${route} answers ${answer.status}: ${JSON.stringify(answer.body)}`)
    assertKeptFromOthers(answer, route)
  }
})

type Sender = (method: string, path: string, route: Route) => Promise<Answer>

const sentBy =
  (browser: Browser, id: string | null = null): Sender =>
  (method, path, { of, body, headers }) =>
    browser.send(method, id && of ? path.replace(ids[of]!, id) : path, body, headers)

function send(route: string, settings: Route, sender: Sender): Promise<Answer> {
  const [method, path] = route.split(' ') as [string, string]
  const named = path
    .replace(':id', ids[settings.of ?? ''] ?? '')
    .replace(':entry', ids.entry!)
    .replace(':absence', ids.absence!)
  return sender(method, named + (settings.query ?? ''), settings)
}

/** Every such route rejects the request in the shape of all errors, and nothing changed. */
async function rejects(
  status: number,
  code: string,
  sender: Sender,
  chosen: (route: string, settings: Route) => boolean = () => true,
) {
  const asked = Object.entries(routes).filter(([route, settings]) => chosen(route, settings))
  assert.ok(asked.length > 0)
  const before = await world(owner)
  for (const [route, settings] of asked) {
    const answer = await send(route, settings, sender)
    const message = `${route}: ${JSON.stringify(answer.body)}`
    assert.deepEqual([answer.status, answer.body.error?.code], [status, code], message)
    assert.deepEqual(Object.keys(answer.body), ['error'], message)
    assertKeptFromOthers(answer, route)
  }
  assert.deepEqual(await world(owner), before)
}

function assertKeptFromOthers({ headers }: Answer, route: string) {
  assert.equal(headers.get('cache-control'), 'no-store', route)
  assert.equal(headers.get('x-content-type-options'), 'nosniff', route)
  assert.match(headers.get('x-frame-options')!, /^(SAMEORIGIN|DENY)$/, route)
}
