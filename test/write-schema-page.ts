/** Writes the page of the schema: `npm run schema-page`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testDatabase } from './database.ts'
import { schemaPage } from './schema-page.ts'

const { owner, close } = await testDatabase()
after(close)

test('write the page of the schema', async () => {
  writeFileSync(join(import.meta.dirname, '../docs/reference/schema.md'), await schemaPage(owner))
})
