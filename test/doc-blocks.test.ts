import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testApp } from './app.ts'
import { type Block, blocksOf, comparable } from './doc-blocks.ts'
import { asksForVariables, flakyProxy, keepsInStep, printed, printsAsShown, programFolder } from './doc-programs.ts'
import { ask, people } from './people.ts'
import { root } from './service.ts'
import { webhookOf } from './webhooks.ts'

const app = await testApp()
const proxy = await flakyProxy(app.url)
after(async () => {
  proxy.close()
  await app.close()
})
const { asha, acme } = await people(app)
const key = asha.key.secret
const start = programFolder(blocksOf('docs/rest/quick-start.md'))
after(start.remove)

/** Runs the blocks for a shell in a page, in their order, as if they were pasted into one shell: `ID` stays set. */
for (const page of [
  'README.md',
  'docs/rest.md',
  'docs/rest/quick-start.md',
  'docs/rest/keeping-in-step.md',
  'docs/rest/retries.md',
]) {
  test(`the curl commands of ${page} work, and answer what the page shows`, async () => {
    const kept = join(start.folder, `${page.replaceAll('/', '-')}.id`)
    writeFileSync(kept, '')
    const commands = blocksOf(page).filter(({ language, code }) => language === 'sh' && code.includes('curl '))
    assert.ok(commands.length > 0)
    for (const { code, prints } of commands) {
      for (const command of isolated(code)) {
        const script = `set -e -o pipefail\n${command}\nprintf %s "$ID" > "$KEPT"`
        const env = { URL: `${app.url}/api/v1`, KEY: key, ID: readFileSync(kept, 'utf8'), KEPT: kept }
        const said = await printed({ command: ['bash', '-c', script], cwd: start.folder, env })
        assert.doesNotMatch(said, /"error"/, command)
        if (prints?.startsWith('{')) assert.deepEqual(parsed(said), parsed(prints))
        else if (prints !== null) assert.equal(comparable(said.replaceAll('\r', '')), comparable(prints))
      }
    }
    const { body } = await asha.send('GET', '/api/v1/leads')
    for (const lead of body.data) await asha.send('DELETE', `/api/v1/leads/${lead.id}`)
  })
}

/** The commands of a block that has several and shows no result; variables that the reader sets are set already. */
function isolated(code: string): string[] {
  const commands = code.split(/\n\n(?=#)/)
  return commands.map((command) => command.replace(/^(export )?(URL|KEY)=.*\n/gm, ''))
}

const parsed = (text: string) => JSON.parse(comparable(text))

const env = { URL: `${proxy.url}/api/v1`, KEY: key }
const programs = blocksOf('docs/rest/quick-start.md').filter(({ language }) => language === 'js')
const named = (name: string) => programs.find(({ file }) => file === name) as Block

test('the JavaScript of the quick start creates a lead, although the first attempt is answered 503', async () => {
  const program = { command: [process.execPath, 'create.mjs'], cwd: start.folder, env }
  await asksForVariables(program)
  await printsAsShown(program, named('create.mjs'))
})

test('the JavaScript of the quick start prints a new lead once, although requests fail', async () => {
  const before = proxy.requests()
  const command = [process.execPath, 'sync.mjs']
  await keepsInStep({ command, cwd: start.folder, env }, async (name) => {
    for (let wait = 0; proxy.requests() === before && wait < 300; wait++) await sleep(100)
    return asha.send('POST', '/api/v1/leads', { name, phone: '9811122233' })
  })
  assert.ok(proxy.requests() - before >= 3)
})

test('the page of errors shows bodies that the service answers, and explains every code', async () => {
  const { body: description } = await ask(app.url, null, 'GET', '/api/v1/openapi.json')
  const text = JSON.stringify(description)
  const blocks = blocksOf('docs/rest/errors.md').filter(({ language }) => language === 'json')
  for (const line of blocks.flatMap(({ code }) => code.trim().split('\n')))
    assert.ok(text.includes(`{"value":${JSON.stringify(JSON.parse(line))}}`), line)
  const page = readFileSync(join(root, 'docs/rest/errors.md'), 'utf8')
  for (const [, code = ''] of text.matchAll(/"code":"([A-Z_]+)"/g)) assert.ok(page.includes(`| \`${code}\` |`), code)
})

for (const page of globSync(['docs/webhooks/*.md', 'server/payload/senders/*/guide.md'], { cwd: root }).sort()) {
  const payloads = blocksOf(page).filter(({ language }) => language === 'json')
  if (payloads.length === 0) continue
  test(`the payloads of ${page} become leads with the name and the contacts that they show`, async () => {
    for (const { code } of payloads) {
      const webhook = await webhookOf(app, acme)
      const { status, body } = await webhook.send(JSON.parse(code))
      assert.deepEqual([status, body.data.status], [200, 'created'], code)
      const [lead] = await app.owner`select name, phone, email from leads where id = ${body.data.id}`
      assert.ok(lead!.phone ?? lead!.email)
      // A telephone system sends a number without a name.
      const names = /^Caller \+/.test(lead!.name) ? [] : lead!.name.split(' ')
      for (const value of [...names, lead!.phone ?? '', lead!.email ?? ''])
        assert.ok(code.includes(value), `${value} is not in ${code}`)
      await asha.send('DELETE', `/api/v1/leads/${body.data.id}`)
    }
  })
}
