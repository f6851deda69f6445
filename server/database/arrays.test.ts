import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '#test/database.ts'

const { owner, close } = await testDatabase()
after(close)

test('a list of texts comes back from the database as it was given', async () => {
  const values = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', ',', ' a ', 'a\nb'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(values.map((text) => text.replaceAll('\0', ''))), async (texts) => {
      const [row] = await owner`select ${texts}::text[] as texts`
      assert.deepEqual(row!.texts, texts)
    }),
    { numRuns: 300 },
  )
})

test('a list of ids comes back from the database as it was given', async () => {
  const ids = ['61acf6cb-4aa2-47fc-a324-c41493d9f167', '00000000-0000-0000-0000-000000000000']
  const [row] = await owner`select ${ids}::uuid[] as ids, ${[]}::uuid[] as none`
  assert.deepEqual([row!.ids, row!.none], [ids, []])
})
