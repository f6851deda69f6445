import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { ask, people, signedIn } from '#test/people.ts'
import { assertCountsHold } from '#test/records.ts'
import { webhookOf } from '#test/webhooks.ts'

const app = await testApp({ RATE_LIMIT_PER_MINUTE: '100000' })
after(app.close)
const { asha } = await people(app)

const count = async () => Number((await app.owner`select count(*) as n from leads`)[0]!.n)

for (const many of [400, 1000]) {
  test(`${many} creates at once over 6 phones and 6 emails all succeed, and none makes a second lead of a contact`, async () => {
    const answers = await Promise.all(
      Array.from({ length: many }, (_, n) =>
        ask(app.url, asha.key.secret, 'POST', '/api/v1/leads', {
          name: `Ravi ${n}`,
          phone: `98${many}0000${n % 6}`.padEnd(10, '0').slice(0, 10),
          email: `ravi${Math.floor(n / 6) % 6}.${many}@example.com`,
        }),
      ),
    )
    const statuses = Object.groupBy(answers, ({ status }) => status)
    assert.deepEqual(
      Object.keys(statuses).filter((status) => status !== '200' && status !== '201'),
      [],
      JSON.stringify(answers.find(({ status }) => status > 201)?.body),
    )
    const [repeated] = await app.owner`
      select count(*) - count(distinct phone_key) as phones, count(email_key) - count(distinct email_key) as emails from leads`
    assert.deepEqual([Number(repeated!.phones), Number(repeated!.emails)], [0, 0])
    await assertCountsHold(app.owner)
  })
}

test('400 deliveries of different people at once are all saved, and a user of the account is not kept waiting', async () => {
  const [browser, webhook, before] = await Promise.all([signedIn(app, asha), webhookOf(app, asha.actor), count()])
  const deliveries = Array.from({ length: 400 }, (_, n) =>
    webhook.send({ name: `Person ${n}`, phone: `97${10_000_000 + n}` }),
  )
  const ended: string[] = []
  const all = Promise.all(deliveries).then((answers) => {
    ended.push('deliveries')
    return answers
  })
  const saved = await browser!.send('POST', '/web/leads', { name: 'By hand', phone: '9600000001' })
  ended.push('user')
  assert.equal(saved.status, 201, JSON.stringify(saved.body))
  assert.deepEqual(
    (await all).filter(({ status }) => status !== 200),
    [],
  )
  assert.deepEqual(ended, ['user', 'deliveries'])
  assert.equal(await count(), before + 401)
})
