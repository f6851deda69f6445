import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '#test/app.ts'
import { isThorough } from '#test/budget.ts'
import { people, signedIn } from '#test/people.ts'
import { phoneCalls } from '#test/phone-calls.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'

/** After a person is deleted, no row of any table contains their name or a contact of theirs. */

const numRuns = Number(process.env.ERASURES ?? (isThorough ? 1000 : 30))

const app = await testApp()
after(app.close)
const { owner } = app
const { acme, asha, bela } = await people(app)
const [admin, agent] = (await Promise.all([asha, bela].map((player) => signedIn(app, player)))) as [
  NonNullable<Awaited<ReturnType<typeof signedIn>>>,
  NonNullable<Awaited<ReturnType<typeof signedIn>>>,
]
const webhook = await webhookOf(app, acme)
const calls = phoneCalls(owner, acme, webhook)

/** Tables that contain nothing of leads, with the reason. A new table is here, or the scenarios put a person in it. */
const ofNoLead: Record<string, string> = Object.fromEntries(
  Object.entries({
    'what users and operators write about the account': [
      'accounts',
      'users',
      'api_keys',
      'webhook_storage',
      'distribution_rules',
      'distribution_turns',
      'phone_lines',
      'pending_phone_lines',
      'quick_replies',
      'origin_costs',
      'goals',
      'notification_settings',
      'enquiry_readings',
      'duplicate_searches',
    ],
    'how users sign in and are reached': [
      'active_users',
      'sessions',
      'sign_ins',
      'credentials',
      'verifications',
      'two_factors',
      'password_links',
      'forgotten_links',
      'push_subscriptions',
      'api_key_uses',
    ],
    'labels of sources': ['lead_sources'],
    'of the installation': [
      'installation_secrets',
      'backup_runs',
      'continuous_backup',
      'migrations',
      'schema_texts',
      'service_roles',
    ],
    'ids, states, times and numbers': [
      'audit_log',
      'erased_leads',
      'lead_reassignments',
      'bulk_changes',
      'bulk_change_leads',
      'notices',
      'sent_notices',
      'pass_ons',
      'lead_offers',
      'lead_conflicts',
      'lead_counts',
      'lead_count_changes',
      'call_counts',
      'call_count_changes',
      'delivery_counts',
      'delivery_count_changes',
      'delivery_receipts',
      'delivery_contacts',
      'logged_requests',
      'own_numbers',
    ],
  }).flatMap(([reason, names]) => names.map((name) => [name, reason])),
)
/** Scenarios that put a person in them are separate tests. */
const testedAlone = ['webhooks', 'lead_imports', 'lead_import_rejections']

interface Person {
  name: string
  phone: string
  email: string
  company: string
}

