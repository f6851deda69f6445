import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrl } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { people, sessionCookie } from '../people.ts'
import { assertCountsHold } from '../records.ts'
import { startService } from '../service.ts'

test('SIGTERM ends an import between two batches, and the next service continues it', async (t) => {
  const store = await testDatabase()
  t.after(store.close)
  const service = await startService({ DATABASE_URL: databaseUrl(store.connection) })
  t.after(() => service.end('SIGKILL'))
  const { asha } = await people({ ...store, url: service.url })
  const cookie = await sessionCookie({ ...store, url: service.url }, asha)
  const rows = Array.from({ length: 8000 }, (_, n) => `Asha ${n},${9_820_000_000 + n}`)
  const sendTo = (url: string) =>
    fetch(`${url}/web/leads/import`, {
      method: 'POST',
      headers: { cookie, origin: url, 'content-type': 'text/csv' },
      body: ['Name,Phone', ...rows].join('\n'),
    })
  const answer = await sendTo(service.url)
  assert.equal(answer.status, 200)
  let ended: Promise<number | null> | undefined
  let text = ''
  for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.includes('"progress"')) ended ??= service.end('SIGTERM')
  }
  const { type, message, read, created } = JSON.parse(text.trim().split('\n').at(-1)!)
  assert.equal(type, 'stopped')
  assert.match(message, /restarting.*Import the file again/)
  // Not by force: that would be 1.
  assert.equal(await ended, 0)
  const [found] = await store.owner`select count(*)::int as leads from leads`
  assert.deepEqual([found!.leads, read], [created, created])
  assert.ok(created < rows.length)
  const next = await startService({ DATABASE_URL: databaseUrl(store.connection) })
  t.after(() => next.end('SIGKILL'))
  const events = (await (await sendTo(next.url)).text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(events[0].skipped, created)
  const { type: end, ...counts } = events.at(-1)
  assert.deepEqual([end, counts.created, counts.merged], ['done', rows.length, 0])
  const [entries] = await store.owner`select count(*)::int as n from timeline_entries`
  assert.equal(entries!.n, rows.length)
  await assertCountsHold(store.owner)
})
