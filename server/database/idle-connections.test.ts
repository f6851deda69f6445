import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '#test/database.ts'
import { openPool } from './connect.ts'
import { emptyIdleList } from './idle-connections.ts'

const { signIns, close } = await testDatabase()
after(close)

test('the driver searches a short list of idle connections, however many statements there were', async (t) => {
  const sql = openPool(signIns.app, { max: 4 })
  t.after(() => sql.end())
  const search = Array.prototype.indexOf
  let longest = 0
  Array.prototype.indexOf = function (item, from) {
    if (typeof item === 'object' && item !== null && 'queue' in item) longest = Math.max(longest, this.length)
    return search.call(this, item, from)
  }
  t.after(() => {
    Array.prototype.indexOf = search
  })
  const longestOf = async (statements: number) => {
    longest = 0
    for (let n = 0; n < statements; n++) await sql`select 1`
    return longest
  }
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`))
  // If this fails, the driver shortens its list by itself.
  assert.ok((await longestOf(200)) > 200)

  await emptyIdleList(sql, 3)
  assert.ok((await longestOf(3)) < 10)
})
