import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testApp } from './app.ts'
import { callCommand, databaseUrl } from './command-line.ts'
import { type Block, blocksOf, comparable } from './doc-blocks.ts'
import {
  asksForVariables,
  flakyProxy,
  isProgram,
  keepsInStep,
  languages,
  printsAsShown,
  programFolder,
  whyNot,
} from './doc-programs.ts'
import { paste } from './doc-shell.ts'
import { ask, people } from './people.ts'
import { root } from './service.ts'
import { webhookOf } from './webhooks.ts'

const app = await testApp()
after(app.close)
const { asha, acme } = await people(app)

const pages = globSync(['*.md', 'docs/**/*.md', 'deploy/*.md', '{operations,server,web}/**/*.md'], {
  cwd: root,
  exclude: ['CHANGELOG.md'],
}).sort()

/** Blocks for a shell and others that no test runs, by how they begin, and why. */
const notRun: Record<string, string> = {
  'tar xzf lead-engine-0.3.0.tgz': 'needs root and a release; test/installed-release.thorough.ts runs it',
  'lead-engine upgrade': 'needs root and a release; test/upgrade.thorough.ts runs it',
  'podman build': 'needs a container runtime',
  'npx lead-engine backup /mnt/backups': 'needs /mnt; operations/backup has tests of the command',
  'npx lead-engine restore /mnt/backups': 'needs a service that is stopped; operations/backup has tests of the command',
  'CONTINUOUS_BACKUP=s3://': 'needs a bucket; test/faults/lost-disk.thorough.ts has one',
  'npx lead-engine restore --latest':
    'needs a service that is stopped; operations/continuous-backup has tests of the command',
  pgbackrest: 'needs the reader’s own PostgreSQL',
  'install -d -m 700 secrets': 'needs a container runtime',
  'PGPASSWORD=$(cat "$DATA_DIR': 'needs an embedded database',
  'npx lead-engine doctor': 'finds what is wrong with this machine; operations/doctor has tests of the command',
  'lead-engine distribute': 'needs a Citus cluster',
  'DATABASE_URL=postgres://leads_owner': 'needs roles of the reader’s own server',
  'npm install --prefix /opt/lead-engine @opentelemetry': 'installs packages; operations/tracing has tests with them',
  '(zcat test/payload-corpus': 'changes the corpus of the tests',
  'curl https://api.calendly.com': 'needs an account there',
  'curl -sS $URL/openapi.json -o openapi.json':
    'installs a generator; clients/every-generator.thorough.ts runs generators',
}

/** Other languages, and why their blocks are not run here. */
const notRunLanguages: Record<string, string> = {
  text: 'what is printed or sent',
  mermaid: 'test/schema-page.test.ts writes them',
  sql: 'for the administrator of the reader’s own server',
  yaml: 'for Prometheus',
  ini: 'for pgBackRest',
  html: 'needs a browser; browser-pages.test.ts sends such requests',
  php: 'clients/every-language.thorough.ts runs them',
  go: 'clients/every-language.thorough.ts runs them',
}

const whyNotRun = ({ code, language }: Block) =>
  Object.entries(notRun).find(([start]) => code.startsWith(start))?.[1] ?? notRunLanguages[language]
const isShell = (block: Block) => block.language === 'sh' && whyNotRun(block) === undefined

