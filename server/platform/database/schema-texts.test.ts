import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '#test/database.ts'
import { schemaOf } from '#test/records.ts'
import { openAsOwner } from './connect.ts'
import { migrate, schemaState } from './migrate.ts'

const store = await testDatabase()
const owner = openAsOwner(store.connection, { max: 1 })
after(async () => {
  await owner.end()
  await store.close()
})

const texts = async () => (await schemaState(store.directory)).texts
const made = await schemaOf(owner)

/** As an earlier version would leave a function and a policy, after its own texts were applied. */
async function applyOtherTexts() {
  await owner`create or replace function uncount_calls(account uuid, of_lead uuid) returns void language plpgsql as 'begin end'`
  await owner`drop policy seen on lead_views`
  await owner`update schema_texts set hash = 'other' where file in ('functions/uncount_calls.sql', 'policies/views.sql')`
}

test('functions and policies of another version are applied again, and only those', async () => {
  assert.deepEqual(await texts(), [])
  await applyOtherTexts()
  assert.notDeepEqual(await schemaOf(owner), made)
  assert.deepEqual(await texts(), ['functions/uncount_calls.sql', 'policies/views.sql'])
  await owner`drop policy own on bulk_changes`
  await migrate(owner)
  const lacking = made.filter((object) => object.startsWith('policy bulk_changes.own '))
  assert.equal(lacking.length, 1)
  assert.deepEqual(
    await schemaOf(owner),
    made.filter((object) => !lacking.includes(object)),
  )
  assert.deepEqual(await texts(), [])
  await owner`delete from schema_texts`
  await migrate(owner)
  assert.deepEqual(await schemaOf(owner), made)
})

test('they are applied while others read and write the tables', async () => {
  await applyOtherTexts()
  const reading = store.owner.begin(async (tx) => {
    await tx`select from lead_views`
    await tx`select pg_sleep(3)`
  })
  await migrate(owner)
  await reading
  assert.deepEqual(await schemaOf(owner), made)
})

test('those of a version with a newer migration are left', async (t) => {
  await applyOtherTexts()
  await owner`insert into migrations (file, hash, compatible) values ('9999_later.sql', '', true)`
  t.after(() => owner`delete from migrations where file = '9999_later.sql'`)
  const before = await schemaOf(owner)
  assert.deepEqual(await texts(), [])
  await migrate(owner)
  assert.deepEqual(await schemaOf(owner), before)
})
