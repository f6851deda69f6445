import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { people } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'

const app = await testApp()
after(app.close)
const { asha, bela } = await people(app)

test('leads that many merge, reassign, call and delete at the same time are counted without a deadlock', async () => {
  const emails = Array.from({ length: 24 }, (_, index) => `p${index}@x.in`)
  const merge = (email: string, fields: object) =>
    asha.send('POST', '/api/v1/leads', { name: 'Anyone', email, ...fields })
  const made = await Promise.all(emails.map((email) => merge(email, {})))
  const ids = made.map(({ body }) => body.data.id)
  const changes = [
    { status: 'Contacted', assigned_to: bela.email },
    { status: 'New', assigned_to: asha.email },
  ]
  for (let round = 0; round < 12; round++) {
    // Half of the leads change in one direction, half in the other.
    const merges = emails.map((email, index) => merge(email, changes[(index + round) % 2]!))
    const calls = ids.map((lead_id, index) =>
      asha.send('POST', '/api/v1/call-logs', {
        lead_id,
        call_type: index % 2 ? 'Inbound' : 'Outbound',
        duration_seconds: 9,
      }),
    )
    const answers = await Promise.all([...merges, ...calls])
    assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 201])
  }
  const last = ids.map((id, index) =>
    index % 2
      ? asha.send('DELETE', `/api/v1/leads/${id}`)
      : merge(emails[index]!, { status: 'Qualified', assigned_to: bela.email }),
  )
  assert.deepEqual([...new Set((await Promise.all(last)).map(({ status }) => status))], [200])
  assert.equal(app.database.conflicts.deadlock, 0)
  await assertCountsHold(app.owner)
})
