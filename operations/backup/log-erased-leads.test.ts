import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { bringUpToDate, openList } from './log-erased-leads.ts'

const app = await testApp()
const folder = mkdtempSync(join(tmpdir(), 'lead-engine-erased-'))
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})
const { asha } = await people(app)
const account = asha.actor.account_id

const idsIn = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ')[2])

async function deleteLeads(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { body } = await asha.send('POST', '/api/v1/leads', { name: 'Ravi', email: `${randomUUID()}@example.com` })
    await asha.send('DELETE', `/api/v1/leads/${body.data.id}`)
    ids.push(body.data.id)
  }
  return ids
}

const deleteAt = (at: string, id = randomUUID()) =>
  app.owner`insert into erased_leads (account_id, lead_id, at) values (${account}, ${id}, ${at})`.then(() => id)

test('each deleted lead is written once, without personal data, for its owner only', async () => {
  const list = openList(join(folder, 'one.log'))
  const first = await deleteLeads(3)
  await bringUpToDate(app.database, list)
  await bringUpToDate(app.database, list)
  const second = await deleteLeads(2)
  await bringUpToDate(app.database, list)
  assert.deepEqual(idsIn(list.path), [...first, ...second])
  assert.equal(statSync(list.path).mode & 0o777, 0o600)
  assert.match(
    readFileSync(list.path, 'utf8'),
    /^(20\d\d-\d\d-\d\dT[\d:]{8}\.\d{3}Z [0-9a-f-]{36} [0-9a-f-]{36}\n){5}$/,
  )
})

test('several processes and restarts keep one list, also after half a line', async () => {
  const path = join(folder, 'shared.log')
  const [one, two] = [openList(path), openList(path)]
  await bringUpToDate(app.database, one)
  await bringUpToDate(app.database, two)
  const [id] = await deleteLeads(1)
  await bringUpToDate(app.database, two)
  await bringUpToDate(app.database, one)
  assert.equal(idsIn(path).filter((other) => other === id).length, 1)
  appendFileSync(path, '2026-11-22T0')
  const [next] = await deleteLeads(1)
  await bringUpToDate(app.database, openList(path))
  const lines = readFileSync(path, 'utf8').split('\n')
  assert.deepEqual([lines.at(-3), lines.at(-2)?.split(' ')[2], lines.at(-1)], ['2026-11-22T0', next, ''])
})

test('a deletion that is committed after a later one is not missed', async () => {
  const list = openList(join(folder, 'late.log'))
  await deleteAt('2030-01-01T00:01:30.000Z')
  await bringUpToDate(app.database, list)
  const late = await deleteAt('2030-01-01T00:00:10.000Z')
  await bringUpToDate(app.database, list)
  assert.equal(idsIn(list.path).at(-1), late)
})

test('more deletions at once than one query reads are all written', async () => {
  const list = openList(join(folder, 'many.log'))
  await app.owner`insert into erased_leads (account_id, lead_id, at)
    select ${account}, gen_random_uuid(), '2031-01-01' from generate_series(1, 12000)`
  await bringUpToDate(app.database, list)
  await bringUpToDate(app.database, list)
  const [row] = await app.owner<{ n: number }[]>`select count(*)::int as n from erased_leads`
  assert.equal(new Set(idsIn(list.path)).size, row!.n)
  assert.equal(idsIn(list.path).length, row!.n)
})

test('a list that was removed is written again', async () => {
  const list = openList(join(folder, 'removed.log'))
  await bringUpToDate(app.database, list)
  const all = idsIn(list.path)
  rmSync(list.path)
  await bringUpToDate(app.database, list)
  assert.deepEqual(idsIn(list.path), all)
})
