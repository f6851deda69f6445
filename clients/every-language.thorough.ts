/** Runs the programs of the documentation in the languages that this machine has: `npm run test:thorough`. */
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testApp } from '../test/app.ts'
import { blocksOf } from '../test/doc-blocks.ts'
import {
  asksForVariables,
  flakyProxy,
  isProgram,
  keepsInStep,
  languages,
  printsAsShown,
  programFolder,
  whyNot,
} from '../test/doc-programs.ts'
import { people } from '../test/people.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const { PATH = '' } = process.env

for (const page of ['docs/rest/quick-start.md', 'docs/rest/retries.md']) {
  const blocks = blocksOf(page)
  for (const block of blocks.filter(isProgram)) {
    test(`${page}: ${block.file} works, although its first request fails`, {
      skip: whyNot(block.language),
    }, async (t) => {
      // Each has the file that it keeps in step.
      const { folder, remove } = programFolder(blocks, join(import.meta.dirname, 'all/node_modules'))
      t.after(remove)
      const proxy = await flakyProxy(app.url)
      t.after(proxy.close)
      const cache = { GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod', GO111MODULE: 'off', PATH }
      const env = { URL: `${proxy.url}/api/v1`, KEY: asha.key.secret, ...cache }
      const program = { command: [...languages[block.language]!.run, block.file!], cwd: folder, env }
      await asksForVariables(program)
      if (block.prints !== null) await printsAsShown(program, block)
      else await keepsInStep(program, (lead) => asha.send('POST', '/api/v1/leads', { name: lead, phone: '9811122233' }))
    })
  }
}
