/** Writes the Postman collection of the documentation: `npm run postman`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testApp } from '../test/app.ts'
import { ask } from '../test/people.ts'
import { postmanCollection } from './postman.ts'

test('write the Postman collection', async () => {
  const app = await testApp({ RATE_LIMIT_PER_MINUTE: '100' })
  const { body } = await ask(app.url, null, 'GET', '/api/v1/openapi.json')
  await app.close()
  const file = join(import.meta.dirname, '../docs/rest/lead-engine.postman_collection.json')
  writeFileSync(file, `${JSON.stringify(postmanCollection(body), null, 2)}\n`)
})
