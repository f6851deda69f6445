import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { maxRules } from '../../crm/distribution/store.ts'
import { maxGoals } from '../../insight/reports/goals.ts'
import { maxCosts } from '../../insight/reports/origin-costs.ts'
import { maxWebhooks } from '../../intake/webhooks/store.ts'
import { maxBrowsers } from '../../selling/notifications/store.ts'
import { maxKeys } from '../api-keys/store.ts'
import { maxUsers } from './store.ts'

const app = await testApp()
after(app.close)
const { owner } = app
const { acme, asha, bela, zoya } = await people(app)
const [admin, agent, stranger] = (await Promise.all([asha, bela, zoya].map((one) => signedIn(app, one)))) as [
  typeof asha,
  typeof asha,
  typeof asha,
]
const { account_id } = acme

/** What is counted before it is written: `fill` leaves room for two, and another account is not limited by it. */
const limits = [
  {
    table: 'webhooks',
    path: '/web/webhooks',
    max: maxWebhooks,
    message: 'The account has 200 webhooks. Delete one first.',
    body: (n: number) => ({ name: `Form ${n}`, source_label: 'Website' }),
    fill: (
      n: number,
    ) => owner`insert into webhooks (account_id, id, name, source_label, token, verify_token, created_at)
      select ${account_id}, gen_random_uuid(), n::text, 'x', lpad(n::text, 43, 'x'), n::text, now() from generate_series(1, ${n}::int) n`,
  },
  {
    table: 'api_keys',
    path: '/web/api-keys',
    max: maxKeys,
    message: 'The account has 200 API keys. Revoke one first.',
    body: (n: number) => ({ name: `Key ${n}`, user_id: asha.id, permissions: ['read'], ip_whitelist: [] }),
    fill: (n: number) => owner`insert into api_keys
        (account_id, id, user_id, name, secret_hash, last_four, can_read, can_write, can_delete, ip_whitelist, created_at)
      select account_id, gen_random_uuid(), user_id, n::text, sha256(n::text::bytea), last_four, true, false, false, '{}', now()
      from api_keys, generate_series(1, ${n}::int) n where id = ${asha.key.id}`,
  },
  {
    table: 'distribution_rules',
    path: '/web/distribution-rules',
    max: maxRules,
    message: 'The account has 100 rules. Delete one first.',
    body: (n: number) => ({ name: `Rule ${n}`, people: [{ user_id: asha.id, weight: 1 }] }),
    fill: (n: number) => owner`insert into distribution_rules
        (account_id, id, position, name, sources, cities, tags, webhook_ids, people, created_at)
      select ${account_id}, gen_random_uuid(), n, n::text, '{}', '{}', '{}', '{}', '[]', now() from generate_series(1, ${n}::int) n`,
  },
  {
    table: 'users',
    path: '/web/users',
    max: maxUsers,
    message: 'The account has 2000 users, the most that an account may have.',
    body: (n: number) => ({ email: `new${n}@example.com`, name: 'New', role: 'Agent' }),
    fill: (n: number) => owner`insert into users (id, account_id, email, name, role)
      select gen_random_uuid(), ${account_id}, n || '@filled.example.com', 'x', 'Agent' from generate_series(1, ${n}::int) n`,
  },
]

const rowsOf = async (table: string) =>
  (await owner`select from ${owner(table)} where account_id = ${account_id}`).count

for (const { table, path, max, message, body, fill } of limits)
  test(`15 requests at once add no more ${table} than the account may have`, async () => {
    await fill(max - 2 - (await rowsOf(table)))
    const answers = await Promise.all(Array.from({ length: 15 }, (_, n) => admin.send('POST', path, body(n))))
    const rejected = answers.filter(({ status }) => status !== 201)
    assert.deepEqual([await rowsOf(table), rejected.length], [max, 13], JSON.stringify(rejected[0]?.body))
    assert.deepEqual(
      [...new Set(rejected.map(({ status, body }) => `${status} ${body.error.message}`))],
      [`400 ${message}`],
    )
    const ofOther = { ...body(99), user_id: zoya.id, people: [{ user_id: zoya.id, weight: 1 }] }
    const sent = Object.fromEntries(Object.entries(ofOther).filter(([key]) => key in body(0)))
    const { status, body: said } = await stranger.send('POST', path, sent)
    assert.equal(status, 201, JSON.stringify(said))
  })

test('15 requests at once enter no more costs than an account may have', async () => {
  await owner`insert into origin_costs (account_id, kind, name, month, cost)
    select ${account_id}, 'source', n::text, '2026-01-01', 1 from generate_series(1, ${maxCosts - 2}::int) n`
  const enter = (name: string) =>
    admin.send('PUT', '/web/reports/costs', { kind: 'source', name, month: '2026-02', cost: 5 })
  const answers = await Promise.all(Array.from({ length: 15 }, (_, n) => enter(`new ${n}`)))
  assert.deepEqual(
    [await rowsOf('origin_costs'), answers.filter(({ status }) => status === 400).length],
    [maxCosts, 13],
  )
})

test('15 requests at once set no more goals than an account may have', async () => {
  const { rows } = (await admin.send('GET', '/web/reports/users')).body.data
  const email = rows[0].key
  await owner`insert into goals (account_id, user_id, month, won_value)
    select account_id, id, '2100-01-01'::date + n * interval '1 month', 1 from users, generate_series(1, ${maxGoals - 2}::int) n
    where account_id = ${account_id} and email = ${email}`
  const set = (n: number) => admin.send('PUT', '/web/reports/goals', { email, month: `${2010 + n}-01`, won_value: 5 })
  const answers = await Promise.all(Array.from({ length: 15 }, (_, n) => set(n)))
  assert.deepEqual([await rowsOf('goals'), answers.filter(({ status }) => status === 400).length], [maxGoals, 13])
})

test('15 browsers at once leave a user the newest 10', async () => {
  const subscriber = createECDH('prime256v1')
  const keys = { p256dh: subscriber.generateKeys().toString('base64url'), auth: Buffer.alloc(16).toString('base64url') }
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, n) =>
      agent.send('POST', '/web/notifications/subscriptions', { endpoint: `https://push.example.com/${n}`, keys }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], JSON.stringify(answers[0]!.body))
  assert.equal(await rowsOf('push_subscriptions'), maxBrowsers)
})
