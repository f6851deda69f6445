import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '#test/database.ts'
import { account } from '#test/people.ts'
import { asActor } from './actor.ts'
import { isBusy } from './errors.ts'

const { database, owner, close } = await testDatabase()
after(close)
const actor = await account(database, 'Acme')

/** A rule to lock and to change, as any row would do. */
async function newRule(name: string) {
  const id = crypto.randomUUID()
  await owner`insert into distribution_rules (account_id, id, position, name, people, created_at)
    values (${actor.account_id}, ${id}, 0, ${name}, '[]', now())`
  return id
}

test('of two transactions in a deadlock one is retried, and both are done once', async () => {
  const rules = [await newRule('one'), await newRule('two')]
  let waiting = 0
  const bothHaveOne = Promise.withResolvers<void>()
  const rename = (order: string[], as: string) => {
    let attempts = 0
    return asActor(database, actor, async (tx) => {
      attempts++
      for (const [index, id] of order.entries()) {
        await tx`update distribution_rules set name = name || ${as} where account_id = ${actor.account_id} and id = ${id}`
        if (index === 0 && attempts === 1) {
          if (++waiting === 2) bothHaveOne.resolve()
          await bothHaveOne.promise
        }
      }
      return attempts
    })
  }
  const attempts = await Promise.all([rename(rules, '+'), rename(rules.toReversed(), '+')])
  // The retried one may be quicker than the other, and meet it once more.
  assert.ok(Math.max(...attempts) > 1, `${attempts} attempts`)
  const names = await owner`select name from distribution_rules order by name`
  assert.deepEqual(
    names.map(({ name }) => name),
    ['one++', 'two++'],
  )
})

test('a transaction that fails for another reason is not retried, and changes nothing', async () => {
  let attempts = 0
  const failing = asActor(database, actor, async (tx) => {
    attempts++
    await tx`delete from distribution_rules where account_id = ${actor.account_id}`
    await tx`select 1 / 0`
  })
  await assert.rejects(failing, { code: '22012' })
  assert.equal(attempts, 1)
  assert.equal((await owner`select 1 from distribution_rules`).length, 2)
})

test('a transaction that takes longer than two minutes changes nothing', async (t) => {
  const { now } = performance
  await assert.rejects(
    asActor(database, actor, async (tx) => {
      await tx`delete from distribution_rules where account_id = ${actor.account_id}`
      t.mock.method(performance, 'now', () => now.call(performance) + 121_000)
    }),
    isBusy,
  )
  assert.equal((await owner`select 1 from distribution_rules`).length, 2)
})

test('what makes the transaction unnecessary is tried once, on its connection', async () => {
  const tried: number[] = []
  const pid = async (sql: (text: TemplateStringsArray) => PromiseLike<{ pid: number }[]>) =>
    (await sql`select pg_backend_pid() as pid`)[0]!.pid
  const within = await asActor(
    database,
    actor,
    (tx) => pid(tx as never),
    async (sql) => {
      tried.push(await pid(sql as never))
      return null
    },
  )
  assert.deepEqual(tried, [within])
  const instead = await asActor(
    database,
    actor,
    async () => 'transaction',
    async () => 'instead',
  )
  assert.equal(instead, 'instead')
})