let made = 0
function newPerson(): Person {
  const n = ++made
  const letters = [...String(n)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')
  return {
    name: `Zu${letters} Marker${letters}x`,
    // Reversed, as it is stored for the search of last digits, it contains no other one.
    phone: `96${String(n).padStart(7, '0')}5`,
    email: `zu${letters}.marker${n}@example.com`,
    company: `Company of ${letters}x`,
  }
}

/** The texts of a person by which rows are searched, also as bytes. */
const textsOf = ({ name, phone, email, company }: Person) => [name, phone, email, company]

async function tablesWith(texts: string[]): Promise<{ table: string; row: string; text: string }[]> {
  const tables = await owner<{ name: string }[]>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const patterns = texts.flatMap((text) => [text.toLowerCase(), Buffer.from(text).toString('hex')])
  const union = tables.map(({ name }) => `select '${name}' as table, lower(one::text) as row from ${name} as one`)
  const rows = await owner.unsafe<{ table: string; row: string }[]>(
    `select * from (${union.join(' union all ')}) as rows where row ~ $1`,
    [patterns.map((pattern) => pattern.replaceAll('.', '[.]')).join('|')],
  )
  return rows.map(({ table, row }) => ({ table, row, text: patterns.find((pattern) => row.includes(pattern))! }))
}

async function leadOf(key: string): Promise<string | undefined> {
  const [row] = await owner<{ id: string }[]>`
    select id from leads where account_id = ${acme.account_id} and (phone_key = ${key} or email_key = ${key})
    union all select lead_id from lead_contacts where account_id = ${acme.account_id} and key = ${key}`
  return row?.id
}
const keyOf = ({ phone }: Person) => `+91${phone}`
const patch = (id: string, body: object) => admin.send('PATCH', `/web/leads/${id}`, body)

/** What happens to a person, perhaps with another one. What cannot be at the time changes nothing. */
const steps: Record<string, (one: Person, other: Person) => Promise<unknown>> = {
  create: (one) =>
    asha.send('POST', '/api/v1/leads', { ...one, assigned_to: bela.email }, { 'idempotency-key': `${++made}` }),
  deliver: ({ company, ...one }) => webhook.send({ ...one, company, message: `Call ${one.phone}, ${++made}` }),
  import: ({ name, phone, email }) =>
    admin.send('POST', '/web/leads/import', `Name,Phone,Email\n${name},${phone},${email}\n`, {
      'content-type': 'text/csv',
    }),
  deliverBoth: async (one, other) => {
    if (await leadOf(keyOf(other)))
      await webhook.send({ name: one.name, phone: other.phone, email: one.email, message: `Both ${++made}` })
  },
  submitBoth: async (one, other) => {
    const body = { name: other.name, phone: other.phone, email: one.email }
    if (await leadOf(keyOf(other))) await asha.send('POST', '/api/v1/leads', body, { 'idempotency-key': `${++made}` })
  },
  merge: async (one, other) => {
    const [kept, merged] = [await leadOf(keyOf(one)), await leadOf(keyOf(other))]
    if (!kept || !merged || kept === merged) return
    const { body } = await admin.send('GET', `/web/leads/${kept}/comparison?other_id=${merged}`)
    const { take, kept: one_, other: two } = body.data
    const versions = { updated_at: one_.updated_at, other_updated_at: two.updated_at }
    const all = [...new Set([...take, ...(made % 2 ? ['name', 'phone', 'company'] : [])])]
    const answer = await admin.send('POST', `/web/leads/${kept}/merge`, { other_id: merged, take: all, ...versions })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  },
  undo: async (one) => {
    const kept = await leadOf(keyOf(one))
    if (kept) await admin.send('DELETE', `/web/leads/${kept}/merge`)
  },
  call: async (one) => {
    const lead_id = await leadOf(keyOf(one))
    const call = { lead_id, call_type: 'Outbound', duration_seconds: 5, notes: `Reached on ${one.phone}` }
    if (lead_id) await asha.send('POST', '/api/v1/call-logs', call, { 'idempotency-key': `${++made}` })
  },
  ring: async (one) => {
    const lead_id = (await leadOf(keyOf(one))) ?? null
    await calls.add({ lead_id, phone: keyOf(one), state: 'ended', facts: { from: one.phone } })
  },
  note: async (one) => {
    const id = await leadOf(keyOf(one))
    if (id) await admin.send('POST', `/web/leads/${id}/notes`, { text: `Also ${one.email}` })
  },
  /** The contact of one is on the lead of the other for a while. */
  addAndRemove: async (one, other) => {
    const id = await leadOf(keyOf(other))
    if (!id || (await leadOf(keyOf(one)))) return
    await patch(id, { add_contacts: [one.phone] })
    await patch(id, { remove_contacts: [one.phone] })
  },
  replaceFirst: async (one, other) => {
    const id = await leadOf(keyOf(other))
    if (!id || (await leadOf(one.email))) return
    await patch(id, { email: one.email })
    await patch(id, { email: null })
  },
  bulkChange: async (one, other) => {
    const ids = (await Promise.all([one, other].map((person) => leadOf(keyOf(person))))).filter(
      (id) => id !== undefined,
    )
    const body = { ids: [...new Set(ids)], change: { add_tags: ['Bulk'], status: 'Contacted' } }
    if (ids.length === 0) return
    const { body: started } = await admin.send('POST', '/web/bulk-changes', body)
    const id = started.data.id as string
    await until(
      async () => (await admin.send('GET', `/web/bulk-changes/${id}`)).body.data.state === 'done',
      'the change',
    )
  },
  view: async (one) => {
    await agent.send('POST', '/web/views', { name: `View ${++made}`, search: { search: one.name }, shared: false })
    await admin.send('POST', '/web/views', { name: `View ${++made}`, search: { search: one.phone }, shared: true })
    await agent.send('GET', `/web/leads?search=${one.phone}`)
  },
}

const seen = new Set<string>()
let ran = 0

test('after an erasure, no row of any table contains the person', async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat(2), fc.integer({ min: 1, max: 2 }))
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (all) => {
    // Searching everything takes longer with each scenario.
    if (++ran % 50 === 0)
      await owner`truncate leads, enquiries, deliveries, audit_log, logged_requests, bulk_changes cascade`
    await owner`delete from lead_views`
    const persons = [newPerson(), newPerson(), newPerson()] as const
    for (const [name, at, next] of all) await steps[name]!(persons[at]!, persons[(at + next) % 3]!)
    await steps.deliver!(persons[0], persons[1])
    for (const { table } of await tablesWith(textsOf(persons[0]))) seen.add(table)
    const id = (await leadOf(keyOf(persons[0])))!
    const [lead] = await owner`select assigned_to from leads where id = ${id}`
    assert.ok(lead)
    const held = await textsOfOthers(id)
    const answer = await asha.send('DELETE', `/api/v1/leads/${id}`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    // What came with a contact of another lead is that lead's, with the name that it had.
    const [{ phone, email }, isShared] = [
      persons[0],
      held.includes(persons[0].phone) || held.includes(persons[0].email),
    ]
    const texts = (isShared ? [phone, email] : textsOf(persons[0])).filter((text) => !held.includes(text.toLowerCase()))
    const left = await tablesWith(texts)
    assert.deepEqual(left, [])
  })
  const usual = ['create', 'view', 'ring', 'call', 'note'].map((name): [string, number, number] => [name, 0, 1])
  const merged: [string, number, number][] = [...usual, ['create', 1, 1], ['merge', 0, 1]]
  await fc.assert(property, {
    examples: [[merged]],
    numRuns,
    seed: Number(process.env.SEED ?? 53),
    endOnFailure: true,
  })
})

