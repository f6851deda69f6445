// Generates all clients from the description in the file that is named, into folders `generated`.
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { generate } from 'orval'

const [input] = process.argv.slice(2)
const at = (path) => join(import.meta.dirname, path)

await createClient({
  input,
  output: { path: at('hey-api/generated'), module: { extension: '.ts' } },
  plugins: [
    '@hey-api/client-fetch',
    '@hey-api/typescript',
    'zod',
    { name: '@hey-api/sdk', validator: { response: 'zod' } },
  ],
})
const mutator = { path: at('orval/send.ts'), name: 'send', extension: '.ts' }
await generate({ input, output: { target: at('orval/generated/client.ts'), client: 'fetch', override: { mutator } } })
await generate({ input, output: { target: at('orval/generated/zod.ts'), client: 'zod' } })
