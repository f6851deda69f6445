import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '#test/database.ts'

const { owner: sql, close } = await testDatabase()
after(close)

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
  test(`a statement has ${what}`, async () => {
    const [row] = await statement
    assert.deepEqual(Object.values(row!), expected)
  })
}

test('a statement rejects a value that is missing', async () => {
  await assert.rejects(sql`select ${undefined}`, { code: 'UNDEFINED_VALUE' })
})

test('a list of texts comes back from the database as it was given', async () => {
  const values = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', ',', ' a ', 'a\nb'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(values.map((text) => text.replaceAll('\0', ''))), async (texts) => {
      const [row] = await sql`select ${texts}::text[] as texts`
      assert.deepEqual(row!.texts, texts)
    }),
    { numRuns: 300 },
  )
})

test('a list of ids comes back from the database as it was given', async () => {
  const ids = ['61acf6cb-4aa2-47fc-a324-c41493d9f167', '00000000-0000-0000-0000-000000000000']
  const [row] = await sql`select ${ids}::uuid[] as ids, ${[]}::uuid[] as none`
  assert.deepEqual([row!.ids, row!.none], [ids, []])
})
