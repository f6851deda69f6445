import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { testApp } from '#test/app.ts'
import { needsCluster } from '#test/cluster.ts'
import { type Answer, account, addPlayer, ask, signedIn } from '#test/people.ts'
import { proxyTo } from '#test/proxy.ts'
import { until } from '#test/until.ts'
import { webhookOf } from '#test/webhooks.ts'
import type { Connection } from '../connect.ts'

const app = await testApp()
after(app.close)

const ready = () => ask(app.url, null, 'GET', '/readyz')

const settings = 'Settings of all accounts can be read, but not changed.'
const accountsOn = (nodes: string) =>
  `The leads, calls and deliveries of the accounts on ${nodes} database nodes are unavailable.`

function isUnavailable({ status, body, headers }: Answer) {
  assert.deepEqual([status, body.error?.code], [503, 'UNAVAILABLE'], JSON.stringify(body))
  assert.match(headers.get('retry-after')!, /^[1-9]\d*$/)
}

for (const [all, away, directoryAway, expected] of [
  [2, 0, false, { status: 'ready' }],
  [2, 1, true, { status: 'ready', affected: [accountsOn('1 of 2'), settings] }],
  [2, 0, true, { status: 'ready', affected: [settings] }],
  [2, 2, true, null],
] as const) {
  test(`/readyz with ${all} nodes of which ${away} are away, ${directoryAway ? 'one' : 'none'} with a directory`, async (t) => {
    t.mock.getter(app.database, 'nodes', () => ({ all, away, directoryAway, check: async () => {} }))
    const answer = await ready()
    if (!expected) return isUnavailable(answer)
    const { version: _, commit: __, ...body } = answer.body
    assert.deepEqual([answer.status, body], [200, expected])
  })
}

test('a node that is lost, or rows that are moved, within a transaction are answered 503, and any other internal error 500', async (t) => {
  const asha = await addPlayer(app.database, app.url, await account(app.database, randomUUID()), 'Asha', 'Admin', null)
  const write = t.mock.method(app.database, 'write')
  const answerTo = (message: string) => {
    write.mock.mockImplementation(() => Promise.reject(Object.assign(new Error(message), { code: 'XX000' })))
    return asha.send('DELETE', `/api/v1/leads/${randomUUID()}`)
  }
  isUnavailable(await answerTo('failure on connection marked as essential: 10.0.0.6:5432'))
  isUnavailable(await answerTo('could not commit transaction for shard 102008 on at least one active node'))
  isUnavailable(await answerTo('could not find valid entry for shard 102008'))
  assert.equal((await answerTo('cache lookup failed for type 4711')).status, 500)
})

test('while a worker is away, the other accounts are served, and no setting changes', needsCluster, async (t) => {
  const { worker, wire } = await behindProxy()
  t.after(wire.cut)
  const here = await adminOf((node) => node !== worker)
  const there = await adminOf((node) => node === worker)
  const hook = await webhookOf(app, here.actor)
  await untilAffected(undefined)
  // With connections to the worker, which are then lost.
  assert.equal((await invite(here)).status, 201)

  await wire.cut()
  for (const changed of [await invite(here), await createWebhook(here), await createKey(here), await invite(there)])
    isUnavailable(changed)
  for (const path of ['/users', '/api-keys', '/webhooks', '/leads', '/overview', '/audit', '/distribution-rules'])
    assert.equal((await here.web.send('GET', `/web${path}`)).status, 200, path)
  assert.equal((await here.send('POST', '/api/v1/leads', newLead())).status, 201)
  for (const path of ['/me', '/account']) assert.equal((await there.web.send('GET', `/web${path}`)).status, 200, path)
  there.web = await signedIn(app, there)
  isUnavailable(await there.send('GET', '/api/v1/leads'))
  isUnavailable(await there.send('POST', '/api/v1/leads', newLead()))
  await untilAffected([accountsOn(`1 of ${app.database.nodes!.all}`), settings])

  await wire.open()
  await untilAffected(undefined)
  for (const admin of [here, there]) {
    assert.equal((await invite(admin)).status, 201)
    assert.equal((await createWebhook(admin)).status, 201)
    assert.equal((await createKey(admin)).status, 201)
    assert.equal((await admin.send('POST', '/api/v1/leads', newLead())).status, 201)
  }

  // A machine that is silent is away too, and holds nothing else up.
  await Promise.all(Array.from({ length: 20 }, () => there.send('GET', '/api/v1/leads')))
  wire.freeze()
  const many = Array.from({ length: 40 }, () => there.send('GET', '/api/v1/leads'))
  // More than run at once: the others read the rules of the account first, and wait for a connection.
  many.push(...Array.from({ length: 20 }, () => there.send('POST', '/api/v1/leads', newLead())), invite(here))
  for (const answer of await Promise.all(many)) isUnavailable(answer)
  await untilAffected([accountsOn(`1 of ${app.database.nodes!.all}`), settings])
  const later = Array.from({ length: 40 }, () => there.send('GET', '/api/v1/leads'))
  for (let n = 0; n < 20; n++) {
    assert.equal((await here.send('GET', '/api/v1/leads')).status, 200)
    assert.equal((await here.send('POST', '/api/v1/leads', newLead())).status, 201)
  }
  assert.equal((await hook.send({ ...newLead(), a_new_field: 'Pune' })).status, 200)
  for (const answer of await Promise.all([...later, invite(here), createKey(there)])) isUnavailable(answer)
  wire.thaw()
  await untilAffected(undefined)
})

async function untilAffected(affected: string[] | undefined) {
  const expected = { status: 'ready', ...(affected ? { affected } : {}) }
  await until(async () => isDeepStrictEqual((await ready()).body, expected), JSON.stringify(expected))
}

/** Puts a proxy between the coordinator and the last worker. */
async function behindProxy() {
  const server: Connection = JSON.parse(process.env.TEST_SERVER!)
  const [node] = await app.owner<{ worker: number; host: string; port: number }[]>`
    select groupid as worker, nodename as host, nodeport as port from pg_dist_node order by groupid desc limit 1`
  const { worker, host, port } = node!
  const target = { ...server, host, port }
  const wire = await proxyTo({ app: target, directory: target })
  await app.owner`update pg_dist_node set nodeport = ${wire.signIns.app.port} where groupid = ${worker}`
  return { worker, wire }
}

/** The Admin of a new account on such a node. */
async function adminOf(isNode: (groupId: number) => boolean) {
  for (;;) {
    const actor = await account(app.database, randomUUID())
    const [shard] = await app.owner<{ node: number }[]>`select groupid as node from pg_dist_placement
      where shardid = get_shard_id_for_distribution_column('leads', ${actor.account_id}::uuid)`
    if (!isNode(shard!.node)) continue
    const player = await addPlayer(app.database, app.url, actor, 'Asha', 'Admin', null)
    return { ...player, web: await signedIn(app, player) }
  }
}

type Admin = Awaited<ReturnType<typeof adminOf>>

const newLead = () => ({ name: 'Ravi Kumar', email: `${randomUUID()}@example.com` })
const invite = ({ web }: Admin) =>
  web.send('POST', '/web/users', { email: `${randomUUID()}@example.com`, name: 'Bela', role: 'Agent', team: null })
const createWebhook = ({ web }: Admin) =>
  web.send('POST', '/web/webhooks', { name: randomUUID(), source_label: 'Site' })
const createKey = ({ id, web }: Admin) =>
  web.send('POST', '/web/api-keys', { user_id: id, name: 'Key', permissions: ['read'], ip_whitelist: '' })
