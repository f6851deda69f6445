import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { serve } from '#test/app.ts'
import { dropOnCluster, isCluster, makeOnCluster, needsCluster } from '#test/cluster.ts'
import { testDatabase } from '#test/database.ts'
import { ask, people } from '#test/people.ts'
import { assertCountsHold, world } from '#test/records.ts'
import { until } from '#test/until.ts'
import { fillAccount } from '../../../../operations/demo/fill.ts'
import { type Connection, connect, openAsOwner } from '../connect.ts'
import { migrate } from '../migrate.ts'
import { listSignIns } from '../service-roles.ts'
import type { Sql } from '../sql.ts'
import { type Distribution, distribute } from './distribute.ts'
import { isPlaced } from './placement.ts'
import { removeObstacles } from './unfinished-distribution.ts'

const plans: Distribution[] = []
const options = { given: null, dryRun: false, onPlan: (plan: Distribution) => void plans.push(plan) }

test('without a cluster, nothing is placed, and the message says why', { skip: isCluster }, async (t) => {
  const store = await testDatabase()
  t.after(store.close)
  await assert.rejects(
    distribute(store.connection, options),
    /^Error: DATABASE_URL is not the coordinator of a Citus cluster/,
  )
  assert.deepEqual(plans, [])
})

test(
  'a filled database is placed with all its rows while the service reads, and then served',
  needsCluster,
  async (t) => {
    const { connection, owner, app, asha } = await filledDatabase(t)
    const before = await world(owner)
    const plan = await distribute(connection, { ...options, dryRun: true })
    assert.equal(plan.tables.find((table) => table.name === 'leads')!.rows, 300)
    assert.deepEqual(await world(owner), before)

    const list = () => ask(app.url, asha.key.secret, 'GET', '/api/v1/leads?limit=1')
    const totals: number[] = []
    const failed = new Set<number>()
    let placed = false
    const reading = (async () => {
      while (!placed) {
        const { status, body } = await list()
        if (status === 200) totals.push(body.pagination.total)
        else failed.add(status)
      }
    })()
    const done = await distribute(connection, options)
    placed = true
    await reading
    assert.deepEqual(withoutKeyUses(done), { ...withoutKeyUses(plan), placed: true })
    assert.deepEqual(plans.map(withoutKeyUses), [withoutKeyUses(plan)])
    assert.deepEqual(await world(owner), before)
    assert.deepEqual((await distribute(connection, options)).tables, [])
    const [spread] = await owner<{ n: number }[]>`
    select count(*)::int as n from citus_tables where citus_table_type = 'distributed'`
    assert.ok(spread!.n > 20)
    const [local] = await owner<{ bytes: string }[]>`
    select sum(pg_relation_size(logicalrelid)) as bytes from pg_dist_partition`
    assert.equal(local!.bytes, '0')
    await assertFunctionsAreOnNodes(owner)

    // Connections were replaced at the end.
    assert.ok([...failed].every((status) => status === 503))
    assert.ok(totals.length > 0 && totals.every((total) => total === 300))
    await until(async () => (await list()).body.pagination?.total === 300, 'the service reads from the nodes')
    const later = { name: 'Later', phone: '9811100001' }
    assert.equal((await ask(app.url, asha.key.secret, 'POST', '/api/v1/leads', later)).status, 201)

    // As a process leaves it that ended after a migration.
    await owner`alter function leads_with_tag(uuid, text, integer) security definer`
    await migrate(owner)
    assert.ok(await isPlaced(owner))
  },
)

/** The lists of the test are written there, at any time. */
function withoutKeyUses(distribution: Distribution): Distribution {
  return { ...distribution, tables: distribution.tables.filter(({ name }) => name !== 'api_key_uses') }
}

/** A lead's page and lists by tag call functions on the node of their account. */
async function assertFunctionsAreOnNodes(owner: Sql) {
  const functions = `select json_agg(md5(pg_get_functiondef(oid)) order by oid::regprocedure::text) from pg_proc
    where pronamespace = 'public'::regnamespace and prokind = 'f'`
  const nodes = await owner`select result from run_command_on_all_nodes(${functions})`
  assert.ok(nodes.length > 1 && nodes.every(({ result }) => result === nodes[0]!.result))
}

test('a write meanwhile is saved or answered 503', needsCluster, async (t) => {
  const { connection, owner, app, asha } = await filledDatabase(t)
  const statuses = new Set<number>()
  const saved: string[] = []
  let placed = false
  const writing = [1, 2, 3, 4].map(async (lane) => {
    for (let n = 1; !placed; n++) {
      const lead = { name: 'Meanwhile', email: `${lane}-${n}@example.com` }
      const { status } = await ask(app.url, asha.key.secret, 'POST', '/api/v1/leads', lead)
      statuses.add(status)
      if (status === 201) saved.push(lead.email)
    }
  })
  await distribute(connection, options)
  await until(async () => (await ask(app.url, asha.key.secret, 'GET', '/api/v1/leads')).status === 200, 'it is served')
  placed = true
  await Promise.all(writing)
  assert.ok(statuses.has(201))
  assert.ok(
    [...statuses].every((status) => status === 201 || status === 503),
    [...statuses].join(),
  )
  const leads = await owner`select email from leads where name = 'Meanwhile'`
  assert.deepEqual(leads.map(({ email }) => email as string).sort(), saved.sort())
  await assertCountsHold(owner)
})

test('what an interruption left is undone', needsCluster, async (t) => {
  const { connection, owner, app, asha } = await filledDatabase(t)
  const rules = () => owner`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' union all select tablename, policyname, qual from pg_policies
    union all select '', proname, prosrc from pg_proc where proname = 'act_as' order by 1, 2`
  const before = await rules()
  const [call] = await owner`select lead_id from call_logs limit 1`
  await owner.begin(removeObstacles)
  assert.notDeepEqual(await rules(), before)
  const { status } = await ask(app.url, asha.key.secret, 'DELETE', `/api/v1/leads/${call!.lead_id}`)
  assert.equal(status, 200)

  await migrate(owner)
  assert.deepEqual(await rules(), before)
  assert.equal((await owner`select from call_logs where lead_id = ${call!.lead_id}`).length, 0)
  await owner.begin(removeObstacles)
  assert.ok((await distribute(connection, options)).placed)
})

/** A database of one PostgreSQL with 300 leads, and a service that runs on it. Then it becomes the coordinator of a cluster. */
async function filledDatabase(t: TestContext) {
  const server: Connection = JSON.parse(process.env.TEST_SERVER!)
  const name = `${process.env.TEST_TEMPLATE}_${randomBytes(6).toString('hex')}`
  const connection = { ...server, database: name }
  const owner = openAsOwner(connection, { max: 2 })
  let filled: ({ app: Awaited<ReturnType<typeof service>> } & Awaited<ReturnType<typeof people>>) | null = null
  t.after(async () => {
    await filled?.app.close()
    await owner.end()
    await dropOnCluster(server, name)
  })
  await makeOnCluster(server, name, async () => {
    await migrate(owner)
    const app = await service(owner, connection)
    filled = { app, ...(await people(app)) }
    await fillAccount(connection, app.database, filled.acme, { leads: 300, days: 20, now: new Date() })
  })
  return { connection, owner, ...filled! }
}

async function service(owner: Sql, connection: Connection) {
  const database = connect((await listSignIns(owner, connection))!)
  const served = await serve(database)
  return { ...served, close: () => served.close().then(() => database.close()) }
}
