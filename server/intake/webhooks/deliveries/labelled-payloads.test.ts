import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { isThorough } from '#test/budget.ts'
import { samplePayloads } from '#test/labelled-payloads.ts'
import { account } from '#test/people.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp()
after(app.close)

// What is read from each of them is tested in server/intake/payload. On a cluster, their accounts and webhooks are on every node.
const every = isThorough && !app.signIns.app.isCluster ? 1 : 4
const samples = samplePayloads.filter(({ expected }, at) => !Array.isArray(expected) && at % every === 0)
test(`${samples.length} labelled payloads, posted to a webhook, make the leads they should`, async () => {
  let right = 0
  const misses: string[] = []
  let expectedFields = 0
  const left = [...samples]
  const takeTurns = async () => {
    for (let sample = left.shift(); sample; sample = left.shift()) await post(sample)
  }
  await Promise.all(Array.from({ length: 8 }, takeTurns))
  console.log(`${right} of ${expectedFields} expected fields are right${misses.map((miss) => `\n  ${miss}`).join('')}`)
  assert.ok(right / expectedFields >= 0.98, misses.join('\n'))

  async function post({ platform, payload, expected }: (typeof samples)[number]) {
    if (Array.isArray(expected)) return
    const actor = await account(app.database, `Sample ${platform}`)
    const webhook = await webhookOf(app, actor)
    const { status, body } = await webhook.send(payload)
    const contact = expected.email !== undefined || expected.phone !== undefined
    if (!contact) {
      // A text in an event is not a message (docs/reference/webhooks.md).
      const isEvent = Object.keys(expected).length === 0 || 'object' in payload
      assert.deepEqual([status, body.data?.status], isEvent ? [200, 'ignored'] : [400, undefined], platform)
      return
    }
    assert.equal(status, 200, `${platform}: ${JSON.stringify(body)}`)
    const lead = (
      await app.owner`select * from leads where account_id = ${actor.account_id} and id = ${body.data.id}`
    )[0]!
    for (const [field, value] of Object.entries(expected)) {
      expectedFields++
      if (String(lead[field]) === String(value)) right++
      else misses.push(`${platform}.${field}: ${JSON.stringify(lead[field])}, not ${JSON.stringify(value)}`)
    }
  }
})
