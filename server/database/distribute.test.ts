import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Sql } from 'postgres'
import { serve } from '#test/app.ts'
import { dropOnCluster, makeOnCluster } from '#test/cluster.ts'
import { testDatabase } from '#test/database.ts'
import { ask, people } from '#test/people.ts'
import { world } from '#test/records.ts'
import { fillAccount } from '../demo/fill.ts'
import { type Connection, connect, openAsOwner } from './connect.ts'
import { distribute } from './distribute.ts'
import { migrate } from './migrate.ts'
import { isPlaced } from './placement.ts'
import { signInsOf } from './service-roles.ts'

const isCluster = process.env.CITUS_URL !== undefined
const plans: unknown[] = []
const ways = { given: null, dryRun: false, onPlan: (plan: unknown) => void plans.push(plan) }

test('without a cluster, nothing is placed, and the message says why', { skip: isCluster }, async (t) => {
  const store = await testDatabase()
  t.after(store.close)
  await assert.rejects(
    distribute(store.connection, ways),
    /^Error: DATABASE_URL is not the coordinator of a Citus cluster/,
  )
  assert.deepEqual(plans, [])
})

const needsCluster = { skip: isCluster ? false : 'it needs a Citus cluster: set CITUS_URL' }

test('a filled database is placed with all its rows, and then served', needsCluster, async (t) => {
  const server: Connection = JSON.parse(process.env.TEST_SERVER!)
  const name = `${process.env.TEST_TEMPLATE}_${randomBytes(6).toString('hex')}`
  const owner = openAsOwner({ ...server, database: name }, { max: 2 })
  t.after(async () => {
    await owner.end()
    await dropOnCluster(server, name)
  })
  let key = ''
  await makeOnCluster(server, name, async (connection) => {
    await migrate(owner)
    const app = await service(owner, connection)
    const { acme, asha } = await people(app)
    key = asha.key.secret
    await fillAccount(connection, app.database, acme, { leads: 300, days: 20, now: new Date() })
    await app.close()
  })
  const connection = { ...server, database: name }
  const before = await world(owner)
  const plan = await distribute(connection, { ...ways, dryRun: true })
  assert.equal(plan.tables.find((table) => table.name === 'leads')!.rows, 300)
  assert.deepEqual(await world(owner), before)

  const done = await distribute(connection, ways)
  assert.deepEqual(done, { ...plan, placed: true })
  assert.deepEqual(plans, [plan])
  assert.deepEqual(await world(owner), before)
  assert.deepEqual((await distribute(connection, ways)).tables, [])
  const [spread] = await owner<{ n: number }[]>`
    select count(*)::int as n from citus_tables where citus_table_type = 'distributed'`
  assert.ok(spread!.n > 20)

  // As a process leaves it that ended after a migration.
  await owner`alter function leads_with_tag(uuid, text, integer) security definer`
  await migrate(owner)
  assert.ok(await isPlaced(owner))

  const app = await service(owner, connection)
  t.after(app.close)
  const { body } = await ask(app.url, key, 'GET', '/api/v1/leads?limit=1')
  assert.equal(body.pagination.total, 300)
  assert.equal((await ask(app.url, key, 'POST', '/api/v1/leads', { name: 'Later', phone: '9811100001' })).status, 201)
})

async function service(owner: Sql, connection: Connection) {
  const database = connect((await signInsOf(owner, connection))!)
  const served = await serve(database)
  return { ...served, close: () => served.close().then(() => database.close()) }
}