/** One value, or one on each line. */
const jsonIn = (code: string) => (/^[{[].*[}\]]\n[{[]/.test(code) ? code.trim().split('\n') : [code])

const howToMark =
  'Every block must run when it is pasted after those before it: give commands the language sh, and a program the name of its file ' +
  '(```js FILE). URL, KEY and leads.csv are there. Else add its beginning to `notRun` in test/doc-blocks.test.ts, with the reason.'

test('every block of the docs is run, or has a reason not to be', () => {
  const blocks = pages.flatMap(blocksOf)
  for (const block of blocks) {
    const { at, language, file, code, isPrinted } = block
    const isKnown =
      isPrinted ||
      isShell(block) ||
      language === 'json' ||
      whyNotRun(block) !== undefined ||
      (['js', 'python'].includes(language) && file !== null) ||
      // The one file is compiled by the commands after it. The others change the code of this project.
      (language === 'ts' && (file === 'leads.mts' || at.startsWith('docs/first-change.md'))) ||
      (language === '' && !/^ *(\$ |(npx|npm|lead-engine|curl|node|python3|export|systemctl|sudo) )/m.test(code))
    assert.ok(isKnown, `${at}: no test runs this block.\n${code}\n${howToMark}`)
    if (language === 'json' && !isPrinted)
      for (const json of jsonIn(code)) assert.doesNotThrow(() => JSON.parse(json), `${at} is not JSON: ${json}`)
    if (language === 'sh')
      for (const line of code.split('\n'))
        assert.doesNotMatch(
          line.replace(/^(export )?\w+=\S+$/, '').replaceAll(/#.*/g, ''),
          /<[a-z][\w -]*>|…/,
          `${at} has a placeholder, and fails when it is pasted: set a variable by a command before, such as ID=$(…).`,
        )
  }
  const unused = Object.keys(notRun).filter((start) => !blocks.some(({ code }) => code.startsWith(start)))
  assert.deepEqual(unused, [], 'notRun has blocks that no page has')
})

const leadsFile = 'Name,Phone,City\nMeena Iyer,98765 43210,Mumbai\nArjun Nair,99887 76655,Kochi\n'

/** As after the first start: the account of the reader, with a user, a service and a key. */
async function openInstallation(t: TestContext) {
  const app = await testApp({ LOG_LEVEL: 'error' })
  t.after(app.close)
  const env = { DATABASE_URL: databaseUrl(app.connection), BASE_URL: app.url }
  const command = async (line: string) => {
    const { status, out, err } = await callCommand([...JSON.parse(line), '--json'], env)
    assert.equal(status, 0, err)
    return JSON.parse(out)
  }
  const { api_key } = await command(
    '["setup", "--account", "My company", "--email", "you@example.com", "--name", "Asha Rao"]',
  )
  await command(
    '["user", "add", "--account", "My company", "--email", "bela@example.com", "--name", "Bela", "--role", "agent"]',
  )
  return { app, env, key: api_key as string }
}

for (const page of pages) {
  const blocks = blocksOf(page)
  const pasted = blocks.filter(isShell)
  if (pasted.length === 0) continue
  test(`the commands of ${page} work when they are pasted in their order`, async (t) => {
    const { app, env, key } = await openInstallation(t)
    const { folder, remove } = programFolder(blocks)
    t.after(remove)
    writeFileSync(join(folder, 'leads.csv'), leadsFile)
    const variables = { URL: `${app.url}/api/v1`, KEY: key }
    const printed = await paste(pasted, { folder, variables, env })
    for (const [index, { at, prints }] of pasted.entries()) {
      const said = printed[index]!.replaceAll('\r', '')
      assert.doesNotMatch(said, /"error"/, at)
      if (prints?.startsWith('{')) assert.deepEqual(parsed(said), parsed(prints), at)
      else if (prints !== null) assert.equal(comparable(said), comparable(prints), at)
    }
  })
}

/** The name of the reader's user is in the page. */
const parsed = (text: string) => JSON.parse(comparable(text).replace(/"[a-z]+@example\.com"/, '"user"'))

const start = blocksOf('docs/rest/quick-start.md')
for (const block of start.filter((one) => isProgram(one) && whyNotRun(one) === undefined))
  test(`${block.file} of the quick start works, although requests fail`, {
    skip: whyNot(block.language),
  }, async (t) => {
    const { folder, remove } = programFolder(start)
    t.after(remove)
    const proxy = await flakyProxy(app.url)
    t.after(proxy.close)
    const env = { URL: `${proxy.url}/api/v1`, KEY: asha.key.secret }
    const program = { command: [...languages[block.language]!.run, block.file!], cwd: folder, env }
    await asksForVariables(program)
    if (block.prints !== null) return printsAsShown(program, block)
    await keepsInStep(program, async (name) => {
      for (let wait = 0; proxy.requests() === 0 && wait < 300; wait++) await sleep(100)
      return asha.send('POST', '/api/v1/leads', { name, phone: '9811122233' })
    })
    assert.ok(proxy.requests() >= 2)
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

for (const page of pages.filter((one) => /^docs\/webhooks\/|guide\.md$/.test(one))) {
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
