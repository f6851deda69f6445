import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '#test/database.ts'
import { composing, send } from './compose.ts'

const { owner, close } = await testDatabase()
after(close)

const sql = composing(owner)
const ofPerson = (name: string) => sql`and name = ${name}`

for (const [what, statement, expected] of [
  [
    'values of each kind',
    sql`select ${1}::int as a, ${null}::text as b, ${['x', 'y']}::text[] as c`,
    [1, null, ['x', 'y']],
  ],
  ['JSON', sql`select (${sql.json({ city: 'Pune' })}::jsonb)->>'city' as a`, ['Pune']],
  ['a name that has to be quoted', sql`select 2 as ${sql('a "name"')}`, [2]],
  [
    'parts of parts, with their values in order',
    sql`select count(*)::int as a from (values ('Ravi'), ('Asha')) people (name) where true ${ofPerson('Asha')}
      ${sql`and ${sql`length(name) = ${4}`}`}`,
    [1],
  ],
  ['a list of parts', sql`select 1 as a where true ${[ofPerson("'O'"), sql``].map(() => sql`and ${true}`)}`, [1]],
  ['a value with a quote, a dollar and a backslash', sql`select ${`'$1\\`} as a`, [`'$1\\`]],
] as const) {
  test(`a composed statement has ${what}`, async () => {
    const [row] = await send(owner, statement)
    assert.deepEqual(Object.values(row!), expected)
  })
}

test('a composed statement rejects a value that is missing, as the driver does', async () => {
  await assert.rejects(send(owner, sql`select ${undefined as never}`), { code: 'UNDEFINED_VALUE' })
})
