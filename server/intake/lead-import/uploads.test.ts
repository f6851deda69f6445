import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { serve, testApp } from '#test/app.ts'
import { isThorough } from '#test/budget.ts'
import { ask, people, sessionCookie, signedIn } from '#test/people.ts'
import { world } from '#test/records.ts'
import { until } from '#test/until.ts'
import { workbookOfXml } from '#test/workbook.ts'

const app = await testApp()
after(app.close)
const { asha, bela } = await people(app)
const agent = await signedIn(app, bela)
const cookie = await sessionCookie(app, asha)
const admin: typeof agent = {
  send: (method, path, body, headers) =>
    ask(app.url, null, method, path, body, { cookie, origin: app.url, ...headers }),
}

const file = `Name,Phone\n${Array.from({ length: 300 }, (_, n) => `Lead ${n},${9_820_000_000 + n}\n`).join('')}`
const prefix = `lead-engine-import-${process.pid}-`
const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith(prefix))
const isEmpty = () => until(() => left().length === 0, 'an empty folder')

const rejections: [query: string, status: number, body?: string, sender?: typeof admin][] = [
  ['?dry_run=x', 400],
  [`?source=${'x'.repeat(201)}`, 400],
  ['?source=%00', 400],
  ['?source=%ff', 400],
  ['?source=a&source=b', 400],
  ['?dry_run=true&dry_run=true', 400],
  ['?header=-1', 400],
  ['?header=1.5', 400],
  ['?header=77&dry_run=true', 400],
  ['?sheet=Leads', 400],
  ['?columns=x', 400],
  ['?columns=%7B%22Nowhere%22%3A%22name%22%7D', 400],
  ['', 400, 'Name,Phone\n'],
  ['', 400, '<html><table>'],
  ['', 400, 'PK\x03\x04'],
  ['', 403, file, agent],
]

test('no file stays on the disk: many uploads that are rejected', async () => {
  const before = await world(app.owner)
  // A rejected query does not open the file, so it can be sent often.
  const often = Array.from({ length: isThorough ? 600 : 60 }, (_, n) => rejections[n % 8]!)
  for (const [query, status, body = file, sender = admin] of [...rejections, ...often]) {
    const answer = await sender.send('POST', `/web/leads/import${query}`, body, { 'content-type': 'text/csv' })
    assert.equal(answer.status, status, `${query} ${JSON.stringify(answer.body)}`)
  }
  await isEmpty()
  assert.deepEqual(await world(app.owner), before)
})

/** Sends a file of which the client leaves when some bytes are sent or answered. */
function leave(when: 'sending' | 'answered', query = ''): Promise<void> {
  const headers = { cookie, origin: app.url, 'content-type': 'text/csv', 'content-length': 2 * file.length }
  return new Promise((resolve) => {
    const sent = request(`${app.url}/web/leads/import${query}`, { method: 'POST', headers }, () => sent.destroy())
    sent.on('close', resolve).on('error', () => {})
    sent.write(file)
    if (when === 'sending') void until(() => left().length > 0).then(() => sent.destroy())
    else sent.end(file)
  })
}

test('no file stays on the disk when the client leaves', async () => {
  await leave('sending')
  await isEmpty()
  await leave('answered')
  await isEmpty()
})

test('a file is no longer read when the client has left', async () => {
  const start = '<worksheet><sheetData>'
  const long = workbookOfXml({ start, part: '<row/>'.repeat(10_000), times: 70_000, end: '</sheetData></worksheet>' })
  const headers = { cookie, origin: app.url, 'content-type': 'text/csv', 'content-length': long.length }
  let rejected = 0
  const sent = [1, 2, 3].map(() =>
    request(`${app.url}/web/leads/import?dry_run=true`, { method: 'POST', headers }, ({ statusCode }) => {
      if (statusCode === 503) rejected++
    }),
  )
  for (const one of sent) one.on('error', () => {}).end(long)
  await until(() => rejected === 1, 'two files of the account are read')
  for (const one of sent) one.destroy()
  const preview = () => admin.send('POST', '/web/leads/import?dry_run=true', file, { 'content-type': 'text/csv' })
  await until(async () => (await preview()).status === 200, 'a place for another file')
  await isEmpty()
})

test('a service that closes during an import leaves no file', async () => {
  const second = await serve(app.database)
  const many = `Name,Phone\n${Array.from({ length: 20_000 }, (_, n) => `A,${9_830_000_000 + n}\n`).join('')}`
  const browser = await signedIn({ ...app, url: second.url }, asha)
  const answer = browser.send('POST', '/web/leads/import', many, { 'content-type': 'text/csv' }).catch(() => undefined)
  await until(() => left().length > 0)
  await second.close()
  assert.deepEqual(left(), [])
  await answer
})

test('a start removes the files of processes that were killed, and of no other', async () => {
  const { pid: killed } = spawnSync(process.execPath, ['-e', ''])
  const old = Date.now() / 1000 - 2 * 86_400
  const folder = (name: string, isOld: boolean) => {
    const path = mkdtempSync(join(tmpdir(), `lead-engine-import-${name}`))
    writeFileSync(join(path, 'leads'), 'Name,Phone\n')
    if (isOld) utimesSync(path, old, old)
    return path
  }
  const stale = [folder(`${killed}-`, false), folder(`${process.pid}-`, true), folder('', true)]
  const kept = [folder(`${process.pid}-`, false), folder(`${process.ppid}-`, true), folder('x', false)]
  const other = join(tmpdir(), `lead-engine-other-${process.pid}`)
  mkdirSync(other)
  try {
    await (await serve(app.database)).close()
    assert.deepEqual(stale.filter(existsSync), [])
    assert.deepEqual([...kept, other].filter(existsSync), [...kept, other])
  } finally {
    for (const path of [...kept, other]) rmSync(path, { recursive: true })
  }
})
