/** Runs the programs of the documentation in the languages that this machine has: `npm run test:thorough`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testApp } from '../test/app.ts'
import { type Block, blocksOf } from '../test/doc-blocks.ts'
import { asksForVariables, flakyProxy, keepsInStep, printsAsShown, programFolder } from '../test/doc-programs.ts'
import { people } from '../test/people.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const { PYTHON = 'python3', PHP = 'php', GO = 'go', PATH = '' } = process.env

/** How to run a program of a language, and what shows that the machine can. */
const languages: Record<string, { run: string[]; check: string[]; needs: string }> = {
  js: { run: [process.execPath], check: [process.execPath, '--version'], needs: 'Node' },
  python: { run: [PYTHON], check: [PYTHON, '-c', 'import requests'], needs: 'Python with requests' },
  php: { run: PHP.split(' '), check: [...PHP.split(' '), '-r', 'curl_init();'], needs: 'PHP with curl' },
  go: { run: [GO, 'run'], check: [GO, 'version'], needs: 'Go' },
}

for (const page of ['docs/rest/quick-start.md', 'docs/rest/retries.md']) {
  const blocks = blocksOf(page)
  const { folder, remove } = programFolder(blocks, join(import.meta.dirname, 'all/node_modules'))
  after(remove)
  const cache = { GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod', GO111MODULE: 'off', PATH }
  for (const block of blocks.filter(isProgram)) {
    const { run, check, needs } = languages[block.language]!
    const [name = '', ...args] = check
    const skip = spawnSync(name, args).status === 0 ? false : `no ${needs}`
    test(`${page}: ${block.file} works, although its first request fails`, { skip }, async () => {
      const proxy = await flakyProxy(app.url)
      after(proxy.close)
      const env = { URL: `${proxy.url}/api/v1`, KEY: asha.key.secret, ...cache }
      const program = { command: [...run, block.file!], cwd: folder, env }
      await asksForVariables(program)
      if (block.prints !== null) await printsAsShown(program, block)
      else await keepsInStep(program, (lead) => asha.send('POST', '/api/v1/leads', { name: lead, phone: '9811122233' }))
    })
  }
}

/** A file that others import is no program. */
function isProgram({ language, file, code, prints }: Block): boolean {
  return language in languages && file !== null && (prints !== null || code.includes('EVERY_SECONDS'))
}
