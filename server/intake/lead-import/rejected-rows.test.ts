import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people, signedIn } from '#test/people.ts'
import { assertCountsHold, timelineOf, world } from '#test/records.ts'

const app = await testApp()
after(app.close)
const { asha } = await people(app)
const admin = await signedIn(app, asha)

const send = (file: string, query = '') =>
  admin.send('POST', `/web/leads/import${query}`, file, { 'content-type': 'text/csv' })

async function imported(file: string) {
  const { status, body } = await send(file)
  assert.equal(status, 200, JSON.stringify(body))
  const events = String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { events, rows: events.filter(({ type }) => type === 'rejected'), last: events.at(-1) }
}

/** Lets the database fail for leads of this name. */
async function failFor(name: string, errcode: string) {
  await app.owner.unsafe(`create function fail_${name}() returns trigger language plpgsql as $$ begin
      raise exception 'no room for %', new.name using errcode = '${errcode}'; end $$`)
  await app.owner.unsafe(`create trigger fail_${name} before insert or update on leads for each row
    when (new.name = '${name}') execute function fail_${name}()`)
  return () => app.owner.unsafe(`drop trigger fail_${name} on leads`)
}

const nameOf = (n: number) => (n % 60 === 37 ? 'poison' : n === 220 ? 'full' : `Lead ${n}`)
const rows = Array.from({ length: 250 }, (_, n) => `${nameOf(n)},${9_820_000_000 + (n === 120 ? 10 : n)},City ${n}`)
const file = ['Name,Phone,City', ...rows, ''].join('\n')
const poisoned = [37, 97, 157, 217].map((n) => n + 2)
const reason = 'The database rejected the row: no room for poison.'

test('a row that the database rejects is named, and the import goes on; other errors stop it', async () => {
  await failFor('poison', '22023')
  const restore = await failFor('full', '53100')
  const { rows: rejected, last } = await imported(file)
  assert.deepEqual([last.type, last.read, last.created, last.merged, last.rejected], ['stopped', 200, 196, 1, 3])
  assert.deepEqual(
    rejected.map(({ line, reason, cells }) => [line, reason, cells[0]]),
    poisoned.slice(0, 3).map((line) => [line, reason, 'poison']),
  )
  await restore()
})

// The rows before the one that failed were saved when the halves of its batch were saved by themselves.
test('the preview of an interrupted import says what is imported and what remains', async () => {
  const before = await world(app.owner)
  const { data } = (await send(file, '?dry_run=true')).body
  assert.deepEqual([data.rows, data.imported, data.created, data.merged, data.rejected], [250, 214, 32, 0, 4])
  assert.deepEqual(
    data.rejected_rows.map(({ line, reason }: { line: number; reason: string }) => [line, reason]),
    poisoned.map((line) => [line, reason]),
  )
  const other = (await send(file, '?dry_run=true&source=Fair')).body.data
  assert.deepEqual([other.imported, other.merged], [0, 214], 'another import of the file')
  assert.deepEqual(await world(app.owner), before)
})

test('the import continues, and lists also the rows that were rejected before the interruption', async () => {
  const { events, rows: rejected, last } = await imported(file)
  assert.equal(events[0].skipped, 218)
  assert.deepEqual([last.type, last.created, last.merged, last.rejected], ['done', 245, 1, 4])
  assert.deepEqual(
    rejected.map(({ line, reason }) => [line, reason]),
    poisoned.map((line) => [line, reason]),
  )
  const leads = await app.owner<{ id: string; name: string; city: string }[]>`select id, name, city from leads`
  assert.equal(leads.length, 245)
  const merged = leads.find(({ name }) => name === 'Lead 10')!
  assert.deepEqual(
    (await timelineOf(app.owner, merged.id)).map(({ kind }) => kind),
    ['created', 'merged'],
  )
  await assertCountsHold(app.owner)
})

test('a finished import that is repeated tries every row again', async () => {
  await app.owner`drop trigger fail_poison on leads`
  const { rows: rejected, last } = await imported(file)
  assert.deepEqual([rejected.length, last.created, last.merged], [0, 4, 246])
})

test('an import stops when the database rejects more than 200 rows', async () => {
  await failFor('broken', '23514')
  const many = Array.from({ length: 250 }, (_, n) => `broken,${9_830_000_000 + n}`)
  const { rows: rejected, last } = await imported(['Name,Phone', ...many, ''].join('\n'))
  assert.equal(last.type, 'stopped')
  assert.match(
    last.message,
    /^The database rejected 200 rows of this file: fix the cause first\. The last reason: no room for broken/,
  )
  assert.equal(rejected.length, 200)
  assert.equal((await app.owner`select from leads where name = 'broken'`).length, 0)
})
