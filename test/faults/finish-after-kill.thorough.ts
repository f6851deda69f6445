import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { databaseUrl } from '../command-line.ts'
import { testDatabase } from '../database.ts'
import { account, ask } from '../people.ts'
import { lockLead } from '../records.ts'
import { startService } from '../service.ts'
import { until } from '../until.ts'
import { webhookOf } from '../webhooks.ts'

const store = await testDatabase()
after(store.close)
const { owner, database } = store
const env = { DATABASE_URL: databaseUrl(store.connection), LOG_LEVEL: 'warn' }

test('what waits when the service is killed is finished once by the next one, and a repetition is a duplicate', async (t) => {
  const actor = await account(database, 'Acme')
  const first = await startService(env)
  t.after(() => first.end('SIGKILL'))
  const { id, path, send } = await webhookOf({ database, url: first.url }, actor)
  const lead = { name: 'Ravi', phone: '9820055001' }
  const created = await send(lead)
  const release = await lockLead(owner, created.body.data.id)
  t.after(release)
  const messages = ['One', 'Two', 'Three'].map((message) => ({ ...lead, message }))
  const answers = await Promise.all(messages.map((message) => send(message)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [503, 503, 503],
  )
  // It may be about to finish some of them.
  await first.end('SIGKILL')
  await release()
  const second = await startService(env)
  t.after(() => second.end())
  const repeated = await ask(second.url, null, 'POST', path, messages[0])
  assert.equal(repeated.status, 200)
  const outcomes = async () =>
    (await owner`select outcome from deliveries where webhook_id = ${id}`).map(({ outcome }) => outcome).sort()
  await until(async () => !(await outcomes()).includes('waiting'), 'the end of the wait')
  assert.deepEqual(await outcomes(), ['created', 'duplicate', 'merged', 'merged', 'merged'])
  const [{ notes }] = (await owner`select notes from leads where id = ${created.body.data.id}`) as unknown as [
    { notes: string },
  ]
  for (const { message } of messages) assert.equal(notes.split(message).length, 2, notes)
})
