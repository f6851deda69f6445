/** Writes the page of the schema, and the objects with which doctor compares a database: `npm run schema-page`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readSchema } from '../server/database/schema-objects.ts'
import { testDatabase } from './database.ts'
import { schemaPage } from './schema-page.ts'

const { owner, roles, close } = await testDatabase()
after(close)

test('write the page of the schema', async () => {
  writeFileSync(join(import.meta.dirname, '../docs/reference/schema.md'), await schemaPage(owner))
})

test('write the objects of the schema', async () => {
  const objects = Object.fromEntries(
    [...(await readSchema(owner, roles))].sort(([one], [other]) => (one < other ? -1 : 1)),
  )
  const file = join(import.meta.dirname, '../server/database/schema-objects.json')
  writeFileSync(file, `${JSON.stringify(objects, null, 2)}\n`)
})