/** A contact or a name that another lead has is that lead's. */
async function textsOfOthers(id: string): Promise<string> {
  const rows = await owner`select lower(concat_ws(' ', name, phone, email, company,
      (select string_agg(value, ' ') from lead_contacts where lead_id = leads.id))) as texts
    from leads where account_id = ${acme.account_id} and id <> ${id}`
  return rows.map(({ texts }) => texts).join('\n')
}

test('views and rejected rows lose the contacts and the full name of the person, and nothing else', async () => {
  await owner`delete from lead_views`
  const [one, other] = [newPerson(), newPerson()]
  const { body } = await asha.send('POST', '/api/v1/leads', one)
  await asha.send('POST', '/api/v1/leads', other)
  for (const [browser, search, shared] of [
    [agent, { search: one.name.toUpperCase() }, false],
    [admin, { search: `+91 ${one.phone}`, city: ['Pune'] }, true],
    [admin, { search: other.name }, false],
    [admin, { search: one.name.split(' ')[0] }, false],
  ] as const) {
    // The audit log keeps the names of shared views.
    const name = shared ? `View ${++made}` : `View ${++made} ${one.email}`
    const answer = await browser.send('POST', '/web/views', { name, search, shared })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
  }
  const rejections = [
    { at: 0, reason: `no room for ${one.name}` },
    { at: 1, reason: `no room for ${other.name}` },
  ]
  await owner`insert into lead_imports (account_id, key, state, started_at, written_at, rejections, file)
    values (${acme.account_id}, '\\x00', 'done', now(), now(), ${owner.json(rejections)}, ${`${one.name} ${one.phone}.csv`})`
  const rejected = [
    [`${one.name.toUpperCase()}`, '12', one.company],
    ['R', `+91 ${one.phone.slice(0, 5)} ${one.phone.slice(5)} x`, one.company],
    [other.name, '12', other.company],
  ]
  for (const [at, cells] of rejected.entries())
    await owner`insert into lead_import_rejections values (${acme.account_id}, ${acme.account_id}, ${at + 2}, ${cells.join()}, now())`
  assert.equal((await asha.send('DELETE', `/api/v1/leads/${body.data.id}`)).status, 200)
  const views = await owner`select search from lead_views order by name`
  const [first] = one.name.split(' ')
  assert.deepEqual(
    views.map(({ search }) => search),
    [{}, { city: ['Pune'] }, { search: other.name }, { search: first }],
  )
  assert.deepEqual(
    (await owner`select rejections from lead_imports where key = '\\x00'`)[0]!.rejections.map(
      ({ reason }: { reason: string }) => reason,
    ),
    ['no room for [removed]', rejections[1]!.reason],
  )
  assert.deepEqual(
    (await owner`select file from lead_imports where key = '\\x00'`).map(({ file }) => file),
    ['[removed] [removed].csv'],
  )
  assert.deepEqual(
    (await owner`select content from lead_import_rejections`).map(({ content }) => content),
    [rejected[2]!.join()],
  )
  assert.deepEqual(await tablesWith(textsOf(one)), [])
})

test('each table is one that the scenarios put a person in, or contains nothing of leads', async () => {
  const tables = await owner<{ name: string }[]>`select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb', 'json', 'bytea', 'ARRAY', 'character varying')
      and table_name in (select tablename from pg_tables where schemaname = 'public') order by 1`
  const known = [...seen, ...Object.keys(ofNoLead), ...testedAlone]
  assert.deepEqual(
    tables.map(({ name }) => name).filter((name) => !known.includes(name)),
    [],
  )
  assert.deepEqual(
    Object.keys(ofNoLead).filter((name) => seen.has(name)),
    [],
  )
})
