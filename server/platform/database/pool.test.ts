import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '#test/database.ts'
import { openAsOwner } from './connect.ts'
import { isAway } from './errors.ts'
import type { TransactionSql } from './sql.ts'

const { connection, owner, close } = await testDatabase()
const sql = openAsOwner(connection, { max: 1 })
after(() => sql.end().then(close))
await owner`create table things (id int primary key)`
const count = async () => (await owner`select from things`).length

test('a statement whose columns a migration changed is prepared again', async () => {
  const read = () => sql`select * from things`
  await read()
  await owner`alter table things add column name text`
  assert.deepEqual([...(await read())], [])
})

test('a lost connection fails what runs on it, and the next statement opens another', async () => {
  const pidOf = async () => (await sql`select pg_backend_pid() as pid`)[0]!.pid
  const pid = await pidOf()
  const running = ['select pg_sleep(60)', 'select 1'].map((text) => assert.rejects(sql.unsafe(text)))
  await owner`select pg_terminate_backend(${pid})`
  await Promise.all(running)
  assert.notEqual(await pidOf(), pid)
})

test('a transaction whose connection is lost fails, and nothing of it is sent later', async () => {
  let later: PromiseLike<unknown> | undefined
  const lost = sql.begin(async (tx) => {
    await tx`insert into things values (1)`
    await owner`select pg_terminate_backend(${(await tx`select pg_backend_pid() as pid`)[0]!.pid})`
    later = tx`insert into things values (2)`
    await later
  })
  await assert.rejects(lost, isAway)
  await assert.rejects(async () => later)
  assert.equal(await count(), 0)
})

test('nothing is sent after the end of a transaction', async () => {
  let kept: TransactionSql | undefined
  await sql.begin(async (tx) => {
    kept = tx
  })
  await assert.rejects(async () => kept!`insert into things values (1)`, { code: 'CONNECTION_CLOSED' })
  assert.equal(await count(), 0)
})

test('a failed statement ends its transaction, with its own error, but not outside of its savepoint', async () => {
  const insert = (tx: TransactionSql, id: number) => tx`insert into things values (${id})`
  const together = sql.begin((tx) => Promise.all([1, 1, 1, 2].map((id) => insert(tx, id))))
  await assert.rejects(together, { code: '23505' })
  const caught = sql.begin(async (tx) => {
    await insert(tx, 1)
    await insert(tx, 1).catch(() => {})
  })
  await assert.rejects(caught, { code: '23505' })
  assert.equal(await count(), 0)
  await sql.begin(async (tx) => {
    await insert(tx, 1)
    await tx.savepoint((part) => insert(part, 1)).catch(() => {})
    await insert(tx, 2)
  })
  assert.equal(await count(), 2)
})

test('statements wait for a connection in their order, and an ended pool answers them first', async () => {
  const busy = openAsOwner(connection, { max: 1 })
  const done: string[] = []
  const all = [
    busy.begin(async (tx) => {
      await tx`select pg_sleep(0.05)`
      done.push('transaction')
    }),
    busy`select 1`.then(() => done.push('statement')),
  ]
  await Promise.all([busy.end(), busy.end()])
  await Promise.all(all)
  assert.deepEqual(done, ['transaction', 'statement'])
  await assert.rejects(busy`select 1`, { code: 'CONNECTION_CLOSED' })
})
